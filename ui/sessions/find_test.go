package sessions

import (
	"context"
	"errors"
	"os"
	"testing"

	"parley/session"
	"parley/session/live"
	"parley/ui/core"
)

// store is a manager that counts its listings.
type store struct {
	core.Manager
	known, all []session.Meta
	newest     []session.Meta
	binned     []session.Meta
	remote     string
	listed     int
	err        error
}

func (s *store) Known() []session.Meta { return s.known }

func (s *store) Newest(context.Context, string, int) []session.Meta { return s.newest }

func (s *store) Listing(context.Context) live.Listing {
	s.listed++
	return live.Listing{Sessions: s.all}
}

func (s *store) Holder(_ context.Context, id session.ID) (int, bool) {
	return map[session.ID]int{"b": 1, "tab": os.Getpid()}[id], id == "b" || id == "tab"
}

func (s *store) Deleted(context.Context) ([]session.Meta, error) {
	return s.binned, nil
}

func (s *store) RemoteName() string { return s.remote }

func (s *store) Refresh(context.Context) error { return s.err }

// TestRowsOfOpenSessions says where a session is open, but not of the one that is shown.
func TestRowsOfOpenSessions(t *testing.T) {
	s := &store{known: []session.Meta{{ID: "a"}, {ID: "b"}, {ID: "tab"}}}
	for now, want := range map[session.ID][]string{"a": {"", "open elsewhere", "open in another tab"}, "tab": {"", "open elsewhere", ""}} {
		for i, r := range Find(s, Sessions{Now: now})(t.Context()).Rows() {
			if r.Note != want[i] {
				t.Errorf("%s is shown, %s: %q, want %q", now, r.ID, r.Note, want[i])
			}
		}
	}
}

// TestManyKnownSessions shows the newest of the directory and of all before the rest.
func TestManyKnownSessions(t *testing.T) {
	l := manySessions(5000)
	l.All, l.Manager = nil, nil
	s := &store{known: manySessions(5000).All, all: manySessions(5001).All}
	first := Find(s, l)(t.Context())
	here := 0
	for _, m := range first.All {
		if m.Dir == l.Dir {
			here++
		}
	}
	if len(first.Rows()) != 2*firstRows || here != firstRows || !first.Partial || first.All[0].ID != "id-0" {
		t.Fatalf("first %d rows, %d of the directory", len(first.Rows()), here)
	}
	second := first.Next(t.Context())
	if len(second.Rows()) != 5000 || !second.Partial || s.listed != 0 {
		t.Fatalf("then %d rows after %d listings", len(second.Rows()), s.listed)
	}
	if third := second.Next(t.Context()); len(third.Rows()) != 5001 || third.Partial || third.Next != nil {
		t.Errorf("at last %d rows", len(third.Rows()))
	}
}

// TestKnownSessionsComeFirst shows what is known without a listing, then all, then those of services.
func TestKnownSessionsComeFirst(t *testing.T) {
	s := &store{known: []session.Meta{{ID: "a"}}, all: []session.Meta{{ID: "a"}, {ID: "b"}}, remote: "cloud", err: errors.New("no network")}
	first := Find(s, Sessions{})(t.Context())
	if len(first.Rows()) != 1 || s.listed != 0 || first.Next == nil {
		t.Fatalf("first %d rows after %d listings", len(first.Rows()), s.listed)
	}
	second := first.Next(t.Context())
	if len(second.Rows()) != 2 || s.listed != 1 || second.Wait == "" || second.Next == nil {
		t.Fatalf("then %d rows after %d listings, waiting for %q", len(second.Rows()), s.listed, second.Wait)
	}
	if third := second.Next(t.Context()); third.Trouble == "" || third.Wait != "" || third.Next != nil {
		t.Errorf("at last %+v", third.Sessions)
	}
	s.remote, s.known = "", nil
	if only := Find(s, Sessions{})(t.Context()); len(only.Rows()) != 2 || only.Next != nil || only.Wait != "" {
		t.Errorf("without services: %d rows, waiting for %q", len(only.Rows()), only.Wait)
	}
	s.newest, s.listed = []session.Meta{{ID: "b"}}, 0
	first = Find(s, Sessions{})(t.Context())
	if len(first.Rows()) != 1 || s.listed != 0 || !first.Partial {
		t.Fatalf("of the index %d rows after %d listings", len(first.Rows()), s.listed)
	}
	if all := first.Next(t.Context()); len(all.Rows()) != 2 || all.Partial || all.Next != nil {
		t.Errorf("after those of the index %d rows", len(all.Rows()))
	}
}
