package transcript_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"parley/session"
	"parley/session/claude/archive"
	"parley/session/claude/mapper"
	"parley/session/toolview"
)

func recordings(t testing.TB) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", "*", "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	return names
}

// unpack writes a recording's transcripts below a configuration directory and returns it, with what the runtime printed
// and the id of the session.
func unpack(t testing.TB, rec *txtar.Archive) (configDir string, live []byte, id session.ID) {
	t.Helper()
	configDir = t.TempDir()
	for _, f := range rec.Files {
		if f.Name == "live.jsonl" {
			live = f.Data
			continue
		}
		path := filepath.Join(configDir, "projects", filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
		if strings.Count(f.Name, "/") == 1 {
			id = session.ID(strings.TrimSuffix(filepath.Base(path), ".jsonl"))
		}
	}
	return configDir, live, id
}

// mapLive maps what a runtime printed.
func mapLive(t testing.TB, data []byte) []session.Event {
	t.Helper()
	m := mapper.New("", 1)
	var out []session.Event
	sc := bufio.NewScanner(bytes.NewReader(data))
	sc.Buffer(nil, 64<<20)
	for n := 0; sc.Scan(); n++ {
		at := epoch.Add(time.Duration(n) * 10 * time.Millisecond)
		var h note
		if json.Unmarshal(sc.Bytes(), &h) != nil || h.Host == "" {
			out = append(out, m.Map(sc.Bytes(), at)...)
			continue
		}
		switch h.Host {
		case "begin":
			out = append(out, m.Begin(h.Turn, session.Prompt{ID: session.PromptID(h.Turn), Text: h.Prompt}, session.OriginUser, at)...)
		case "answered":
			a := session.Answer{Decision: session.Deny}
			if h.Allow {
				a.Decision = session.Allow
			}
			out = append(out, m.Answered(h.Ask, a, session.SettledAnswered, at)...)
		case "exit":
			out = append(out, m.Exit(true, "", at)...)
		}
	}
	return out
}

// TestParity compares what was said live with what is replayed from the transcript of the same conversation.
func TestParity(t *testing.T) {
	for _, name := range recordings(t) {
		t.Run(filepath.ToSlash(name), func(t *testing.T) {
			rec, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, rec)
		})
	}
}

func compare(t *testing.T, rec *txtar.Archive) {
	t.Helper()
	dir, data, id := unpack(t, rec)
	events, err := archive.New(dir).Replay(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	live, replayed := session.Fold(mapLive(t, data)), session.Fold(events)
	if diff := cmp.Diff(view(live), view(replayed)); diff != "" {
		t.Errorf("what was replayed (+) differs from what was live (-):\n%s", diff)
	}
	for _, turn := range replayed.Turns {
		if turn.ID != "" && turn.Running() {
			t.Errorf("turn %s still runs", turn.ID)
		}
	}
}

// view is all of a transcript that live and replay have in common. Not on disk are asks, whether a call failed or was
// denied, and what an interrupted request cost; the cost in a held-back result is incomplete; only on disk is what child
// agents said. Commands that concern the terminal alone are no turns on disk.
func view(t *session.Transcript) []string {
	var out []string
	for _, turn := range t.Turns {
		entries := viewEntries(turn.Entries, "  ")
		if strings.HasPrefix(turn.Prompt.Text, "/") {
			entries = slices.DeleteFunc(entries, func(s string) bool { return !strings.HasPrefix(s, "  compacted") })
		} else if turn.ID != "" {
			id, problem, usage := string(turn.ID), "", turn.Usage
			if turn.Origin == session.OriginAutonomous {
				id = "autonomous"
			}
			if turn.Problem != nil {
				problem = fmt.Sprintf(" %s: %s", turn.Problem.Kind, turn.Problem.What)
			}
			if turn.Outcome == session.TurnCancelled || slices.ContainsFunc(entries, isBackground) {
				usage = session.Usage{}
			}
			out = append(out, fmt.Sprintf("turn %s %q %s %s%s usage=%v", id, turn.Prompt.Text, turn.Origin, turn.Outcome, problem, usage))
		}
		out = append(out, entries...)
	}
	return out
}

func isBackground(s string) bool { return strings.HasSuffix(s, "background=true") }

func viewEntries(entries []session.Entry, indent string) []string {
	children := map[session.CallID][]string{}
	for _, e := range entries {
		if c, ok := e.(*session.Child); ok {
			head := fmt.Sprintf("%schild of %s %s %q %s background=%v", indent, c.Call, c.Name, c.Description, c.Outcome, c.Background)
			children[c.Call] = []string{head}
			if !c.Background { // not every version reports them live
				children[c.Call] = append(children[c.Call], viewEntries(c.Entries, indent+"  ")...)
			}
		}
	}
	var out []string
	for _, e := range entries {
		switch e := e.(type) {
		case *session.Part:
			if !e.Retracted && e.Text() != "" && e.Child == "" {
				out = append(out, fmt.Sprintf("%s%s %q", indent, e.Kind, e.Text()))
			}
		case *session.Tool:
			outcome := e.Outcome
			if outcome == session.ToolDenied {
				outcome = session.ToolFailed
			}
			out = append(out, fmt.Sprintf("%stool %s %s child=%q %+v %s %s %q %d edits", indent, e.Call, e.Name, e.Child,
				toolview.Describe(e.Name, e.Input, "/home/user/project"), e.Input, outcome, e.Result.Text, len(e.Edits)))
			for _, edit := range e.Edits {
				edit.Before = nil // only live lines have it
				out = append(out, fmt.Sprintf("%s  edit %+v", indent, edit))
			}
			out = append(out, children[e.Call]...)
		case *session.Mark:
			if m, ok := e.Event.(session.Compacted); ok {
				out = append(out, fmt.Sprintf("%scompacted %v %d %d", indent, m.Auto, m.Before, m.After))
			}
		}
	}
	return out
}
