package transcript

import (
	"encoding/json"
	"slices"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/session/toolview"
	"parley/ui/scroll"
	"parley/ui/style"
	"parley/ui/transcript/align"
)

// childItem is a child agent: one row, and below it, when opened, what the child did.
type childItem struct {
	itemState
	child *session.Child
}

func (it *childItem) foldable() bool { return len(it.child.Entries) > 0 }

func (it *childItem) layout(l *style.Look) []string {
	c := it.child
	name := c.Name
	if name == "" {
		name = "agent"
	}
	left := style.Visible(style.OneLine(name))
	if c.Description != "" {
		left += "  " + style.Visible(style.OneLine(c.Description))
	}
	calls, state, asks := it.doing(l)
	right := it.beside(l, calls, state, l.Span()-1-l.Measure.Width(left))
	bullet := l.Theme.Dim
	if !c.Ended || asks {
		bullet = l.Theme.Accent
	}
	rows := []string{bullet.Of("•") + " " + l.Measure.Spread(left, l.Theme.Dim.Of(right), l.Span())}
	if it.isOpen() {
		rows = append(rows, childRows(l, c)...)
	}
	return rows
}

// beside returns the right end of a row: the child's progress, and the keys where it is marked. Where room is short, its
// number of calls and the key that opens it are left out for its name and task.
func (it *childItem) beside(l *style.Look, calls, state string, room int) string {
	fold, opens := "", ""
	if it.marked && it.foldable() {
		fold = "  " + l.Fold()
	}
	if it.marked && l.OpenKey != "" {
		opens = "  " + l.OpenKey + " opens"
	}
	for _, s := range []string{calls + state + fold + opens, calls + state + fold, state + fold} {
		if l.Measure.Width(s) <= room {
			return s
		}
	}
	if it.child.Background && !it.child.Ended && !it.asks() {
		state = "behind"
	}
	return state + fold
}

// counting reports whether the row counts seconds: background agents outlive the turn and with it the clock.
func (it *childItem) counting() bool { return !it.child.Ended && !it.child.Background }

// doing returns the child's number of calls (with a comma, "" for none), its state, and whether it waits for the user.
func (it *childItem) doing(l *style.Look) (calls, state string, asks bool) {
	c := it.child
	tools := 0
	for _, e := range c.Entries {
		if _, is := e.(*session.Tool); is {
			tools++
		}
	}
	if tools > 0 {
		calls = human.Count(tools, "tool call", "tool calls") + ", "
	}
	switch {
	case it.asks():
		return calls, "asks", true
	case !c.Ended && c.Background:
		state = "in the background"
	case !c.Ended:
		state = "working"
		if took := l.Now().Sub(c.Started); !c.Started.IsZero() && took >= style.Noticeable {
			state += ", " + human.Seconds(took)
		}
	case c.Outcome == session.TurnCancelled:
		state = "stopped"
	case c.Outcome == session.TurnFailed:
		state = "failed"
	default:
		state = "done"
	}
	return calls, state, false
}

// asks reports whether the child waits for the user.
func (it *childItem) asks() bool {
	return slices.ContainsFunc(it.child.Entries, func(e session.Entry) bool { a, is := e.(*session.Ask); return is && !a.Settled })
}

// childRows returns what a child did: a row for each call and its text in full.
func childRows(l *style.Look, c *session.Child) []string {
	var rows []string
	add := func(s style.Style, text string) {
		for _, r := range l.Measure.Wrap(text, l.Inner()-2) {
			rows = append(rows, s.Of(r))
		}
	}
	for _, e := range c.Entries {
		switch e := e.(type) {
		case *session.Part:
			if e.Kind == session.PartText && !e.Retracted {
				add("", strings.Trim(style.Visible(e.Text()), "\n"))
			}
		case *session.Tool:
			in := e.Input
			if !e.Ready {
				in = json.RawMessage(e.Partial())
			}
			d := toolview.Describe(e.Name, in, l.Dir)
			verb := d.Ended(e.Outcome)
			switch {
			case !e.Ended && !e.Ready:
				verb = d.Want
			case !e.Ended:
				verb = d.Present
			}
			add(l.Theme.Dim, "• "+style.Visible(style.OneLine(verb+" "+d.Subject)))
		case *session.Child:
			add(l.Theme.Dim, "• "+style.Visible(style.OneLine(e.Name+"  "+e.Description)))
			for _, r := range childRows(l, e) {
				rows = append(rows, strings.TrimPrefix(r, "  "))
			}
		}
	}
	return style.Indent(rows)
}

func (it *childItem) trace(rows []string, _ *style.Look) scroll.Trace {
	return align.LeftOfFirst(align.Rows(rows, 4))
}

func (it *childItem) text(*style.Look) (shown, folded string) {
	return it.child.Name + " " + it.child.Description, childText(it.child)
}

// childText returns the text of a child agent and the inputs of its calls.
func childText(c *session.Child) string {
	var b strings.Builder
	for _, e := range c.Entries {
		switch e := e.(type) {
		case *session.Part:
			if e.Kind == session.PartText && !e.Retracted {
				b.WriteString(e.Text() + "\n")
			}
		case *session.Tool:
			b.Write(e.Input)
			b.WriteByte('\n')
		case *session.Child:
			b.WriteString(e.Name + "  " + e.Description + "\n" + childText(e))
		}
	}
	return b.String()
}

func (it *childItem) finished() bool { return it.child.Ended }
func (it *childItem) close() bool    { return true }

// added hides the row of the call that started the child.
func (it *childItem) added(f *feed, _ int) { f.cover(it.child.Call) }
