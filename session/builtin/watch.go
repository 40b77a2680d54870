package builtin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"parley/session"
	"parley/session/builtin/tool"
)

// The numbers of failures of the same kind after which the model is warned, and after which the turn ends.
const (
	failuresToWarn = 3
	failuresToEnd  = 6
)

// failures notices a model that does the same in vain: a call that fails again and again, or a file that is changed back and
// forth. The zero value is ready. It is safe for concurrent use.
type failures struct {
	mu sync.Mutex
	// failed counts the failures of each call since its last success, flips how often a file went back to what it was.
	failed, flips map[string]int
	// done are the changes so far, by what they removed and added.
	done map[string]bool
	// warn and end are what the next boundary reports.
	warn []string
	end  string
}

// note records the outcome of a call.
func (f *failures) note(c call, out tool.Outcome) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.failed == nil {
		f.failed, f.flips, f.done = map[string]int{}, map[string]int{}, map[string]bool{}
	}
	switch out.How {
	case session.ToolCancelled:
		return
	case session.ToolOK:
		delete(f.failed, keyOf(c))
	default:
		f.failed[keyOf(c)]++
		f.count(f.failed[keyOf(c)], fmt.Sprintf("The same call of %s, with the same input, has failed", c.name))
	}
	for _, e := range out.Edits {
		removed, added := sides(e.Patch)
		if removed == added {
			continue
		}
		if f.done[e.Path+"\x00"+added+"\x00"+removed] {
			f.flips[e.Path]++
			f.count(f.flips[e.Path], e.Path+" has been changed back to what it was before")
		}
		f.done[e.Path+"\x00"+removed+"\x00"+added] = true
	}
}

// count reports what happened n times, at the numbers that matter.
func (f *failures) count(n int, what string) {
	switch n {
	case failuresToWarn:
		f.warn = append(f.warn, fmt.Sprintf("%s %d times. Do not try it again as it is. Stop and think about why it does not work: read the "+
			"messages and the file again. Try something else, or say what is in the way and ask the user.", what, n))
	case failuresToEnd:
		f.end = fmt.Sprintf("%s %d times.", what, n)
	}
}

// take returns what the model has to know now, and why the turn has to end, "" for nothing.
func (f *failures) take() (warn []string, end string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	warn, end = f.warn, f.end
	f.warn = nil
	return warn, end
}

// reset begins a turn.
func (f *failures) reset() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failed, f.flips, f.done, f.warn, f.end = nil, nil, nil, nil, ""
}

// keyOf returns the same for calls that do the same.
func keyOf(c call) string {
	var v any
	if json.Unmarshal(c.input, &v) != nil {
		return c.name + "\x00" + string(c.input)
	}
	sorted, err := json.Marshal(v)
	if err != nil {
		return c.name + "\x00" + string(c.input)
	}
	return c.name + "\x00" + string(sorted)
}

// sides returns the lines that a patch removes and those that it adds.
func sides(patch string) (removed, added string) {
	var minus, plus strings.Builder
	for line := range strings.Lines(patch) {
		switch {
		case strings.HasPrefix(line, "-"):
			minus.WriteString(line[1:])
		case strings.HasPrefix(line, "+"):
			plus.WriteString(line[1:])
		}
	}
	return minus.String(), plus.String()
}

// watch warns the model of what it does in vain, and returns the problem with which the run ends if that did not help.
func (l *loop) watch() *session.Problem {
	warn, end := l.failures.take()
	if end != "" {
		return &session.Problem{Kind: session.KindInvalid, What: end,
			Next: "Say what to do differently, or look at it yourself."}
	}
	for _, w := range warn {
		l.remind(remind(w))
	}
	return nil
}

// isObject reports whether an input is a JSON object.
func isObject(input json.RawMessage) bool {
	return json.Valid(input) && bytes.HasPrefix(bytes.TrimSpace(input), []byte("{"))
}
