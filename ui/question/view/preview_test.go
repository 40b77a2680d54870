package view

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"parley/session"
	"parley/ui/question"
	"parley/ui/style"
)

// TestPreviewsKeepTheirLines shows a mock-up beside the options, below them, and in full: each line is there, with its blanks.
func TestPreviewsKeepTheirLines(t *testing.T) {
	lines := []string{"  +------+------+", "| a    | b    |", "+------+------+", "", "    indented", "# no heading", "- no list"}
	options := []session.QuestionOption{{Label: "one", Preview: "\n" + strings.Join(lines, "\n") + "\n\n"}, {Label: "two", Preview: "x"}}
	for _, width := range []int{120, 80, 40} {
		l := &style.Look{Theme: style.NewTheme(true, false, nil), Measure: style.Measure{Method: ansi.WcWidth}, Now: time.Now, Width: width, Height: 40}
		f := &form{Form: question.New(&session.Ask{Asked: session.Asked{Ask: "1", Kind: session.AskQuestion,
			Question: &session.QuestionAsk{Questions: []session.Question{{Text: "Which?", Options: options}}}}}, question.Options{}).Form}
		var got []string
		for _, row := range f.previewRows(l, 0, width-6) {
			got = append(got, strings.TrimRight(ansi.Strip(row), " "))
		}
		text := strings.Join(got, "\n")
		for _, line := range lines {
			if !strings.Contains(text, line) {
				t.Errorf("%d columns: %q is missing:\n%s", width, line, text)
			}
		}
		if len(got) < len(lines) {
			t.Errorf("%d columns: %d rows of %d lines", width, len(got), len(lines))
		}
	}
}
