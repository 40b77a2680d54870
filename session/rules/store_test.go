//go:build unix

package rules

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/session"
	"parley/session/permission"
)

func newStore(t *testing.T) (s *Store, dir string) {
	t.Helper()
	dir = t.TempDir()
	work := filepath.Join(dir, "work")
	if err := os.Mkdir(work, 0o700); err != nil {
		t.Fatal(err)
	}
	return New(Options{Config: filepath.Join(dir, "config"), Data: filepath.Join(dir, "data"), Now: func() time.Time { return noon }}), work
}

// again returns another store of the same files, as another process has it.
func again(s *Store) *Store { return New(s.o) }

func TestRulesAreKept(t *testing.T) {
	s, dir := newStore(t)
	if k := s.Kept(dir); k.Rules != nil || k.Locked != "" {
		t.Fatalf("at first: %+v", k)
	}
	other := again(s)
	other.Kept(dir)
	test, deny := rule(t, permission.Allow, "command go test *"), rule(t, permission.Deny, "command rm *")
	for range 2 { // the second time adds nothing
		if err := errors.Join(s.Add(dir, permission.FromProject, test), s.Add(dir, permission.FromGlobal, deny)); err != nil {
			t.Fatal(err)
		}
	}
	for _, store := range []*Store{s, other} {
		k := store.Kept(dir)
		if want := []string{"deny command rm *", "allow command go test *"}; !slices.Equal(texts(k.Rules), want) || k.Locked != "" {
			t.Fatalf("kept %q %q", texts(k.Rules), k.Locked)
		}
		for i, origin := range []permission.Origin{permission.FromGlobal, permission.FromProject} {
			if r := k.Rules[i]; r.Origin != origin || r.Number != 1 || !r.Since.Equal(noon) {
				t.Errorf("%+v", r)
			}
		}
	}
	if k := s.Kept(filepath.Dir(dir)); len(k.Rules) != 1 {
		t.Errorf("elsewhere: %q", texts(k.Rules))
	}
	if err := s.Move(dir, s.Kept(dir).Rules[1], permission.FromGlobal); err != nil {
		t.Fatal(err)
	}
	if err := s.Replace(dir, s.Kept(dir).Rules[0], rule(t, permission.Ask, "command rm *")); err != nil {
		t.Fatal(err)
	}
	if got := texts(other.Kept(dir).Rules); !slices.Equal(got, []string{"ask command rm *", "allow command go test *"}) {
		t.Errorf("after a move and a change: %q", got)
	}
	for _, r := range other.Kept(dir).Rules {
		if err := other.Remove(dir, r); err != nil {
			t.Fatal(err)
		}
		if err := other.Remove(dir, r); session.KindOf(err) != session.KindNotFound {
			t.Errorf("removed twice: %v", err)
		}
	}
	if k := s.Kept(dir); len(k.Rules) != 0 || k.Locked != "" {
		t.Errorf("at the end: %+v", k)
	}
	for _, origin := range []permission.Origin{permission.FromGlobal, permission.FromProject} {
		info, err := os.Stat(s.Path(dir, origin))
		if err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v %v", origin, info, err)
		}
		if text, _ := os.ReadFile(s.Path(dir, origin)); !strings.HasPrefix(string(text), "# What parley does") {
			t.Errorf("%s begins with %q", origin, text)
		}
	}
}

func TestAnswersAreKept(t *testing.T) {
	s, dir := newStore(t)
	ask := &session.PermissionAsk{Tool: "Bash", Command: "go test ./...", Rules: []session.Rule{{Text: "command go test *"}}}
	for _, c := range []struct {
		answer session.Answer
		want   string
	}{
		{session.Answer{Decision: session.Allow, Scope: session.ScopeProject}, "allow command go test *"},
		{session.Answer{Decision: session.Allow, Scope: session.ScopeGlobal, Rule: &session.Rule{Text: "command go test ./..."}}, "allow command go test ./..."},
	} {
		if err := s.KeepRule(dir, ask, c.answer); err != nil {
			t.Fatal(err)
		}
		origin := permission.Origin(c.answer.Scope)
		if f := s.look(dir, origin).file; !slices.Equal(texts(f.Rules), []string{c.want}) {
			t.Errorf("%s: %q", origin, texts(f.Rules))
		}
	}
	err := s.KeepRule(dir, ask, session.Answer{Decision: session.Allow, Scope: session.ScopeProject, Rule: &session.Rule{Text: "comand go"}})
	if session.KindOf(err) != session.KindInvalid {
		t.Errorf("a bad rule: %v", err)
	}
}

