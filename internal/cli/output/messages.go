package output

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"parley/ui/md/cells"
)

// Message prints a problem and the next steps, in as many lines as they have. A terminal gets the problem behind the mark that
// it has in the chat, and the steps dim below it; elsewhere the program's name comes first. A long text is cut.
func (o *Stream) Message(what string, next ...string) {
	c := o.Canvas()
	mark := "parley: "
	if c.Terminal {
		mark = "! "
	}
	lines := c.marked(mark, Warn, what, Plain)
	for _, text := range next {
		if text == "" {
			continue
		}
		if mark = ""; c.Terminal {
			mark = "  "
		}
		lines = append(lines, c.marked(mark, Plain, text, Faint)...)
	}
	c.Print(lines)
}

// Sentence prints a sentence in one line. A terminal gets it in as many rows as it needs.
func (o *Stream) Sentence(format string, args ...any) error {
	c, text := o.Canvas(), cells.Truncate(cells.OneLine(fmt.Sprintf(format, args...)), MaxMessage, "…", cells.WcWidth)
	if !c.Terminal {
		return o.Line("%s", text)
	}
	return c.Print(Measure.Fold(text, c.Prose()))
}

// marked returns the lines of a text behind a mark, within the canvas where that is a terminal.
func (c Canvas) marked(mark string, markStyle lipgloss.Style, text string, style lipgloss.Style) (lines []string) {
	for _, line := range bounded(text) {
		rows := []string{line}
		if c.Terminal {
			rows = Measure.Fold(line, c.Prose()-len(mark))
		}
		for _, row := range rows {
			lines = append(lines, markStyle.Render(mark)+style.Render(row))
			if c.Terminal {
				mark, markStyle = strings.Repeat(" ", len(mark)), Plain
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
	room := MaxMessage
	for i, line := range lines {
		if room <= 0 {
			return lines[:i]
		}
		lines[i] = cells.Truncate(line, room, "…", cells.WcWidth)
		room -= cells.Width(lines[i], cells.WcWidth)
	}
	return lines
}
