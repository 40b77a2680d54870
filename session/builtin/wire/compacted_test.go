package wire_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parley/session"
	. "parley/session/builtin/wire"
	"parley/session/builtin/wire/wiretest"
)

// answered returns the events of a turn with n answers, each of which calls a tool, and further events before its end.
func answered(turn string, n int, more ...session.Event) []session.Event {
	h := session.Head{Session: "s", Turn: session.TurnID(turn), Gen: 1}
	out := []session.Event{session.TurnStarted{Head: h, Prompt: session.Prompt{Text: "prompt " + turn}}}
	for i := 1; i <= n; i++ {
		id := fmt.Sprintf("%s.%d", turn, i)
		out = append(out, session.PartReplaced{Head: h, Part: session.PartID(id), Kind: session.PartText, Text: "answer " + id, Opaque: Opaque{N: i, Model: "m"}.Encode()},
			session.ToolStarted{Head: h, Call: session.CallID("c" + id), Name: "Read"},
			session.ToolReady{Head: h, Call: session.CallID("c" + id), Input: json.RawMessage("{}")},
			session.ToolEnded{Head: h, Call: session.CallID("c" + id), Outcome: session.ToolOK, Result: session.ToolResult{Text: "result " + id}})
	}
	for _, e := range more {
		if c, ok := e.(session.Compacted); ok {
			c.Head = h
			e = c
		}
		out = append(out, e)
	}
	return append(out, session.TurnEnded{Head: h, Outcome: session.TurnCompleted})
}

func folded(lists ...[]session.Event) *session.Transcript {
	var t session.Transcript
	for _, list := range lists {
		for _, e := range list {
			t.Apply(e)
		}
	}
	return &t
}

// words lists what is sent: texts, calls and results.
func words(t *testing.T, tr *session.Transcript) []string {
	t.Helper()
	messages := Join(Resolve(Pieces(tr.Turns, false)), "m")
	if err := wiretest.ShapeError(messages); err != "" {
		t.Fatalf("%s in %+v", err, messages)
	}
	var out []string
	for _, m := range messages {
		for _, c := range m.Content {
			text := c.Text + c.ID + c.Content
			if strings.Contains(text, "SUM") {
				text = "summary " + text[strings.Index(text, "SUM"):][:4]
			}
			if !strings.Contains(text, "Go on where") {
				out = append(out, text)
			}
		}
	}
	return out
}

func TestResolve(t *testing.T) {
	for name, c := range map[string]struct {
		events [][]session.Event
		want   []string
	}{
		"a whole turn stays": {[][]session.Event{answered("a", 1), answered("b", 1, session.Compacted{Summary: "SUM1", Keep: session.Cut{Turn: "b"}}), answered("c", 0)},
			[]string{"summary SUM1", "prompt b", "answer b.1", "cb.1", "result b.1", "prompt c"}},
		"the prompt of a cut turn stays": {[][]session.Event{answered("a", 1), answered("b", 3, session.Compacted{Summary: "SUM1", Keep: session.Cut{Turn: "b", Answer: 3}})},
			[]string{"summary SUM1", "prompt b", "answer b.3", "cb.3", "result b.3"}},
		"nothing but the prompt stays": {[][]session.Event{answered("a", 2, session.Compacted{Summary: "SUM1", Keep: session.Cut{Turn: "a", Answer: 3}})},
			[]string{"summary SUM1", "prompt a"}},
		"a later turn": {[][]session.Event{answered("a", 2), answered("b", 0, session.Compacted{Summary: "SUM1", Keep: session.Cut{Turn: "a", Answer: 2}}), answered("c", 0)},
			[]string{"summary SUM1", "prompt a", "answer a.2", "ca.2", "result a.2", "prompt b", "prompt c"}},
		"the newest counts": {[][]session.Event{answered("a", 1), answered("b", 1, session.Compacted{Summary: "SUM1", Keep: session.Cut{Turn: "b"}}),
			answered("c", 1, session.Compacted{Summary: "SUM2", Keep: session.Cut{Turn: "c"}})},
			[]string{"summary SUM2", "prompt c", "answer c.1", "cc.1", "result c.1"}},
		"undone": {[][]session.Event{answered("a", 1), answered("b", 1, session.Compacted{Summary: "SUM1", Keep: session.Cut{Turn: "b"}}),
			answered("c", 1, session.Compacted{Summary: "SUM2", Keep: session.Cut{Turn: "c"}}), answered("d", 0, session.Compacted{Undone: true})},
			[]string{"summary SUM1", "prompt b", "answer b.1", "cb.1", "result b.1", "prompt c", "answer c.1", "cc.1", "result c.1", "prompt d"}},
		"undone more than there is": {[][]session.Event{answered("a", 0, session.Compacted{Undone: true}, session.Compacted{Undone: true})}, []string{"prompt a"}},
		"results left out": {[][]session.Event{answered("a", 2), answered("b", 0, session.Compacted{Dropped: []session.CallID{"ca.1"}})},
			[]string{"prompt a", "answer a.1", "ca.1", DroppedNote, "answer a.2", "ca.2", "result a.2", "prompt b"}},
		"results left out, then a summary": {[][]session.Event{answered("a", 2, session.Compacted{Dropped: []session.CallID{"ca.2"}}),
			answered("b", 0, session.Compacted{Summary: "SUM1", Keep: session.Cut{Turn: "a", Answer: 2}})},
			[]string{"summary SUM1", "prompt a", "answer a.2", "ca.2", DroppedNote, "prompt b"}},
		"a turn that is gone": {[][]session.Event{answered("a", 1, session.Compacted{Summary: "SUM1", Keep: session.Cut{Turn: "x"}}), answered("b", 0)},
			[]string{"summary SUM1", "prompt b"}},
	} {
		t.Run(name, func(t *testing.T) {
			tr := folded(c.events...)
			if diff := cmp.Diff(c.want, words(t, tr)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.want, words(t, tr)); diff != "" {
				t.Errorf("not pure: %s", diff)
			}
		})
	}
}

