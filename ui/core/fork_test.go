package core

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/export"
)

// talk folds turns into a transcript: a prompt, an answer unless it is empty, and how the turn ended.
func talk(turns ...[2]string) *session.Transcript {
	t := &session.Transcript{Session: "s"}
	for i, turn := range turns {
		h := session.Head{Session: "s", Turn: session.TurnID(string(rune('a' + i)))}
		t.Apply(session.TurnStarted{Head: h, Prompt: session.Prompt{Text: turn[0]}})
		if turn[1] != "" {
			part := session.PartID("p" + string(h.Turn))
			t.Apply(session.PartStarted{Head: h, Part: part, Kind: session.PartText})
			t.Apply(session.PartDelta{Head: h, Part: part, Text: turn[1]})
			t.Apply(session.PartEnded{Head: h, Part: part})
		}
		t.Apply(session.TurnEnded{Head: h, Outcome: session.TurnFailed, Problem: &session.Problem{What: "It failed.", Retry: true}})
	}
	return t
}

func TestForkPoints(t *testing.T) {
	got := ForkPoints(talk([2]string{"one", "answer"}, [2]string{"", "by itself"}, [2]string{"three", ""}))
	if len(got) != 2 || got[0].Number != 3 || got[0].Answered || got[1].Number != 1 || !got[1].Answered {
		t.Errorf("the points are %+v", got)
	}
}

func TestFailedPrompt(t *testing.T) {
	if p := FailedPrompt(talk([2]string{"one", ""}, [2]string{"two", ""})); p == nil || p.Text != "two" {
		t.Errorf("the failed prompt is %+v", p)
	}
	if p := FailedPrompt(talk([2]string{"one", ""}, [2]string{"", "between turns"})); p == nil || p.Text != "one" {
		t.Errorf("an event between turns hides %+v", p)
	}
	if p := FailedPrompt(talk()); p != nil {
		t.Errorf("an empty session has %+v", p)
	}
}

func TestExportReplacesNothing(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2026, 11, 22, 9, 8, 7, 0, time.UTC)
	for name, want := range map[string]string{
		"":         filepath.Join(dir, "parley-2026-11-22-090807.md"),
		"talk.md":  filepath.Join(dir, "talk.md"),
		"~/talk":   "/home/ada/talk",
		"/tmp/x/y": "/tmp/x/y",
	} {
		if got := ExportPath(name, dir, "/home/ada", now); filepath.ToSlash(got) != filepath.ToSlash(want) {
			t.Errorf("%q goes to %s, want %s", name, got, want)
		}
	}
	path := ExportPath("talk.md", dir, "", now)
	h := session.Head{Session: "s", Turn: "t"}
	events := []session.Event{session.TurnStarted{Head: h, Prompt: session.Prompt{Text: "one"}},
		session.PartReplaced{Head: h, Part: "p", Kind: session.PartText, Text: "answer ghp_0123456789abcdefghij"}}
	write := func() error { return Export(path, session.Meta{ID: "s"}, events, export.NewOptions("md")) }
	if err := write(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), "answer ***") {
		t.Errorf("wrote %q: %v", text, err)
	}
	if err := write(); err == nil {
		t.Error("a file was replaced")
	}
}

// JSON has the events, as `parley sessions export --json` prints them.
func TestExportAsJSON(t *testing.T) {
	path := filepath.Join(t.TempDir(), "talk.JSON")
	events := []session.Event{session.TurnStarted{Head: session.Head{Session: "s", Turn: "t"}, Prompt: session.Prompt{Text: "hello"}}}
	if err := Export(path, session.Meta{ID: "s"}, events, export.NewOptions("json")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	var got struct {
		V      int
		Meta   session.Meta
		Events []json.RawMessage
	}
	if err == nil {
		err = json.Unmarshal(text, &got)
	}
	if err != nil || got.V != session.SchemaVersion || got.Meta.ID != "s" || len(got.Events) != 1 {
		t.Errorf("%v, %+v:\n%s", err, got, text)
	}
}

// What goes on later is the prompt of the turn that a limit stopped, or another one if the agent had begun; and only once.
func TestLater(t *testing.T) {
	now := time.Date(2026, 11, 28, 19, 56, 0, 0, time.UTC)
	limited := func(words string, at time.Time) *session.Transcript {
		tr := talk([2]string{"one", words})
		tr.Turns[0].Problem.RetryAt = at
		tr.Turns[0].Prompt.ID = "p1"
		return tr
	}
	at := now.Add(time.Hour)
	if p := Later(limited("", at), now); p == nil || p.Text != "one" || p.ID != "" || !p.After.Equal(at) {
		t.Errorf("%+v", p)
	}
	if p := Later(limited("half an answer", at), now); p == nil || p.Text != "Go on where you were interrupted." {
		t.Errorf("%+v", p)
	}
	for name, tr := range map[string]*session.Transcript{"no time": limited("", time.Time{}), "past": limited("", now.Add(-time.Hour)), "at once": limited("", now.Add(time.Second)),
		"nothing": {}} {
		if p := Later(tr, now); p != nil {
			t.Errorf("%s: %+v", name, p)
		}
	}
	tr := limited("", at)
	tr.Queue = session.Queue{{ID: "q", Text: "one", After: at}}
	if p := Later(tr, now); p != nil {
		t.Errorf("twice: %+v", p)
	}
	tr.Turns[0].Problem.Retry = false
	tr.Queue = nil
	if p := Later(tr, now); p != nil {
		t.Errorf("what does not help: %+v", p)
	}
}
