package session

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestMarkdownKeepsWhatWasSaid: words as they came, code that holds fences in longer ones, failures told.
func TestMarkdownKeepsWhatWasSaid(t *testing.T) {
	h := Head{Session: "s", Turn: "t", Gen: 1}
	tr := Fold([]Event{
		TurnStarted{Head: h, Prompt: Prompt{Text: "two\nlines"}},
		PartReplaced{Head: h, Part: "r", Kind: PartReasoning, Text: "secret thoughts"},
		PartReplaced{Head: h, Part: "p", Kind: PartText, Text: "an **answer**"},
		ToolStarted{Head: h, Call: "c", Name: "Bash"},
		ToolReady{Head: h, Call: "c", Input: json.RawMessage(`{"command":"echo ` + "`x`" + `"}`)},
		ToolEnded{Head: h, Call: "c", Outcome: ToolFailed, Result: ToolResult{Text: "```\nfenced\n```"}},
		TurnEnded{Head: h, Outcome: TurnFailed, Problem: &Problem{What: "It broke.", Next: "Try again."}},
	})
	got := Markdown(Meta{Title: " a \n title ", Agent: "builtin"}, tr)
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
