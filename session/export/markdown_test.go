package export

import (
	"encoding/json"
	"strings"
	"testing"

	"parley/session"
)

// TestMarkdownKeepsWhatWasSaid: words as they came, code that holds fences in longer ones, failures told.
func TestMarkdownKeepsWhatWasSaid(t *testing.T) {
	h := session.Head{Session: "s", Turn: "t", Gen: 1}
	tr := session.Fold([]session.Event{
		session.TurnStarted{Head: h, Prompt: session.Prompt{Text: "two\nlines"}},
		session.PartReplaced{Head: h, Part: "r", Kind: session.PartReasoning, Text: "secret thoughts"},
		session.PartReplaced{Head: h, Part: "p", Kind: session.PartText, Text: "an **answer**"},
		session.ToolStarted{Head: h, Call: "c", Name: "Bash"},
		session.ToolReady{Head: h, Call: "c", Input: json.RawMessage(`{"command":"echo ` + "`x`" + `"}`)},
		session.ToolEnded{Head: h, Call: "c", Outcome: session.ToolFailed, Result: session.ToolResult{Text: "```\nfenced\n```"}},
		session.TurnEnded{Head: h, Outcome: session.TurnFailed, Problem: &session.Problem{What: "It broke.", Next: "Try again."}},
	})
	got := written(t, session.Meta{Title: " a \n title ", Agent: "builtin"}, tr, nil, NewOptions("md"))
	for _, want := range []string{"# a title\n", "> two\n> lines\n", "\nan **answer**\n", "(failed)", "````\n```\nfenced\n```\n````", "``echo `x` ``", "**It broke.** Try again."} {
		want = strings.ReplaceAll(want, "``echo `x` ``", "`` echo `x` ``")
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if strings.Contains(got, "secret thoughts") {
		t.Error("reasoning was exported")
	}
}

// written returns a whole export.
func written(t *testing.T, m session.Meta, tr *session.Transcript, events []session.Event, o Options) string {
	t.Helper()
	var b strings.Builder
	for piece, err := range Pieces(m, tr, events, o) {
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(piece)
	}
	return b.String()
}
