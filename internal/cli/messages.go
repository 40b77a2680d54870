package cli

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"parley/ui/md/cells"
)

// message prints a problem and the next steps, in as many lines as they have. A terminal gets the problem behind the mark that
// it has in the chat, and the steps dim below it; elsewhere the program's name comes first. A long text is cut.
func (o *output) message(what string, next ...string) {
	c := o.canvas()
	mark := "parley: "
	if c.terminal {
		mark = "! "
	}
	lines := c.marked(mark, warn, what, plain)
	for _, text := range next {
		if text == "" {
			continue
		}
		if mark = ""; c.terminal {
			mark = "  "
		}
		lines = append(lines, c.marked(mark, plain, text, faint)...)
	}
	c.print(lines)
}

// sentence prints a sentence in one line. A terminal gets it in as many rows as it needs.
func (o *output) sentence(format string, args ...any) error {
	c, text := o.canvas(), cells.Truncate(cells.OneLine(fmt.Sprintf(format, args...)), maxMessage, "…", cells.WcWidth)
	if !c.terminal {
		return o.line("%s", text)
	}
	return c.print(measure.Fold(text, c.prose()))
}

// marked returns the lines of a text behind a mark, within the canvas where that is a terminal.
func (c canvas) marked(mark string, markStyle lipgloss.Style, text string, style lipgloss.Style) (lines []string) {
	for _, line := range bounded(text) {
		rows := []string{line}
		if c.terminal {
			rows = measure.Fold(line, c.prose()-len(mark))
		}
		for _, row := range rows {
			lines = append(lines, markStyle.Render(mark)+style.Render(row))
			if c.terminal {
				mark, markStyle = strings.Repeat(" ", len(mark)), plain
			} else {
				mark = ""
			}
		}
	}
	return lines
}

// bounded returns the visible lines of a message: neither too many nor too long, whatever it quotes.
func bounded(text string) []string {
	lines := strings.Split(cells.Visible(strings.TrimRight(text, "\r\n")), "\n")
	if len(lines) > maxLines {
		lines = append(lines[:maxLines-1], fmt.Sprintf("… and %d more lines", len(lines)-maxLines+1))
	}
	room := maxMessage
	for i, line := range lines {
		if room <= 0 {
			return lines[:i]
		}
		lines[i] = cells.Truncate(line, room, "…", cells.WcWidth)
		room -= cells.Width(lines[i], cells.WcWidth)
	}
	return lines
}
