package claude

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"parley/session"
	"parley/session/claude/driver"
	"parley/session/claude/mapper"
)

var listed = []session.Model{
	{ID: "claude-long-4.6", ContextWindow: 1_000_000}, {ID: "claude-usual-4.5", ContextWindow: 200_000},
	{ID: "claude-short-4.5", ContextWindow: 144_000}, {ID: "claude-middle-4", ContextWindow: 400_000},
}

// A model whose window the list gives as long is asked for with the mark without which the runtime uses a fifth of it.
func TestLongWindowIsAskedFor(t *testing.T) {
	for id, want := range map[string]struct {
		spelled string
		window  int64
	}{
		"claude-long-4.6":     {"claude-long-4-6[1m]", 1_000_000},
		"claude-long-4-6":     {"claude-long-4-6[1m]", 1_000_000},
		"claude-long-4-6[1m]": {"claude-long-4-6[1m]", 1_000_000},
		"claude-usual-4.5":    {"claude-usual-4-5", 200_000},
		"claude-short-4.5":    {"claude-short-4-5", 144_000},
		"claude-middle-4":     {"claude-middle-4", 200_000},
		"claude-unknown-4.6":  {"claude-unknown-4-6", 0},
		"":                    {"", 0},
	} {
		if got := spelledFor(listed, id); got != want.spelled {
			t.Errorf("%q is asked for as %q, want %q", id, got, want.spelled)
		}
		if got := windowOf(listed, id); got != want.window {
			t.Errorf("%q has a window of %d, want %d", id, got, want.window)
		}
		if !session.SameModel(id, spelledFor(listed, id)) {
			t.Errorf("%q is not known again", id)
		}
	}
}

func withListed(o *Options, open *session.OpenOptions) {
	o.Models = func(context.Context) ([]session.Model, error) { return listed, nil }
	o.Runtime = func(context.Context) (Program, error) {
		return Program{Argv: []string{"claude"}, Version: "2.1.197"}, nil
	}
	open.Settings.Model = "claude-long-4.6"
}

// asks is a request for a model, with how much of the window it takes.
func (f *fake) asks(model string, tokens int) {
	f.line(`{"type":"stream_event","parent_tool_use_id":null,"event":{"type":"message_start","message":{"id":"m","model":%q,"usage":{"input_tokens":%d}}}}`, model, tokens)
}

// The gauge has the size of the model that is used, from the first request on and right after a change.
func TestGaugeFollowsTheModel(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		window := func() session.ContextState { return session.Fold(ch.list()).Context }
		use := func(model string) {
			t.Helper()
			if err := ch.c.Configure(t.Context(), session.Settings{Model: model}); err != nil {
				t.Fatal(err)
			}
		}
		rt := ch.rt()
		if rt.o.Launch.Model != "claude-long-4-6[1m]" {
			t.Errorf("started with %q", rt.o.Launch.Model)
		}
		done := ch.begin(context.Background(), turnID(1), "x")
		rt.taken(string(turnID(1)))
		rt.asks("claude-long-4-6", 50_000)
		synctest.Wait()
		if got := window(); got != (session.ContextState{Used: 50_000, Window: 1_000_000}) {
			t.Errorf("at the first request %+v", got)
		}
		use("claude-short-4.5")
		rt.asks("claude-long-4-6", 60_000)
		synctest.Wait()
		if got := window(); got.Window != 1_000_000 {
			t.Errorf("within the turn %+v", got)
		}
		if got := eventsOf[session.Notice](ch); len(got) != 1 || !strings.Contains(got[0].Text, "claude-short-4.5 is used from the next prompt on") {
			t.Errorf("said %+v", got)
		}
		rt.line(`{"type":"result","subtype":"success","terminal_reason":"completed","modelUsage":{"claude-long-4-6[1m]":{"contextWindow":1000000}}}`)
		ch.finished(done)
		if got := window(); got != (session.ContextState{Used: 60_000, Window: 144_000}) {
			t.Errorf("after the turn %+v", got)
		}
		use("claude-long-4.6")
		if got := window(); got.Window != 1_000_000 {
			t.Errorf("changed between turns %+v", got)
		}
		if got := rt.called(); !slices.Contains(got, "model claude-short-4-5") || !slices.Contains(got, "model claude-long-4-6[1m]") {
			t.Errorf("told %q", got)
		}
		if got := eventsOf[session.ModelChanged](ch); len(got) != 0 {
			t.Errorf("told what is known: %+v", got)
		}
		if got := eventsOf[session.Notice](ch); len(got) != 1 {
			t.Errorf("between turns it is said too: %+v", got)
		}
		rt.die(driver.Exit{})
	}, withListed)
}

// The window is at most what the service accepts.
func TestWindowIsNoLongerThanListed(t *testing.T) {
	m := mapper.New("s", 1)
	m.Begin("t", session.Prompt{Text: "p"}, session.OriginUser, epoch)
	m.SetModelNames(func(id string) string { return session.SpelledModel(listed, id) })
	m.SetWindows(func(id string) int64 { return windowOf(listed, id) })
	m.Map([]byte(`{"type":"system","subtype":"init","model":"claude-short-4-5"}`), epoch)
	m.Map([]byte(`{"type":"stream_event","parent_tool_use_id":null,"event":{"type":"message_start","message":{"id":"m","model":"claude-short-4-5","usage":{"input_tokens":9}}}}`), epoch)
	events := m.Map([]byte(`{"type":"result","subtype":"success","terminal_reason":"completed","modelUsage":{"claude-short-4-5":{"contextWindow":200000}}}`), epoch)
	for _, e := range events {
		if e, ok := e.(session.ContextReported); ok && e.Window != 144_000 {
			t.Errorf("%+v", e)
		}
	}
}

// The recordings say which versions go on with the old model within a turn.
func TestRecordedSwitches(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("testdata", "*", "settingsturn.jsonl"))
	if err != nil || len(names) < 2 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var version string
		var models []string
		for l := range bytes.Lines(data) {
			var said struct {
				Type    string
				Version string `json:"claude_code_version"`
				Message struct{ Model string }
			}
			if json.Unmarshal(l, &said) != nil {
				continue
			}
			if said.Version != "" {
				version = said.Version
			}
			if said.Type == "assistant" {
				models = append(models, said.Message.Model)
			}
		}
		late := len(models) > 2 && models[0] == models[1] && models[2] != models[0]
		if len(models) < 3 || switchesLate(version) != late {
			t.Errorf("%s asks for %q", version, models)
		}
	}
	for version, want := range map[string]bool{"2.1.112": true, "2.1.197": true, "2.1.198": false, "2.2.0": false, "3.0.0": false, "": false, "dev": false} {
		if switchesLate(version) != want {
			t.Errorf("%q: %v", version, !want)
		}
	}
}
