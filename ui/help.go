package ui

import (
	"strings"

	"parley/ui/keymap"
	"parley/ui/style"
)

// helpBeside is how much room what keys do needs beside them; where there is less, it stands below them.
const helpBeside = 32

// helpRows is the help screen, made from the key table and the command table.
func helpRows(l *style.Look, km *keymap.Map, width int) []string {
	th, ms := l.Theme, l.Measure
	wide := 0
	for _, b := range km.Rows {
		wide = max(wide, ms.Width(strings.Join(b.Keys, " ")))
	}
	for _, c := range keymap.Commands {
		wide = max(wide, ms.Width(c.Usage()))
	}
	var rows []string
	heading := ""
	line := func(group, left, right string) {
		if group != heading {
			if heading != "" {
				rows = append(rows, "")
			}
			heading = group
			rows = append(rows, "  "+th.Bold.Of(group))
		}
		if width < wide+helpBeside {
			for _, s := range ms.Wrap(left, width-4) {
				rows = append(rows, "  "+th.Accent.Of(ms.Clip(s, width-4)))
			}
			for _, s := range ms.Wrap(right, max(1, width-8)) {
				rows = append(rows, "    "+ms.Clip(s, width-6))
			}
			return
		}
		for i, s := range ms.Wrap(right, max(20, width-wide-8)) {
			if i > 0 {
				left = ""
			}
			rows = append(rows, "  "+ms.Clip("  "+th.Accent.Of(ms.Pad(left, wide))+"  "+s, width-4))
		}
	}
	for _, b := range km.Rows {
		if len(b.Keys) > 0 {
			line(b.Group, strings.Join(b.Keys, " "), b.Help)
		}
	}
	for _, w := range keymap.Written {
		line("at the start of a word", w.Text, w.Help)
	}
	if km.Vim {
		for _, k := range keymap.VimRows {
			line("in vim's normal mode", k.Text, k.Help)
		}
	}
	for _, c := range keymap.Commands {
		line("commands", c.Usage(), c.Help)
	}
	return rows
}

// helpView is the help on the whole screen, from a row on.
func helpView(l *style.Look, km *keymap.Map, width, height, top int) []string {
	rows := []string{"  " + l.Theme.Bold.Of("parley"), ""}
	rows[0] = "  " + l.Measure.Spread(l.Theme.Bold.Of("Keys and commands"), l.Theme.Dim.Of("esc closes · ↑ ↓ scroll"), width-4)
	body := helpRows(l, km, width)
	top = max(0, min(top, len(body)-(height-2)))
	body = body[top:]
	return append(rows, body[:min(len(body), height-2)]...)
}
