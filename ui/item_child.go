package ui

import (
	"encoding/json"
	"strings"

	"parley/session"
	"parley/session/toolview"
)

// childItem is a child agent: one row, and below it, when opened, what the child did.
type childItem struct {
	itemState
	child *session.Child
}

func (it *childItem) foldable() bool { return len(it.child.Entries) > 0 }

func (it *childItem) layout(l *look) []string {
	c := it.child
	name := c.Name
	if name == "" {
		name = "agent"
	}
	left := visible(oneLine(name))
	if c.Description != "" {
		left += "  " + visible(oneLine(c.Description))
	}
	parts, asks := it.doing(l)
	right := strings.Join(parts, ", ")
	if it.marked {
		if it.foldable() {
			right += "  " + l.fold()
		}
		right += "  ctrl+x opens"
	}
	bullet := l.theme.dim
	if !c.Ended || asks {
		bullet = l.theme.accent
	}
	rows := []string{bullet.of("•") + " " + l.measure.spread(left, l.theme.dim.of(right), l.inner())}
	if it.isOpen(false) {
		rows = append(rows, childRows(l, c)...)
	}
	return rows
}

// counts reports whether the row counts seconds: background agents outlive the turn and with it the clock.
func (it *childItem) counts() bool { return !it.child.Ended && !it.child.Background }

// doing says how far the child is, and whether it waits for the user.
func (it *childItem) doing(l *look) (parts []string, asks bool) {
	c := it.child
	tools := 0
	for _, e := range c.Entries {
		switch e := e.(type) {
		case *session.Tool:
			tools++
		case *session.Ask:
			asks = asks || !e.Settled
		}
	}
	if tools > 0 {
		parts = append(parts, count(tools, "tool call", "tool calls"))
	}
	switch {
	case asks:
		parts = append(parts, "asks")
	case !c.Ended && c.Background:
		parts = append(parts, "in the background")
	case !c.Ended:
		parts = append(parts, "works")
		if took := l.now().Sub(c.Started); !c.Started.IsZero() && took >= showSeconds {
			parts = append(parts, seconds(took))
		}
	case c.Outcome == session.TurnCancelled:
		parts = append(parts, "stopped")
	case c.Outcome == session.TurnFailed:
		parts = append(parts, "failed")
	default:
		parts = append(parts, "done")
	}
	return parts, asks
}

// childRows says what a child did, a row for each thing and its words in full.
func childRows(l *look, c *session.Child) []string {
	var rows []string
	add := func(s style, text string) {
		for _, r := range l.measure.wrap(text, l.inner()-2) {
			rows = append(rows, s.of(r))
		}
	}
	for _, e := range c.Entries {
		switch e := e.(type) {
		case *session.Part:
			if e.Kind == session.PartText && !e.Retracted {
				add("", strings.Trim(visible(e.Text()), "\n"))
			}
		case *session.Tool:
			in := e.Input
			if !e.Ready {
				in = json.RawMessage(e.Partial())
			}
			d := toolview.Describe(e.Name, in, l.dir)
			verb := d.Past
			switch {
			case !e.Ended && !e.Ready:
				verb = d.Want
			case !e.Ended:
				verb = d.Present
			}
			add(l.theme.dim, "• "+visible(oneLine(verb+" "+d.Subject)))
		case *session.Child:
			add(l.theme.dim, "• "+visible(oneLine(e.Name+"  "+e.Description)))
			for _, r := range childRows(l, e) {
				rows = append(rows, strings.TrimPrefix(r, "  "))
			}
		}
	}
	return indent(rows)
}
