package store

import (
	"strings"
	"testing"

	"parley/session"
)

// TestTexts reads prompts and answers from a journal, with the input and the result of tool calls, and neither reasoning nor what child agents wrote.
func TestTexts(t *testing.T) {
	dir := t.TempDir()
	s := New(Options{Dir: dir, LockDir: t.TempDir()})
	j, err := s.Create(t.Context(), session.Meta{ID: "a", Agent: "builtin"})
	if err != nil {
		t.Fatal(err)
	}
	h := session.Head{Session: "a", Turn: "t"}
	child := h
	child.Child = "c"
	for _, e := range []session.Event{
		session.TurnStarted{Head: h, Prompt: session.Prompt{Text: "the \"prompt\"\n"}, Origin: session.OriginUser},
		session.PartStarted{Head: h, Part: "r", Kind: session.PartReasoning}, session.PartDelta{Head: h, Part: "r", Text: "thought"}, session.PartEnded{Head: h, Part: "r"},
		session.PartStarted{Head: h, Part: "p", Kind: session.PartText}, session.PartDelta{Head: h, Part: "p", Text: "one "}, session.PartEnded{Head: h, Part: "p"},
		session.PartDelta{Head: h, Part: "p", Text: "ta\tb <ä>"}, session.PartDelta{Head: child, Part: "q", Text: "child"},
		session.ToolReady{Head: h, Call: "x", Input: []byte(`{"command":"ls -l"}`)}, session.ToolOutput{Head: h, Call: "x", Text: "output"},
		session.ToolEnded{Head: h, Call: "x", Outcome: session.ToolOK, Result: session.ToolResult{Text: "output"}}, session.ToolReady{Head: child, Call: "y", Input: []byte(`{"command":"no"}`)}, session.PartReplaced{Head: h, Part: "z", Kind: session.PartText, Text: "replaced"},
		session.PartReplaced{Head: h, Part: "y", Kind: session.PartReasoning, Text: "thought"},
		session.TurnStarted{Head: h, Prompt: session.Prompt{Text: "its own"}, Origin: session.OriginAutonomous},
		session.Steered{Head: h, Said: &session.Prompt{Text: "by the way"}},
	} {
		if err := j.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	for likely, want := range map[bool]string{true: "> the \"prompt\"\n|one |+ta\tb <ä>|ls -l|output|replaced|> by the way", false: "one |+ta\tb <ä>"} {
		var all []string
		read, err := s.Texts(t.Context(), "a", session.TextQuery{Likely: func([]byte) bool { return likely }}, func(x session.Text) bool {
			text := string(x.Bytes)
			if x.Prompt {
				text = "> " + text
			}
			if x.GoesOn {
				text = "+" + text
			}
			all = append(all, text)
			return true
		})
		if got := strings.Join(all, "|"); got != want || err != nil || read.Bytes == 0 {
			t.Errorf("%q, want %q; %v", got, want, err)
		}
	}
	if _, err := s.Texts(t.Context(), "none", session.TextQuery{}, nil); session.KindOf(err) != session.KindNotFound {
		t.Errorf("%v", err)
	}
	if _, err := s.Texts(t.Context(), "../a", session.TextQuery{}, nil); session.KindOf(err) != session.KindInvalid {
		t.Errorf("%v", err)
	}
}
