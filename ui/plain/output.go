package plain

import (
	"fmt"
	"strconv"
	"strings"

	"parley/session"
	"parley/session/toolview"
	"parley/ui/style"
)

// mostRead is how many lines of a call's output are read out at once.
const mostRead = 200

// output reads out what a call gave back: the last one, or one of those before it.
func (p *console) output(args string) bool {
	back := 1
	if n, err := strconv.Atoi(args); err == nil && n >= 1 {
		back = n
	} else if args != "" {
		p.say("note", "/output and a number reads an earlier call: 2 is the one before the last")
		return false
	}
	t := p.a.callBack(back)
	if t == nil {
		p.say("note", "there is no such call")
		return false
	}
	d := toolview.Describe(t.Name, t.Input, p.a.dir)
	text := t.Result.Text
	verb := d.Ended(t.Outcome)
	switch {
	case p.a.asked(t.Call):
		verb = d.Want
	case !t.Ended:
		text, verb = t.Output(), d.Present
	}
	for _, e := range t.Edits {
		text += "\n" + e.Patch
	}
	text = strings.Trim(style.PlainOutput(text), "\n")
	if text == "" {
		p.say("tool", strings.TrimSpace(verb+" "+style.OneLine(d.Subject))+", no output")
		return false
	}
	lines := strings.Split(text, "\n")
	p.say("tool", strings.TrimSpace(verb+" "+style.OneLine(d.Subject))+", "+style.Count(len(lines), "line", "lines"))
	if n := len(lines) - mostRead; n > 0 {
		p.say("note", fmt.Sprintf("the last %d lines:", mostRead))
		lines = lines[n:]
	}
	p.say("output", strings.Join(lines, "\n"))
	return false
}

// callBack is the nth call from the end, nil if there are not so many.
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
