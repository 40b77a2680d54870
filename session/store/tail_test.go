package store_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"parley/internal/repeat"
	"parley/session"
	"parley/session/sessiontest"
	"parley/session/store"
)

// chooser writes a session in which much is chosen, also without changing anything, and returns its journal's path.
func chooser(t *testing.T, s *store.Store, dir string, turns int) string {
	t.Helper()
	j, err := s.Create(t.Context(), session.Meta{ID: "s", Agent: "builtin", Dir: "/project"})
	if err != nil {
		t.Fatal(err)
	}
	put := func(e session.Event) {
		if err := j.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	put(session.TodosChanged{Todos: []session.Todo{{Text: strings.Repeat("long ", 1000), State: session.TodoActive}}})
	for i := range turns {
		h := session.Head{Session: "s", Turn: session.TurnID(fmt.Sprint("t", i)), Gen: 1}
		switch i % 5 {
		case 1, 2:
			put(session.ModelChanged{Head: session.Head{Session: "s"}, Model: fmt.Sprint("m", i%3), Effort: "high"})
		case 3:
			put(session.ModeChanged{Head: session.Head{Session: "s"}, Mode: []session.Mode{session.ModePlan, session.ModeDefault}[i/5%2]})
		}
		put(session.TurnStarted{Head: h, Prompt: session.Prompt{ID: session.PromptID(h.Turn), Text: "prompt"}, Origin: session.OriginUser})
		put(session.PartStarted{Head: h, Part: session.PartID(h.Turn), Kind: session.PartText})
		put(session.PartDelta{Head: h, Part: session.PartID(h.Turn), Text: strings.Repeat("word ", i%7)})
		put(session.PartEnded{Head: h, Part: session.PartID(h.Turn)})
		put(session.TurnEnded{Head: h, Outcome: session.TurnCompleted})
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "s.jsonl")
}

// TestReadTail reads every end of a journal: the events are the last ones, and what was chosen before them is known.
func TestReadTail(t *testing.T) {
	dir := t.TempDir()
	s := store.New(store.Options{Dir: dir, LockDir: t.TempDir()})
	path := chooser(t, s, dir, 12)
	meta, all, err := s.Read(t.Context(), "s")
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	most := 0
	begins := []byte(`{"type":"turn_started"`)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	stride := int64(repeat.Times(211, 131, 11))
	for n := int64(1); n <= info.Size()+stride; n += stride {
		m, tail, err := s.ReadTail(t.Context(), "s", n)
		if err != nil {
			t.Fatalf("the last %d bytes: %v", n, err)
		}
		if len(tail.Events) == 0 && !bytes.Contains(data[max(0, int64(len(data))-n):], begins) {
			continue // nothing worth a look
		}
		from := len(all) - len(tail.Events)
		want := sessiontest.TailOf(all, from)
		if d := cmp.Diff(want.Events, tail.Events, cmpopts.EquateEmpty()); d != "" || tail.Before != want.Before || len(tail.Events) > 0 && len(tail.Todos) != 1 {
			t.Fatalf("the last %d bytes: before them %+v, not %+v\n%s", n, tail.Before, want.Before, d)
		}
		if tail.Size != info.Size() || tail.Whole != (n >= info.Size()) || tail.Whole && from > 0 || len(tail.Events) < most {
			t.Fatalf("the last %d bytes of %d: %d events after %d", n, info.Size(), len(tail.Events), most)
		}
		most = len(tail.Events)
		if d := cmp.Diff(meta, m); d != "" {
			t.Fatalf("the last %d bytes: %s", n, d)
		}
	}
	if most != len(all) {
		t.Errorf("%d events of %d", most, len(all))
	}
}

// TestReadTailRefuses reads no end that is damaged or half written, or whose summary does not know enough.
func TestReadTailRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(journal, summary []byte) (j, s []byte)
		kind session.Kind
	}{
		"as it is":    {func(j, s []byte) ([]byte, []byte) { return j, s }, ""},
		"half a line": {func(j, s []byte) ([]byte, []byte) { return j[:len(j)-10], s }, session.KindCorrupt},
		"being written": {func(j, s []byte) ([]byte, []byte) {
			return append(j, `{"type":"turn_sta`...), s
		}, session.KindCorrupt},
		"garbage":    {func(j, s []byte) ([]byte, []byte) { return append(j, "\x00\x00\x00\n"...), s }, session.KindCorrupt},
		"from later": {func(j, s []byte) ([]byte, []byte) { return append(j, `{"type":"dreamt"}`+"\n"...), s }, session.KindCorrupt},
		"no summary": {func(j, s []byte) ([]byte, []byte) { return j, nil }, session.KindCorrupt},
		"old summary": {func(j, s []byte) ([]byte, []byte) {
			at := bytes.Index(s, []byte(`,"choices"`))
			return j, append(s[:at:at], '}')
		}, session.KindCorrupt},
		"far behind": {func(j, s []byte) ([]byte, []byte) {
			return append(j, bytes.Repeat([]byte(`{"type":"notice","severity":"info","text":"x"}`+"\n"), 40_000)...), s
		}, session.KindCorrupt},
		"a little behind": {func(j, s []byte) ([]byte, []byte) {
			return append(j, `{"type":"model_changed","model":"z"}`+"\n"...), s
		}, ""},
		"nothing": {func(j, s []byte) ([]byte, []byte) { return nil, nil }, session.KindNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := store.New(store.Options{Dir: dir, LockDir: t.TempDir()})
			path := chooser(t, s, dir, 30)
			other := strings.TrimSuffix(path, ".jsonl") + ".summary.json"
			journal, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			summary, err := os.ReadFile(other)
			if err != nil {
				t.Fatal(err)
			}
			journal, summary = c.do(journal, summary)
			for name, data := range map[string][]byte{path: journal, other: summary} {
				if err := os.Remove(name); err != nil {
					t.Fatal(err)
				}
				if data == nil {
					continue
				}
				if err := os.WriteFile(name, data, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			_, _, err = s.ReadTail(t.Context(), "s", 1000)
			if (err == nil) != (c.kind == "") || err != nil && session.KindOf(err) != c.kind {
				t.Errorf("%v", err)
			}
		})
	}
	if _, _, err := store.New(store.Options{Dir: t.TempDir()}).ReadTail(t.Context(), "../x", 10); session.KindOf(err) != session.KindInvalid {
		t.Errorf("a path: %v", err)
	}
}

