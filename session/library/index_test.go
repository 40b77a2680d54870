package library_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/library"
	"parley/session/sessiontest"
	"parley/session/store"
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
			if _, err := l.Reindex(t.Context(), all, nil); err != nil {
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

// TestIndexOfAChangedJournal finds the words of a journal that was changed in its middle at the same size before it grew, was cut, or was
// replaced by another one, and none that it had.
func TestIndexOfAChangedJournal(t *testing.T) {
	line := func(n int, text string) string {
		return fmt.Sprintf(`{"type":"part_replaced","turn":"t","part":"p%d","kind":"text","text":"%s"}`+"\n", n, text)
	}
	whole := `{"v":1,"meta":{"id":"a","agent":"builtin"}}` + "\n"
	for n := range 400 {
		whole += line(n, "filler of a line that is long enough for the sums")
	}
	before := whole + line(400, "oldest") + whole[len(whole)/2:] + line(401, "staying")
	for name, c := range map[string]struct {
		after, want string
	}{
		"grown":             {before + line(402, "newest"), "oldest staying newest"},
		"changed and grown": {strings.Replace(before, "oldest", "edited", 1) + line(402, "newest"), "edited staying newest"},
		"changed":           {strings.Replace(before, "oldest", "edited", 1), "edited staying"},
		"cut":               {before[:len(before)-len(line(401, "staying"))], "oldest"},
		"replaced":          {line(0, "newest"), "newest"},
		"cut and grown":     {before[:len(before)-len(line(401, "staying"))] + line(401, "edited") + line(402, "newest"), "oldest edited newest"},
		"empty":             {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			x := index.New(filepath.Join(t.TempDir(), "sessions.db"))
			defer x.Close()
			l := library.New(library.Options{Journals: store.New(store.Options{Dir: dir, LockDir: t.TempDir()}), Index: x})
			m := session.Meta{ID: "a", Agent: "builtin"}
			for i, content := range []string{before, c.after} {
				if err := os.WriteFile(filepath.Join(dir, "a.jsonl"), []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
				m.Updated = time.Unix(int64(i), 0)
				if _, err := l.Index(t.Context(), []session.Meta{m}, true); err != nil {
					t.Fatal(err)
				}
			}
			for _, word := range []string{"oldest", "staying", "edited", "newest"} {
				likely, _, err := l.Narrow(t.Context(), words.New([]string{word}), []session.Meta{m})
				if err != nil || (len(likely) > 0) != strings.Contains(c.want, word) {
					t.Errorf("%s: %q, %v", word, names(likely), err)
				}
			}
		})
	}
}

func names(all []session.Meta) string {
	var ids []string
	for _, m := range all {
		ids = append(ids, string(m.ID))
	}
	return strings.Join(ids, " ")
}
