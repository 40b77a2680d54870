package vain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"parley/session"
	"parley/session/builtin/tool"
)

// The numbers of vain calls of the same kind after which the model is warned, and after which the turn ends.
const (
	callsToWarn = 3
	callsToEnd  = 6
)

// Watch notices a model that does the same in vain: a call that fails again and again, one that gives what it gave before, or a
// file that is changed back and forth. The zero value is ready. It is safe for concurrent use.
type Watch struct {
	mu sync.Mutex
	// failed counts the failures of each call since its last success, flips how often a file went back to what it was.
	failed, flips map[string]int
	// same counts how often a call gave what it gave last, since another that may have changed something; gave is what it gave.
	same map[string]int
	gave map[string]string
	// done are the changes so far, by what they removed and added.
	done map[string]bool
	// warn and end are the reports of the next boundary.
	warn []string
	end  string
}

// Note records the outcome of a call. changes reports whether its tool may change what other calls find.
func (f *Watch) Note(name string, input json.RawMessage, changes bool, out tool.Outcome) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.failed == nil {
		f.failed, f.flips, f.done = map[string]int{}, map[string]int{}, map[string]bool{}
		f.same, f.gave = map[string]int{}, map[string]string{}
	}
	key := keyOf(name, input)
	switch out.How {
	case session.ToolCancelled:
		return
	case session.ToolOK:
		delete(f.failed, key)
		f.repeated(key, name, input, changes, out)
	default:
		f.failed[key]++
		f.count(f.failed[key], fmt.Sprintf("The same call of %s, with the same input, has failed", name), inVain)
	}
	for _, e := range out.Edits {
		removed, added := sides(e.Patch)
		if removed == added {
			continue
		}
		if f.done[e.Path+"\x00"+added+"\x00"+removed] {
			f.flips[e.Path]++
			f.count(f.flips[e.Path], e.Path+" has been changed back to what it was before", inVain)
		}
		f.done[e.Path+"\x00"+removed+"\x00"+added] = true
	}
}

// repeated counts a call that gives what it gave before. After one that may have changed something all others count anew: tests that
// pass again after each edit are no sign of a loop. A call that waits for news is none either.
func (f *Watch) repeated(key, name string, input json.RawMessage, changes bool, out tool.Outcome) {
	text := out.Result.Sent + "\x00" + out.Result.Text
	again := f.gave[key] == text && f.same[key] > 0
	if changes {
		for other := range f.same {
			if other != key {
				delete(f.same, other)
				delete(f.gave, other)
			}
		}
	}
	if !again {
		f.same[key] = 0
	}
	f.same[key]++
	f.gave[key] = text
	if again && !bytes.Contains(input, []byte(`"wait"`)) {
		f.count(f.same[key], fmt.Sprintf("The same call of %s, with the same input, has given the same result", name),
			"Nothing has changed since, and it will not give anything else. Use what it gave, or do something else.")
	}
}

// inVain is the note to a model that repeats a call that does not work.
const inVain = "Do not try it again as it is. Stop and think about why it does not work: read the messages and the file again. Try " +
	"something else, or say what is in the way and ask the user."

// count reports what happened n times, at the numbers that matter, with what to do instead.
func (f *Watch) count(n int, what, instead string) {
	switch n {
	case callsToWarn:
		f.warn = append(f.warn, fmt.Sprintf("%s %d times. %s", what, n, instead))
	case callsToEnd:
		f.end = fmt.Sprintf("%s %d times.", what, n)
	}
}

// Forget counts the same results anew, because the model no longer has what calls gave.
func (f *Watch) Forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	clear(f.same)
	clear(f.gave)
}

// Take returns what the model has to know now, and why the turn has to end, "" for nothing.
func (f *Watch) Take() (warn []string, end string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	warn, end = f.warn, f.end
	f.warn = nil
	return warn, end
}

// Reset begins a turn.
func (f *Watch) Reset() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failed, f.flips, f.done, f.same, f.gave, f.warn, f.end = nil, nil, nil, nil, nil, nil, ""
}

// keyOf returns the same for calls that do the same.
func keyOf(name string, input json.RawMessage) string {
	var v any
	if json.Unmarshal(input, &v) != nil {
		return name + "\x00" + string(input)
	}
	sorted, err := json.Marshal(v)
	if err != nil {
		return name + "\x00" + string(input)
	}
	return name + "\x00" + string(sorted)
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
