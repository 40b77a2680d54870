//go:build unix

package lsp

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"parley/session/builtin/tool/tooltest"
)

func program(t *testing.T, path string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// A repository must not choose a program that runs.
func TestProgramsAreThoseOfTheUser(t *testing.T) {
	b := tooltest.New(t, map[string]string{"a.go": ""})
	bin := t.TempDir()
	pathed := func(dirs string, trusted bool) *finder {
		b.W.Environ = []string{"PATH=" + dirs}
		return newFinder(b.W, func(string) bool { return trusted })
	}
	server := func(name string) *Server {
		i := slices.IndexFunc(servers, func(s Server) bool { return s.Name == name })
		return &servers[i]
	}
	inside := filepath.Join(b.W.Dir, "bin")
	program(t, filepath.Join(inside, "gopls"))
	if got := pathed(inside+":bin:.::"+bin, true).find(server("gopls"), realPath(b.W.Dir), b.W.Dir); got != "" {
		t.Error("from inside the directory:", got)
	}
	if err := os.Symlink(filepath.Join(inside, "gopls"), filepath.Join(bin, "gopls")); err != nil {
		t.Fatal(err)
	}
	if got := pathed(bin, true).find(server("gopls"), realPath(b.W.Dir), b.W.Dir); got != "" {
		t.Error("by a link:", got)
	}
	users := t.TempDir()
	want := program(t, filepath.Join(users, "gopls"))
	if got := pathed(inside+":"+bin+":"+users, false).find(server("gopls"), realPath(b.W.Dir), b.W.Dir); got != want {
		t.Error(got)
	}
	cargo := program(t, filepath.Join(users, "rust-analyzer"))
	if got := pathed(users, false).find(server("rust-analyzer"), realPath(b.W.Dir), b.W.Dir); got != "" {
		t.Error("it runs build scripts:", got)
	}
	if got := pathed(users, true).find(server("rust-analyzer"), realPath(b.W.Dir), b.W.Dir); got != cargo {
		t.Error(got)
	}
	chosen := withCustom(servers, []Custom{{Name: "rust-analyzer", Roots: []string{"x"}}})
	if got := pathed(users, false).find(&chosen[0], realPath(b.W.Dir), b.W.Dir); got != cargo || chosen[0].Languages[".rs"] == "" {
		t.Error("the user has named it:", got)
	}
	// Without a compiler of its own, the server would take the project's.
	script := program(t, filepath.Join(users, "typescript-language-server"))
	if got := pathed(users, false).find(server("typescript-language-server"), realPath(b.W.Dir), b.W.Dir); got != "" {
		t.Error(got)
	}
	if got := pathed(users, true).find(server("typescript-language-server"), realPath(b.W.Dir), b.W.Dir); got != script {
		t.Error(got)
	}
	local := program(t, filepath.Join(b.W.Dir, "node_modules/.bin/pyright-langserver"))
	if got := pathed(users, false).find(server("pyright"), realPath(b.W.Dir), b.W.Dir); got != "" {
		t.Error(got)
	}
	if got := pathed(users, true).find(server("pyright"), realPath(b.W.Dir), b.W.Dir); got != local {
		t.Error(got)
	}
	if got := pathed(users, true).find(&Server{Argv: []string{"./gopls"}}, realPath(b.W.Dir), b.W.Dir); got != "" {
		t.Error(got)
	}
}

// A directory that was added to a trusted session is trusted by itself: what runs project code does not start there.
func TestAddedDirectoriesAreTrustedByThemselves(t *testing.T) {
	b := tooltest.New(t, map[string]string{"a.go": ""})
	users, added := t.TempDir(), t.TempDir()
	want := program(t, filepath.Join(users, "rust-analyzer"))
	b.W.Environ, b.W.Further = []string{"PATH=" + users}, func() []string { return []string{added} }
	s := &servers[slices.IndexFunc(servers, func(s Server) bool { return s.Name == "rust-analyzer" })]
	f := newFinder(b.W, func(dir string) bool { return dir == b.W.Dir })
	if got := f.find(s, realPath(b.W.Dir), b.W.Dir); got != want {
		t.Errorf("in the session's own: %q", got)
	}
	if got := f.find(s, realPath(added), added); got != "" {
		t.Errorf("in the added one: %q", got)
	}
	f = newFinder(b.W, func(dir string) bool { return dir == added })
	if got := f.find(s, realPath(added), added); got != "" {
		t.Errorf("in a session that is not trusted: %q", got)
	}
}

func TestCustomServers(t *testing.T) {
	known := []Server{{Name: "one", Argv: []string{"one"}, Languages: same("a", ".a")}, {Name: "two", Argv: []string{"two"}, Languages: same("b", ".b")}}
	got := withCustom(known, []Custom{{Name: "one", Off: true}, {Name: "two", Command: []string{"/x/two"}, Extensions: []string{".b", ".c"}},
		{Name: "three", Command: []string{"three"}, Extensions: []string{".d"}}, {Name: "four"}})
	if len(got) != 2 || got[0].Name != "two" || got[0].Languages[".b"] != "b" || got[0].Languages[".c"] != "c" || got[1].Name != "three" || !got[1].Chosen {
		t.Errorf("%+v", got)
	}
	if len(known) != 2 || known[1].Argv[0] != "two" {
		t.Error("the table has changed")
	}
}

func TestRoots(t *testing.T) {
	b := tooltest.New(t, map[string]string{"go.work": "", "m/go.mod": "", "m/p/a.go": "", "b.go": ""})
	s := &Server{Roots: []string{"go.work", "go.mod"}}
	if got := rootOf(s, b.W.Dir, filepath.Join(b.W.Dir, "m/p/a.go")); got != b.W.Dir {
		t.Error(got)
	}
	if got := rootOf(s, filepath.Join(b.W.Dir, "m"), filepath.Join(b.W.Dir, "m/p/a.go")); got != filepath.Join(b.W.Dir, "m") {
		t.Error("above the session's directory:", got)
	}
	if got := rootOf(&Server{}, b.W.Dir, filepath.Join(b.W.Dir, "m/p/a.go")); got != b.W.Dir {
		t.Error(got)
	}
}
