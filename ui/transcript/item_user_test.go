package transcript

import (
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/ui/style"
	"parley/ui/transcript/prompt"
)

func TestLongPromptFolds(t *testing.T) {
	l := &style.Look{Theme: style.NewTheme(true, true, nil), Width: 82, Height: 24, Now: time.Now}
	for _, tt := range []struct {
		text, last string
		rows       int
	}{
		{strings.Repeat("line\n", 12), "line", 13}, // the last line end opens a row of its own
		{strings.Repeat("line\n", 40), "… 28 more lines", 13},
		{strings.Repeat("word ", 20000), "… 1 more line", 13},
		{strings.Repeat("字", 20000) + "\nmore", "… 2 more lines", 13},
	} {
		it := &userItem{prompt: prompt.Prompt{Prompt: &session.Prompt{Text: tt.text}}}
		rows := it.layout(l)
		if len(rows) != tt.rows || tt.rows == 13 && it.foldable() && strings.TrimSpace(style.Unstyled(rows[12])) != tt.last {
			t.Errorf("%.20q...: %d rows, the last %q", tt.text, len(rows), rows[len(rows)-1])
		}
		if it.foldable() {
			it.open, it.turned = true, true
			if open := it.layout(l); len(open) <= len(rows) {
				t.Errorf("%.20q... opened has %d rows", tt.text, len(open))
			}
		}
	}
}
