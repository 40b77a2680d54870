package trust_test

import (
	"context"
	"path/filepath"
	"testing"

	"parley/session"
	"parley/session/trust"
)

// TestPermits asks about a list that the store's owner makes: once for each list, and never used after a no.
func TestPermits(t *testing.T) {
	dir, now := t.TempDir(), []session.RepositoryItem(nil)
	s := trust.New(trust.Options{Dir: filepath.Join(t.TempDir(), "decisions"),
		List: func(context.Context, string) []session.RepositoryItem { return now }})
	agents := session.RepositoryItem{Kind: "instructions", Name: "AGENTS.md", Path: filepath.Join(dir, "AGENTS.md")}
	more := session.RepositoryItem{Kind: "instructions", Name: "CLAUDE.md", Path: filepath.Join(dir, "CLAUDE.md")}
	for _, step := range []struct {
		name   string
		now    []session.RepositoryItem
		decide string // "yes", "no" or nothing
		asked  bool   // before the decision
		used   bool   // after it
	}{
		{"nothing there", nil, "", false, true},
		{"a file, undecided", []session.RepositoryItem{agents}, "", true, false},
		{"a file, yes", []session.RepositoryItem{agents}, "yes", true, true},
		{"the same file", []session.RepositoryItem{agents}, "", false, true},
		{"another file", []session.RepositoryItem{agents, more}, "", true, false},
		{"another file, no", []session.RepositoryItem{agents, more}, "no", true, false},
		{"the same files", []session.RepositoryItem{agents, more}, "", false, false},
		{"nothing there after a no", nil, "", false, false},
	} {
		now = step.now
		items, err := s.Untrusted(t.Context(), dir)
		if err != nil || (len(items) > 0) != step.asked {
			t.Errorf("%s: asked about %v, %v", step.name, items, err)
		}
		if step.decide != "" {
			if err := s.Trust(t.Context(), dir, items, step.decide == "yes"); err != nil {
				t.Fatal(err)
			}
		}
		if got := s.Permits(dir); got != step.used {
			t.Errorf("%s: used %v", step.name, got)
		}
	}
	if s.Permits(filepath.Join(dir, "gone")) {
		t.Error("a directory that is gone is permitted")
	}
}
