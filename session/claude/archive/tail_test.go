package archive

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/history"
	"parley/session/sessiontest"
)

// longTalk are the lines of a conversation of so many turns.
func longTalk(turns int) []string {
	var lines []string
	for n := range turns {
		lines = append(lines, fromUser(fmt.Sprintf("prompt %d", n)), fromModel(fmt.Sprintf("m%d", n), textBlock(strings.Repeat("words\n", 400))))
	}
	return lines
}

// TestTail reads only the given bytes of a session, and fails where the end is not certain.
func TestTail(t *testing.T) {
	a := stored(t, longTalk(600)...)
	path, err := a.path(t.Context(), storedID)
	if err != nil {
		t.Fatal(err)
	}
	all := refold(t, a)
	tail, err := a.Tail(t.Context(), storedID, 256<<10)
	if err != nil {
		t.Fatal(err)
	}
	turns, d := sessiontest.SameEnd(session.Fold(history.LastTurns(&tail, nil)), all)
	if d != "" || turns < 20 || turns > 200 || tail.Whole || tail.Size < 1<<20 {
		t.Errorf("%d turns of %d bytes: %s", turns, tail.Size, d)
	}
	if _, err := a.Tail(t.Context(), "0a1b2c3d-0000-4000-8000-000000000009", 1000); session.KindOf(err) != session.KindNotFound {
		t.Errorf("a session that is not there: %v", err)
	}
	add := func(text string) {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	add(`{"type":"user","uuid":"half`)
	if half, err := a.Tail(t.Context(), storedID, 256<<10); err != nil || len(half.Events) == 0 {
		t.Errorf("with a line that is being written: %v", err)
	}
	add("\n")
	if _, err := a.Tail(t.Context(), storedID, 256<<10); session.KindOf(err) != session.KindCorrupt {
		t.Errorf("with a damaged line: %v", err)
	}
}

// TestTailWithoutChildren checks that Tail refuses a session with large child agents.
func TestTailWithoutChildren(t *testing.T) {
	a := stored(t, longTalk(10)...)
	path, err := a.path(t.Context(), storedID)
	if err != nil {
		t.Fatal(err)
	}
	child := filepath.Join(strings.TrimSuffix(path, ".jsonl"), "subagents", "agent-x.jsonl")
	if err := os.MkdirAll(filepath.Dir(child), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(child, []byte(strings.Repeat(" ", maxChildren+1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Tail(t.Context(), storedID, 1000); session.KindOf(err) != session.KindUnsupported {
		t.Errorf("%v", err)
	}
}
