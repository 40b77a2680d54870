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

// The costs of one local day are those of sessions that were written since it began, without those that are left out.
func TestSpentOn(t *testing.T) {
	dir := t.TempDir()
	s := New(Options{Dir: dir, LockDir: t.TempDir()})
	at := time.Date(2026, 3, 10, 23, 30, 0, 0, time.Local)
	for id, costs := range map[session.ID][]session.CreditsReported{
		"a": {{Head: session.Head{At: at}, NanoAIU: 1}, {Head: session.Head{At: at.Add(time.Hour)}, NanoAIU: 2}, {Head: session.Head{At: at.Add(2 * time.Hour), Child: "c"}, NanoAIU: 4}},
		"b": {{Head: session.Head{At: at.Add(time.Hour)}, NanoAIU: 8}}, "old": {{Head: session.Head{At: at.Add(time.Hour)}, NanoAIU: 16}},
	} {
		j, err := s.Create(t.Context(), session.Meta{ID: id, Agent: "builtin", Dir: "/p", Created: at})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range costs {
			c.Session = id
			if err := j.Append(c); err != nil {
				t.Fatal(err)
			}
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		written := at.Add(2 * time.Hour)
		if id == "old" { // its costs of the day cannot be: it was written before
			written = at
		}
		if err := os.Chtimes(filepath.Join(dir, string(id)+".jsonl"), written, written); err != nil {
			t.Fatal(err)
		}
	}
	none := func(session.ID) bool { return false }
	for _, tc := range []struct {
		day  time.Time
		but  func(session.ID) bool
		want int64
	}{
		{at.Add(time.Hour), none, 14}, {at.Add(time.Hour), func(id session.ID) bool { return id == "a" }, 8}, {at, none, 1}, {at.AddDate(0, 0, 2), none, 0},
	} {
		if got, err := s.SpentOn(t.Context(), tc.day, tc.but); err != nil || got != tc.want {
			t.Errorf("%v: %d %v, want %d", tc.day, got, err, tc.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.SpentOn(ctx, at, none); err == nil {
		t.Error("it goes on without a caller")
	}
	if got, err := New(Options{Dir: filepath.Join(dir, "none")}).SpentOn(t.Context(), at, none); got != 0 || err != nil {
		t.Error(got, err)
	}
}