// TestRulesTogetherAreKeptAllOrNone keeps the rules of one answer by one change of the file, each as a rule of its own.
func TestRulesTogetherAreKeptAllOrNone(t *testing.T) {
	s, dir := newStore(t)
	keep := func(text string) error {
		return s.KeepRule(dir, &session.PermissionAsk{Tool: "Bash"}, session.Answer{Decision: session.Allow, Scope: session.ScopeProject, Rule: &session.Rule{Text: text}})
	}
	kept := func() []string { return texts(s.look(dir, permission.FromProject).file.Rules) }
	for _, bad := range []string{"command go vet *\ncommand $x *", "comand x\ncommand go vet *", "command go vet *\n"} {
		if err := keep(bad); session.KindOf(err) != session.KindInvalid || len(kept()) != 0 {
			t.Errorf("%q: %v, kept %q", bad, err, kept())
		}
	}
	if err := keep("command go vet *\ncommand go test *\ncommand go vet *"); err != nil {
		t.Fatal(err)
	}
	if err := keep("command go test *\nedit out.txt"); err != nil {
		t.Fatal(err)
	}
	if want := []string{"allow command go vet *", "allow command go test *", "allow edit out.txt"}; !slices.Equal(kept(), want) {
		t.Errorf("kept %q", kept())
	}
	if err := s.Remove(dir, s.Kept(dir).Rules[1]); err != nil || len(kept()) != 2 {
		t.Errorf("one of them is removed: %v, %q", err, kept())
	}
	path := s.Path(dir, permission.FromProject)
	if err := os.WriteFile(path, []byte("rules: 7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := keep("command ls\ncommand wc"); err == nil {
		t.Error("a broken file takes rules")
	}
	if text, _ := os.ReadFile(path); string(text) != "rules: 7\n" {
		t.Errorf("it was changed: %s", text)
	}
}

// An editor may write the file in place, in the same moment and with the same length.
func TestEditedFilesAreReadAgain(t *testing.T) {
	s, dir := newStore(t)
	path := s.Path(dir, permission.FromGlobal)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		text := fmt.Sprintf("rules:\n- allow: tool T%02d\n", i)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := texts(s.Kept(dir).Rules); !slices.Equal(got, []string{fmt.Sprintf("allow tool T%02d", i)}) {
			t.Fatalf("%d: %q", i, got)
		}
	}
}

// What was read stays in memory once the file has been unchanged for a while.
func TestUnchangedFilesAreNotReadAgain(t *testing.T) {
	s, dir := newStore(t)
	if err := s.Add(dir, permission.FromGlobal, rule(t, permission.Allow, "tool X")); err != nil {
		t.Fatal(err)
	}
	path, old := s.Path(dir, permission.FromGlobal), time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	s.Kept(dir)
	before := s.looks[path]
	if s.Kept(dir); before == nil || s.looks[path] != before {
		t.Error("it was read again")
	}
}

// A link to the user's own collection of settings stays a link.
func TestLinkedFilesStayLinks(t *testing.T) {
	s, dir := newStore(t)
	path, real := s.Path(dir, permission.FromGlobal), filepath.Join(dir, "dotfiles.yaml")
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(real, []byte("# mine\n"), 0o600), os.Symlink(real, path)); err != nil {
		t.Fatal(err)
	}
	if err := s.Add(dir, permission.FromGlobal, rule(t, permission.Allow, "tool X")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(path)
	text, _ := os.ReadFile(real)
	if err != nil || info.Mode()&os.ModeSymlink == 0 || !strings.HasPrefix(string(text), "# mine\nrules:\n") {
		t.Errorf("%v %v\n%s", info, err, text)
	}
	if err := errors.Join(os.Remove(real), os.Remove(path)); err != nil {
		t.Fatal(err)
	}
	if k := s.Kept(dir); k.Locked != "" || len(k.Rules) > 0 {
		t.Errorf("without a file: %+v", k)
	}
	if err := os.Symlink(real, path); err != nil {
		t.Fatal(err)
	}
	if k := s.Kept(dir); !strings.Contains(k.Locked, "which does not exist") {
		t.Errorf("a link to nothing: %+v", k)
	}
}

func TestConcurrentUse(t *testing.T) {
	s, dir := newStore(t)
	var wg sync.WaitGroup
	for i := range 8 {
		store := s
		if i%2 == 1 {
			store = again(s)
		}
		wg.Go(func() {
			for n := range 10 {
				if err := store.Add(dir, permission.FromProject, rule(t, permission.Allow, fmt.Sprintf("tool T%d-%d", i, n))); err != nil {
					t.Error(err)
				}
				if k := store.Kept(dir); k.Locked != "" {
					t.Error(k.Locked)
				}
			}
		})
	}
	wg.Wait()
	if n := len(s.Kept(dir).Rules); n != 80 {
		t.Errorf("%d rules", n)
	}
}
