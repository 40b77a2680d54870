package store

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/spending"
)

// Costs come from summaries as from journals alone, also where an older version wrote the summary, and a copy does not count what the
// original paid.
func TestSpending(t *testing.T) {
	dir := t.TempDir()
	s := New(Options{Dir: dir, LockDir: t.TempDir()})
	at := time.Date(2026, 3, 10, 12, 0, 0, 0, time.Local)
	j, err := s.Create(context.Background(), session.Meta{ID: "s", Agent: "builtin", Dir: "/p", Created: at})
	if err != nil {
		t.Fatal(err)
	}
	h := session.Head{Session: "s", Turn: "t", At: at}
	old, child := h, h
	old.At, child.Child = at.Add(-time.Hour), "c"
	for _, e := range []session.Event{session.CreditsReported{Head: old, NanoAIU: 100}, session.UsageReported{Head: h, Model: "m"},
		session.CreditsReported{Head: h, NanoAIU: 1}, session.CreditsReported{Head: child, NanoAIU: 2}} {
		if err := j.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	want := []spending.Session{{Agent: "builtin", Dir: "/p", Days: []spending.Day{{Day: "2026-03-10", Model: "m", NanoAIU: 3, Children: 2}}}}
	path := filepath.Join(dir, "s.summary.json")
	for _, tc := range []struct {
		name   string
		before func() error
	}{
		{"the summary of the writer", func() error { return nil }},
		{"no summary", func() error { return os.Remove(path) }},
		{"an older summary", func() error {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return os.WriteFile(path, []byte(strings.ReplaceAll(string(b), `"costs":`, `"unknown":`)), 0o600)
		}},
		{"the one after it", func() error { return nil }},
	} {
		if err := tc.before(); err != nil {
			t.Fatal(tc.name, err)
		}
		if got, err := s.Spending(context.Background()); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v %v", tc.name, got, err)
		}
	}
	if sum, ok := loadSummary(path); !ok || !sum.Costs.Counted {
		t.Error("what was read is not kept")
	}
}
