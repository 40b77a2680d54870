package ui

import "strings"

// helpBeside is how much room what keys do needs beside them; where there is less, it stands below them.
const helpBeside = 32

// helpRows is the help screen, made from the key table and the command table.
func helpRows(l *look, width int) []string {
	th, ms := l.theme, l.measure
	wide := 0
	for _, b := range l.keys.rows {
		wide = max(wide, ms.width(strings.Join(b.keys, " ")))
	}
	for _, c := range commands {
		wide = max(wide, ms.width(c.usage()))
	}
	var rows []string
	heading := ""
	line := func(group, left, right string) {
		if group != heading {
			if heading != "" {
				rows = append(rows, "")
			}
			heading = group
			rows = append(rows, "  "+th.bold.of(group))
		}
		if width < wide+helpBeside {
			for _, s := range ms.wrap(left, width-4) {
				rows = append(rows, "  "+th.accent.of(ms.clip(s, width-4)))
			}
			for _, s := range ms.wrap(right, max(1, width-8)) {
				rows = append(rows, "    "+ms.clip(s, width-6))
			}
			return
		}
		for i, s := range ms.wrap(right, max(20, width-wide-8)) {
			if i > 0 {
				left = ""
			}
			rows = append(rows, "  "+ms.clip("  "+th.accent.of(ms.pad(left, wide))+"  "+s, width-4))
		}
	}
	for _, b := range l.keys.rows {
		if len(b.keys) > 0 {
			line(b.group, strings.Join(b.keys, " "), b.help)
		}
	}
	for _, w := range written {
		line("at the beginning of a word", w.text, w.help)
	}
	if l.keys.vim {
		for _, k := range vimRows {
			line("in vim's normal mode", k.text, k.help)
		}
	}
	for _, c := range commands {
		line("commands", c.usage(), c.help)
	}
	return rows
}

// helpView is the help on the whole screen, from a row on.
func helpView(l *look, width, height, top int) []string {
	rows := []string{"  " + l.theme.bold.of("parley"), ""}
	rows[0] = "  " + l.measure.spread(l.theme.bold.of("Keys and commands"), l.theme.dim.of("esc closes · ↑ ↓ scroll"), width-4)
	body := helpRows(l, width)
	top = max(0, min(top, len(body)-(height-2)))
	body = body[top:]
	return append(rows, body[:min(len(body), height-2)]...)
}
