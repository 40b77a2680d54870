package marks

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley/session"
)

func TestTags(t *testing.T) {
	got, err := Tags([]string{"Upload", " #infra", "upload"})
	if err != nil || !slices.Equal(got, []string{"infra", "upload"}) {
		t.Errorf("%q, %v", got, err)
	}
	var many []string
	for i := range maxTags + 1 {
		many = append(many, fmt.Sprint("t", i))
	}
	for _, bad := range [][]string{{""}, {"a b"}, {"a,b"}, {`a"`}, {"a\x1b[2J"}, {"\xff"}, {strings.Repeat("x", maxTag+1)}, many} {
		if _, err := Tags(bad); session.KindOf(err) != session.KindInvalid {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestMarks stores marks, reads them with another store, and changes what is there.
func TestMarks(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "marks")
	s := New(dir)
	if all, err := s.All(t.Context()); len(all) != 0 || err != nil {
		t.Errorf("%v, %v", all, err)
	}
	for _, change := range []func(*Marks){
		func(m *Marks) { m.Pinned = true },
		func(m *Marks) { m.Tags = append(m.Tags, "Upload") },
		func(m *Marks) { m.Archived = !m.Archived },
	} {
		if _, err := s.Change(t.Context(), "a", Marks{Tags: []string{"theirs"}}, change); err != nil {
			t.Fatal(err)
		}
	}
	all, err := New(dir).All(t.Context())
	if m := all["a"]; err != nil || len(all) != 1 || !m.Pinned || !m.Archived || !slices.Equal(m.Tags, []string{"theirs", "upload"}) {
		t.Errorf("%+v, %v", all, err)
	}
	if err := s.Forget("a"); err != nil {
		t.Error(err)
	}
	if all, err := s.All(t.Context()); len(all) != 0 || err != nil {
		t.Errorf("%v, %v", all, err)
	}
	if _, err := s.Change(t.Context(), "../a", Marks{}, func(*Marks) {}); session.KindOf(err) != session.KindInvalid {
		t.Errorf("a path as an id: %v", err)
	}
}

// TestDamagedMarks names a damaged file and reads the others; the next change replaces it.
func TestDamagedMarks(t *testing.T) {
	dir := t.TempDir()
	s := New(dir)
	for name, data := range map[string]string{"good": `{"pinned":true}`, "cut": `{"tags":["a"`, "long": strings.Repeat(" ", maxLength+1), "odd": `{"tags":["a b"]}`} {
		if err := os.WriteFile(filepath.Join(dir, name+suffix), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"+suffix), 0o700); err != nil {
		t.Fatal(err)
	}
	all, err := s.All(t.Context())
	if len(all) != 1 || !all["good"].Pinned {
		t.Errorf("%+v", all)
	}
	for _, name := range []string{"cut", "long", "odd", "folder"} {
		if err == nil || !strings.Contains(err.Error(), name+suffix) {
			t.Errorf("%s is not named: %v", name, err)
		}
	}
	if m, err := s.Change(t.Context(), "cut", Marks{}, func(m *Marks) { m.Archived = true }); err != nil || !m.Archived {
		t.Errorf("%+v, %v", m, err)
	}
}

// TestNoChangeIsLost changes one session through many stores at once, as several processes would.
func TestNoChangeIsLost(t *testing.T) {
	dir := t.TempDir()
	var work sync.WaitGroup
	for i := range 12 {
		work.Go(func() {
			if _, err := New(dir).Change(t.Context(), "a", Marks{}, func(m *Marks) { m.Tags = append(m.Tags, fmt.Sprint("t", i)) }); err != nil {
				t.Error(err)
			}
		})
	}
	work.Wait()
	if all, err := New(dir).All(t.Context()); err != nil || len(all["a"].Tags) != 12 {
		t.Errorf("%+v, %v", all, err)
	}
}
