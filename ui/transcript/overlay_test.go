package transcript

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"parley/ui/style"
)

// FuzzOver draws over rows: the text and the styles of other cells stay.
func FuzzOver(f *testing.F) {
	f.Add("plain", uint8(1), uint8(3))
	f.Add("日本語 words", uint8(1), uint8(5))
	f.Add("some bold words", uint8(2), uint8(30))
	f.Fuzz(func(t *testing.T, text string, from, to uint8) {
		m := style.Measure{Method: ansi.WcWidth}
		text = style.Visible(style.OneLine(text))
		n := len(text) / 2
		for n > 0 && n < len(text) && text[n]&0xc0 == 0x80 {
			n--
		}
		row := "a\x1b[1m" + text[:n] + "\x1b[m" + "\x1b[38;5;3m" + text[n:] + "\x1b[m"
		got := m.Over(row, int(from), int(to), "\x1b[7m")
		if style.Unstyled(got) != style.Unstyled(row) {
			t.Errorf("%q became %q", style.Unstyled(row), style.Unstyled(got))
		}
		if !strings.HasSuffix(got, ansi.ResetStyle) {
			t.Errorf("%q leaves the pen down", got)
		}
		if int(from) >= m.Width(row) && got != row {
			t.Errorf("%q became %q by something behind its end", row, got)
		}
	})
}
