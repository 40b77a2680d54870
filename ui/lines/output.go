package lines

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/session/toolview"
	"parley/ui/style"
)

// maxRead is the most lines of a call's output that are printed.
const maxRead = 200

// output prints the output of a tool call: the last one, or one before it.
func (p *console) output(args string) bool {
	back := 1
	if n, err := strconv.Atoi(args); err == nil && n >= 1 {
		back = n
	} else if args != "" {
		p.talk.print("note", "Print the output of an earlier call with /output NUMBER; 2 is the one before the last")
		return false
	}
	t := p.talk.a.callBack(back)
	if t == nil {
		p.talk.print("note", "no such tool call")
		return false
	}
	d := toolview.Describe(t.Name, t.Input, p.talk.a.dir)
	text := t.Result.Text
	verb := d.Ended(t.Outcome)
	switch {
	case p.talk.a.asked(t.Call):
		verb = d.Want
	case !t.Ended:
		text, verb = t.Output(), d.Present
	}
	edits := t.Edits
	if t.Changes != nil {
		edits = slices.Concat(edits, t.Changes.Edits)
	}
	for _, e := range edits {
		text += "\n" + e.Patch
	}
	text = strings.Trim(style.PlainOutput(text), "\n")
	if text == "" {
		p.talk.print("tool", strings.TrimSpace(verb+" "+style.OneLine(d.Subject))+", no output")
		return false
	}
	lines := strings.Split(text, "\n")
	p.talk.print("tool", strings.TrimSpace(verb+" "+style.OneLine(d.Subject))+", "+human.Count(len(lines), "line", "lines"))
	if n := len(lines) - maxRead; n > 0 {
		p.talk.print("note", fmt.Sprintf("the last %d lines:", maxRead))
		lines = lines[n:]
	}
	p.talk.print("output", strings.Join(lines, "\n"))
	return false
}

// callBack returns the nth tool call from the end, nil if there are fewer.
func (a *announcer) callBack(n int) *session.Tool {
	for i := len(a.t.Turns) - 1; i >= 0; i-- {
		for j := len(a.t.Turns[i].Entries) - 1; j >= 0; j-- {
			if t, ok := a.t.Turns[i].Entries[j].(*session.Tool); ok && t.Ready {
				if n--; n == 0 {
					return t
				}
			}
		}
	}
	return nil
}
