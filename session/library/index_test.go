package library_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/library"
	"parley/session/sessiontest"
	"parley/session/store/index"
	"parley/session/words"
)

// TestNarrow takes sessions for likely that have every word in the index or in what describes them, that changed since, or that are new.
func TestNarrow(t *testing.T) {
	w := sessiontest.NewWorld()
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	var all []session.Meta
	for _, id := range []session.ID{"said", "titled", "none"} {
		m := session.Meta{ID: id, Agent: "builtin", Title: "about " + string(id), Updated: at}
		all = append(all, m)
		w.Journals.Put(m)
	}
	j, _, _, err := w.Journals.Open(t.Context(), "said")
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Append(session.TurnStarted{Head: session.Head{Session: "said", Turn: "t"}, Prompt: session.Prompt{Text: "Why does the Titled upload fail?"}}); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	x := index.New(filepath.Join(t.TempDir(), "sessions.db"))
	defer x.Close()
	for name, c := range map[string]struct {
		index  *index.Index
		words  string
		likely string
	}{
		"without an index": {nil, "titled", "said titled none"},
		"a word":           {x, "titled", "said titled"},
		"a beginning":      {x, "uplo", "said"},
		"two words":        {x, "about titled", "said titled"},
		"none":             {x, "nowhere", ""},
	} {
		l := library.New(library.Options{Agents: []session.Agent{w.Agent}, Journals: w.Journals, Index: c.index})
		if c.index != nil {
			if _, err := l.Reindex(t.Context(), all); err != nil {
				t.Fatal(err)
			}
		}
		likely, rest, err := l.Narrow(t.Context(), words.New(strings.Fields(c.words)), all)
		if err != nil || len(likely)+len(rest) != len(all) || names(likely) != c.likely {
			t.Errorf("%s: %q and %q, %v", name, names(likely), names(rest), err)
		}
	}
	l := library.New(library.Options{Journals: w.Journals, Index: x})
	all[2].Updated = at.Add(time.Second)
	if likely, _, err := l.Narrow(t.Context(), words.New([]string{"nowhere"}), append(all, session.Meta{ID: "new"})); err != nil || names(likely) != "none new" {
		t.Errorf("changed: %q, %v", names(likely), err)
	}
	if newest := l.Newest(t.Context(), "", 9); len(newest) != 3 {
		t.Errorf("newest: %q", names(newest))
	}
}

func names(all []session.Meta) string {
	var ids []string
	for _, m := range all {
		ids = append(ids, string(m.ID))
	}
	return strings.Join(ids, " ")
}