// A turn that only printed is not sent, but a compaction in it counts; so does one in a turn that failed.
func TestPrintedTurnsAreNotSent(t *testing.T) {
	h := session.Head{Session: "s", Turn: "p", Gen: 1}
	printed := []session.Event{session.TurnStarted{Head: h, Prompt: session.Prompt{Text: "/compact"}},
		session.Compacted{Head: h, Summary: "SUM1", Keep: session.Cut{Turn: "b"}},
		session.PartReplaced{Head: h, Part: "1", Kind: session.PartText, Text: "printed", Opaque: Opaque{Type: PrintedType}.Encode()},
		session.TurnEnded{Head: h, Outcome: session.TurnCompleted}}
	h.Turn = "f"
	failed := []session.Event{session.TurnStarted{Head: h, Prompt: session.Prompt{Text: "fails"}},
		session.Compacted{Head: h, Summary: "SUM2", Keep: session.Cut{Turn: "f"}}, session.TurnEnded{Head: h, Outcome: session.TurnFailed}}
	got := words(t, folded(answered("a", 1), answered("b", 0), printed))
	if diff := cmp.Diff([]string{"summary SUM1", "prompt b"}, got); diff != "" {
		t.Error(diff)
	}
	got = words(t, folded(answered("a", 1), failed, answered("b", 0)))
	if diff := cmp.Diff([]string{"summary SUM2", "prompt b"}, got); diff != "" {
		t.Error(diff)
	}
}

// Marks stand where the next request, and the next one to the same model, finds them.
func TestMarks(t *testing.T) {
	message := func(role, model string, n int) Message {
		m := Message{Role: role, Model: model}
		for i := range n {
			m.Content = append(m.Content, Content{Type: "text", Text: fmt.Sprint(i)})
		}
		return m
	}
	list := []Message{message("user", "", 2), message("assistant", "a", 1), message("user", "", 1)}
	for range 4 {
		list = append(list, message("assistant", "b", 1), message("user", "", 3))
	}
	for model, want := range map[string]string{"a": "0 8 10", "b": "tools 8 10", "c": "tools 8 10"} {
		r := NewRequest(session.Model{ID: model}, "", "system", []Tool{{Name: "t"}}, list)
		var got []string
		if r.Tools[0].CacheControl != nil {
			got = append(got, "tools")
		}
		for i, m := range r.Messages {
			if m.Content[len(m.Content)-1].CacheControl != nil {
				got = append(got, fmt.Sprint(i))
			}
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s: %s", model, diff)
		}
	}
}
