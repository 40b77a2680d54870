package library_test

import (
	"context"
	"testing"
	"time"

	"parley/session"
	"parley/session/library"
	"parley/session/sessiontest"
	"parley/session/store/marks"
)

// keeper is an agent with one session of its own.
type keeper struct {
	*sessiontest.Agent
	own   session.Meta
	users []int
}

func (k *keeper) Sessions(context.Context) ([]session.Meta, error) {
	return []session.Meta{k.own}, nil
}

func (k *keeper) Replay(context.Context, session.ID) ([]session.Event, error) { return nil, nil }

func (k *keeper) Kept(_ context.Context, id session.ID) ([]string, error) {
	if id != k.own.ID {
		return nil, &session.Error{Op: "find", Kind: session.KindNotFound}
	}
	return []string{"/own/" + string(id)}, nil
}

func (k *keeper) Users(session.ID) []int { return k.users }

func (k *keeper) Remove(context.Context, session.ID) error { return nil }

// TestRename stores titles of sessions that are not open: of one with a journal, one that only its agent stores, none, and one
// that is in use.
func TestRename(t *testing.T) {
	w := sessiontest.NewWorld()
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	w.Journals.Put(session.Meta{ID: "ours", Agent: "builtin", Dir: "/d", Title: "before", Updated: at})
	w.Journals.Put(session.Meta{ID: "held", Agent: "builtin", Dir: "/d", Title: "before"})
	j, _, _, err := w.Journals.Open(t.Context(), "held")
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	l := library.New(library.Options{Journals: w.Journals, Agents: []session.Agent{&keeper{Agent: w.Agent, own: session.Meta{ID: "own", Agent: "builtin", Dir: "/d"}}},
		Marks: marks.New(t.TempDir())})
	titled := []session.Meta{{ID: "own"}}
	for id, want := range map[session.ID]session.Kind{"ours": "", "own": "", "none": session.KindNotFound, "held": session.KindLocked} {
		err := l.Rename(t.Context(), id, "after")
		if session.KindOf(err) != want {
			t.Errorf("%s: %v", id, err)
		}
		title := session.Fold(w.Journals.Stored(id)).Title
		if id == "own" {
			if title != "" || l.Sort(t.Context(), titled) != nil {
				t.Errorf("a journal has the title %q", title)
			}
			title = titled[0].Title
		}
		if want == "" && title != "after" {
			t.Errorf("%s has the title %q", id, title)
		}
	}
	for _, e := range w.Journals.Stored("ours") {
		if e, is := e.(session.TitleChanged); is && !e.At.Equal(at) {
			t.Errorf("the title makes the session newer: %v", e.At)
		}
	}
	metas, _ := w.Journals.List(t.Context())
	for _, m := range metas {
		if m.ID == "ours" && (m.Title != "after" || !m.Updated.Equal(at)) {
			t.Errorf("listed as %+v", m)
		}
	}
}

// TestRemoval says what deleting a session deletes, or who has it.
func TestRemoval(t *testing.T) {
	w := sessiontest.NewWorld()
	for _, id := range []session.ID{"ours", "held"} {
		w.Journals.Put(session.Meta{ID: id, Agent: "builtin", Dir: "/d"})
	}
	j, _, _, err := w.Journals.Open(t.Context(), "held")
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	k := &keeper{Agent: w.Agent, own: session.Meta{ID: "own"}}
	l := library.New(library.Options{Journals: w.Journals, Agents: []session.Agent{k}})
	for _, c := range []struct {
		id    session.ID
		users []int
		paths int
		kind  session.Kind
	}{{"ours", nil, 0, ""}, {"held", nil, 0, session.KindLocked}, {"own", nil, 1, ""}, {"own", []int{7}, 0, session.KindLocked}} {
		k.users = c.users
		r, err := l.Removal(t.Context(), c.id)
		if session.KindOf(err) != c.kind || len(r.Paths) != c.paths {
			t.Errorf("%s: %+v, %v", c.id, r, err)
		}
	}
}