// TestReadTailAfterManyChoices knows what was chosen before the end however often something was chosen, unless that is
// longer ago than the summary remembers.
func TestReadTailAfterManyChoices(t *testing.T) {
	dir := t.TempDir()
	s := store.New(store.Options{Dir: dir, LockDir: t.TempDir()})
	chooser(t, s, dir, 300)
	_, all, err := s.Read(t.Context(), "s")
	if err != nil {
		t.Fatal(err)
	}
	known := 0
	for n := int64(1000); n < 200_000; n += 4000 {
		_, tail, err := s.ReadTail(t.Context(), "s", n)
		if err != nil {
			continue
		}
		if want := sessiontest.TailOf(all, len(all)-len(tail.Events)); tail.Before != want.Before {
			t.Fatalf("the last %d bytes: before them %+v, not %+v", n, tail.Before, want.Before)
		}
		known++
	}
	if known < 3 || known > 45 {
		t.Errorf("of %d ends it is known", known)
	}
}

// TestReadTailWithinATurn returns nothing for an end in which no turn begins, without decoding it.
func TestReadTailWithinATurn(t *testing.T) {
	dir := t.TempDir()
	s := store.New(store.Options{Dir: dir, LockDir: t.TempDir()})
	path := chooser(t, s, dir, 12)
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for range 2000 {
		if _, err := f.WriteString(`{"type":"notice","severity":"info","text":"x"}` + "\n"); err != nil {
			t.Fatal(err)
		}
	}
	if _, tail, err := s.ReadTail(t.Context(), "s", 10_000); err != nil || tail.Events != nil || tail.Whole || tail.Size < 50_000 {
		t.Errorf("%d events of %d bytes, whole %v, %v", len(tail.Events), tail.Size, tail.Whole, err)
	}
	if _, tail, err := s.ReadTail(t.Context(), "s", 100_000); err != nil || len(tail.Events) < 2000 {
		t.Errorf("%d events, %v", len(tail.Events), err)
	}
}
