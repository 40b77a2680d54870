package child

import (
	"parley/session"
	"parley/ui/style"
)

// Row returns the row that stands for a child in the conversation. foldable reports that it can be opened, marked that the keys act
// on it.
func Row(l *style.Look, c *session.Child, foldable, marked bool) string {
	name := c.Name
	if name == "" {
		name = "agent"
	}
	left := style.Visible(style.OneLine(name))
	if c.Description != "" {
		left += "  " + style.Visible(style.OneLine(c.Description))
	}
	calls, state, asks := Doing(l, c)
	right := beside(l, c, calls, state, foldable, marked, l.Span()-1-l.Measure.Width(left))
	bullet := l.Theme.Dim
	if !c.Ended || asks {
		bullet = l.Theme.Accent
	}
	return bullet.Of("•") + " " + l.Measure.Spread(left, l.Theme.Dim.Of(right), l.Span())
}

// beside returns the right end of a row: the child's progress, and the keys where it is marked. Where room is short, its
// number of calls and the key that opens it are left out for its name and task.
func beside(l *style.Look, c *session.Child, calls, state string, foldable, marked bool, room int) string {
	fold, opens := "", ""
	if marked && foldable {
		fold = "  " + l.Fold()
	}
	if marked && l.OpenKey != "" {
		opens = "  " + l.OpenKey
		if fold != "" {
			opens = " · " + l.OpenKey
		}
	}
	for _, s := range []string{calls + state + fold + opens, calls + state + fold, state + fold} {
		if l.Measure.Width(s) <= room {
			return s
		}
	}
	if c.Background && !c.Ended && !Asks(c) {
		state = "behind"
	}
	return state + fold
}

// Brief describes what a child does, in a narrow window without its number of calls.
func Brief(l *style.Look, c *session.Child) string {
	calls, state, _ := Doing(l, c)
	if l.Width < 60 {
		return state
	}
	return calls + state
}

// Heading names a child that the user looks into, with its task if it is the innermost.
func Heading(c *session.Child, task bool) string {
	name := style.Visible(style.OneLine(c.Name))
	if name == "" {
		name = "agent"
	}
	if task && c.Description != "" {
		name += ": " + style.Visible(style.OneLine(c.Description))
	}
	return name
}
