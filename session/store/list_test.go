package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parley/session"
)

// fill writes a session whose last event is at the given second.
func fill(t *testing.T, s *Store, id session.ID, second int) {
	t.Helper()
	j := mustCreate(t, s, id)
	h := session.Head{Session: id, Turn: "t", Gen: 1, At: at(second)}
	appendAll(t, j, []session.Event{
		session.TurnStarted{Head: h, Prompt: session.Prompt{Text: "prompt of " + string(id)}},
		session.TitleChanged{Head: h, Title: "title of " + string(id)},
		session.ModelChanged{Head: h, Model: "claude-x"},
		session.TurnEnded{Head: h, Outcome: session.TurnCompleted},
	})
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestListIsNewestFirst(t *testing.T) {
	s := testStore(t)
	for i, id := range []session.ID{"b", "c", "a"} {
		fill(t, s, id, 10*i)
	}
	list, err := s.List(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range list {
		got = append(got, fmt.Sprint(m.ID, "|", m.Title, "|", m.First, "|", m.Model, "|", m.Turns))
	}
	want := []string{
		"a|title of a|prompt of a|claude-x|1", "c|title of c|prompt of c|claude-x|1", "b|title of b|prompt of b|claude-x|1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestListOfNothing(t *testing.T) {
	list, err := testStore(t).List(context.Background())
	if err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
}

func TestDamageHidesNoSession(t *testing.T) {
	s := testStore(t)
	fill(t, s, "good", 5)
	old := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, content := range map[string]string{
		"empty.jsonl": "", "noise.jsonl": "\x00\x01\n{{{\n", "headless.jsonl": `{"v":1}` + "\n", "good.summary.json": "{",
		"note.txt": "not a journal", ".hidden.jsonl": "",
	} {
		path := filepath.Join(s.dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.List(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 4 || list[0].ID != "good" || list[0].Title != "title of good" {
		t.Fatalf("%+v", list)
	}
	for _, m := range list[1:] {
		if !m.Updated.Equal(old) {
			t.Errorf("%s has no time of its file: %v", m.ID, m.Updated)
		}
	}
}

// A summary may be missing, old, or cover all: the list is the same.
func TestSummariesAreOnlyAShortcut(t *testing.T) {
	s := testStore(t)
	j := mustCreate(t, s, "s1")
	appendAll(t, j, conversation())
	path := filepath.Join(s.dir, "s1"+journalSuffix)
	early, err := os.ReadFile(summaryPath(path))
	if err != nil {
		t.Fatal("no summary at the end of a turn:", err)
	}
	later := session.Head{Session: "s1", Turn: "t2", Gen: 1, At: at(100)}
	appendAll(t, j, []session.Event{
		session.TurnStarted{Head: later, Prompt: session.Prompt{Text: "and now?"}},
		session.TitleChanged{Head: later, Title: "Flaky"},
	})
	j.Close()
	whole, _ := os.ReadFile(summaryPath(path))
	want := session.Meta{ID: "s1", Agent: "builtin", Dir: "/src", First: "why does it flake?", Title: "Flaky", Turns: 2,
		Created: began, Updated: at(100)}
	for name, sum := range map[string][]byte{"whole": whole, "early": early, "none": nil, "noise": []byte("{]")} {
		t.Run(name, func(t *testing.T) {
			os.Remove(summaryPath(path))
			if sum != nil {
				os.WriteFile(summaryPath(path), sum, 0o600)
			}
			list, err := New(Options{Dir: s.dir, LockDir: s.lockDir}).List(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]session.Meta{want}, list); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestListRemembers(t *testing.T) {
	s := testStore(t)
	fill(t, s, "s1", 5)
	ctx := context.Background()
	if _, err := s.List(ctx); err != nil {
		t.Fatal(err)
	}
	// With the journal's size and time unchanged nothing is read again, so that a summary changed behind our back does
	// not show.
	path := filepath.Join(s.dir, "s1"+journalSuffix)
	sum, _ := loadSummary(summaryPath(path))
	sum.Meta.Title = "changed"
	saveSummary(summaryPath(path), sum)
	if list, _ := s.List(ctx); list[0].Title != "title of s1" {
		t.Error("read again:", list[0].Title)
	}
	fill2, _, _, err := s.Open(ctx, "s1")
	if err != nil {
		t.Fatal(err)
	}
	appendAll(t, fill2, []session.Event{session.TitleChanged{Head: head(20), Title: "new"}})
	fill2.Close()
	if list, _ := s.List(ctx); list[0].Title != "new" {
		t.Error("not read again:", list[0].Title)
	}
}

func TestLongUnsummarisedJournalIsReadOnce(t *testing.T) {
	s := testStore(t)
	j := mustCreate(t, s, "s1")
	appendAll(t, j, conversation()[:2])
	for range 40 {
		appendAll(t, j, []session.Event{session.Notice{Head: head(3), Text: strings.Repeat("x", 3000)}})
	}
	path := filepath.Join(s.dir, "s1"+journalSuffix)
	if _, err := s.List(context.Background()); err != nil {
		t.Fatal(err)
	}
	info, _ := os.Stat(path)
	if sum, ok := loadSummary(summaryPath(path)); !ok || sum.Size != info.Size() || sum.Meta.Turns != 1 {
		t.Errorf("no summary was left: %+v", sum)
	}
	j.Close()
}

// TestListingWritesMissingSummaries lists short journals without summaries: each gets one, which says the same.
func TestListingWritesMissingSummaries(t *testing.T) {
	s := testStore(t)
	var paths []string
	for i := range 20 {
		id := session.ID(fmt.Sprint("s", i))
		fill(t, s, id, i)
		path := summaryPath(filepath.Join(s.dir, string(id)+journalSuffix))
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	first, err := (&Store{dir: s.dir, cache: map[session.ID]cachedEntry{}}).List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if _, ok := loadSummary(path); !ok {
			t.Errorf("%s was not written", filepath.Base(path))
		}
	}
	second, err := (&Store{dir: s.dir, cache: map[session.ID]cachedEntry{}}).List(t.Context())
	if diff := cmp.Diff(first, second); diff != "" || err != nil {
		t.Error(err, diff)
	}
}

func TestShorten(t *testing.T) {
	for in, want := range map[string]string{
		"":                        "",
		" a \n\t b ":              "a b",
		strings.Repeat("é", 200):  strings.Repeat("é", 200),
		strings.Repeat("é", 201):  strings.Repeat("é", 199) + "…",
		strings.Repeat("語", 9000): strings.Repeat("語", 199) + "…",
		"bad\xffutf":              "badutf",
	} {
		if got := shorten(in); got != want {
			t.Errorf("shorten(%.20q) = %.40q", in, got)
		}
	}
}
