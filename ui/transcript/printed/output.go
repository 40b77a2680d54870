package printed

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/session/toolview"
	"parley/ui/core"
	"parley/ui/style"
)

// Output prints the output of a tool call: the last one, or one before it.
func (a *Announcer) Output(args string) {
	back := 1
	if n, err := strconv.Atoi(args); err == nil && n >= 1 {
		back = n
	} else if args != "" {
		a.Print("note", "Print the output of an earlier call with /output NUMBER; 2 is the one before the last")
		return
	}
	t := a.callBack(back)
	if t == nil {
		a.Print("note", "no such tool call")
		return
	}
	d := toolview.Describe(t.Name, t.Input, a.Dir)
	text := t.Result.Text
	verb := d.Ended(t.Outcome)
	switch {
	case a.asked(t.Call):
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
		a.Print("tool", strings.TrimSpace(verb+" "+style.OneLine(d.Subject))+", no output")
		return
	}
	lines := strings.Split(text, "\n")
	a.Print("tool", strings.TrimSpace(verb+" "+style.OneLine(d.Subject))+", "+human.Count(len(lines), "line", "lines"))
	if n := len(lines) - core.MaxLines; n > 0 {
		a.Print("note", fmt.Sprintf("the last %d lines:", core.MaxLines))
		lines = lines[n:]
	}
	a.Print("output", strings.Join(lines, "\n"))
}

// callBack returns the nth tool call from the end, nil if there are fewer.
func (a *Announcer) callBack(n int) *session.Tool {
	for i := len(a.Transcript.Turns) - 1; i >= 0; i-- {
		for j := len(a.Transcript.Turns[i].Entries) - 1; j >= 0; j-- {
			if t, ok := a.Transcript.Turns[i].Entries[j].(*session.Tool); ok && t.Ready {
				if n--; n == 0 {
					return t
				}
			}
		}
	}
	return nil
}
