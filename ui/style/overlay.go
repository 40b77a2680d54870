package style

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Over draws a style over the cells of a row in [from, to), on top of their styles.
func (m Measure) Over(row string, from, to int, st Style) string {
	if from >= to {
		return row
	}
	var b strings.Builder
	b.Grow(len(row) + 32)
	pen, inside, x, state := "", false, 0, byte(0)
	for rest := row; rest != ""; {
		seq, width, n, next := m.Method.DecodeSequenceInString(rest, state, nil)
		if n <= 0 {
			b.WriteString(rest)
			break
		}
		rest, state = rest[n:], next
		if width > 0 && !inside && x >= from && x < to {
			b.WriteString(string(st))
			inside = true
		}
		if width > 0 && inside && x >= to {
			b.WriteString(ansi.ResetStyle + pen)
			inside = false
		}
		b.WriteString(seq)
		x += width
		if width == 0 && strings.HasPrefix(seq, "\x1b[") && strings.HasSuffix(seq, "m") {
			if pen += seq; seq == ansi.ResetStyle || seq == "\x1b[0m" {
				pen = ""
			}
			if inside {
				b.WriteString(string(st))
			}
		}
	}
	if inside {
		b.WriteString(ansi.ResetStyle + pen)
	}
	return b.String()
}
