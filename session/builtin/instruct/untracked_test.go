package instruct

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/internal/git"
	"parley/internal/safefs"
)

// index returns git's index of files, which counts as whole; names are in order.
func index(names ...string) string {
	be := binary.BigEndian
	out := be.AppendUint32([]byte("DIRC\x00\x00\x00\x02"), uint32(len(names)))
	for _, name := range names {
		e := make([]byte, 62)
		be.PutUint32(e[24:], 0o100644)
		be.PutUint16(e[60:], uint16(len(name)))
		e = append(e, name...)
		out = append(out, append(e, make([]byte, 8-len(e)%8)...)...)
	}
	return string(append(out, make([]byte, 20)...))
}

// The facts name the files that git does not know: folders with nothing else as one, ignored ones and other repositories' not.
func TestUntrackedFiles(t *testing.T) {
	top := tree(t, map[string]string{
		".git/HEAD": "ref: refs/heads/main\n", ".git/index": index(".gitignore", "a.go", "a/deep/b.go", "built/kept.go"), ".git/info/exclude": "*.local\n",
		"home/.config/git/ignore": "*.swp\n", ".gitignore": "*.o\n/built/\nhome/\nout/\n", "a.go": "", "a.o": "", "a/deep/b.go": "", "a/deep/new.go": "",
		"a/deep/.gitignore": "own\n", "a/deep/own": "", "built/kept.go": "", "built/new.go": "", "x.local": "", "x.swp": "", "new/sub/one.go": "",
		"new/two.go": "", "none/a.o": "", "none/sub/b.o": "", "other/.git/HEAD": "ref: refs/heads/main\n", "a-b.go": "", "out/x": "", "secret.key": "",
		"sp ace": "",
	})
	e := Environment{Dir: top, Date: "2026-03-01", Home: filepath.Join(top, "home"), Names: func(path string) bool { return filepath.Base(path) != "secret.key" }}
	line := func(e Environment) string {
		for l := range strings.Lines(e.Text(t.Context())) {
			if strings.HasPrefix(l, "Untracked") {
				return strings.TrimSpace(l)
			}
		}
		return ""
	}
	if got, want := line(e), "Untracked files here: 7 (a/deep/.gitignore, a/deep/new.go, a-b.go, new/, other/, sp ace and 1 more)"; got != want {
		t.Errorf("%s\nnot %s", got, want)
	}
	below := e
	below.Dir = filepath.Join(top, "a")
	if got := line(below); got != "Untracked files here: 2 (deep/.gitignore, deep/new.go)" {
		t.Error(got)
	}
	if err := os.WriteFile(filepath.Join(top, ".git", "index"), []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := line(e); got != "" {
		t.Error(got)
	}
}

// Many files are counted, some are named, and more than can be looked at are not known.
func TestManyUntrackedFiles(t *testing.T) {
	files := map[string]string{".git/HEAD": "ref: refs/heads/main\n"}
	for i := range 30 {
		files[fmt.Sprintf("f%02d", i)] = ""
	}
	files["bad\u202ename"] = ""
	top := tree(t, files)
	text := Environment{Dir: top, Date: "2026-03-01"}.Text(t.Context())
	if !strings.Contains(text, `Untracked files here: 31 ("bad\u202ename", f00, `) || !strings.Contains(text, "f08 and 21 more)\n") {
		t.Error(text)
	}
	real, err := filepath.EvalSymlinks(top)
	if err != nil {
		t.Fatal(err)
	}
	for left, cut := range map[int]bool{31: true, 32: false} {
		in, err := safefs.Descend(real)
		if err != nil {
			t.Fatal(err)
		}
		w := newWalk{ctx: t.Context(), left: left}
		w.folder(in, "", git.Ignores{}, 0)
		in.Release()
		if w.cut != cut || !cut && !slices.Contains(w.found, "f29") {
			t.Errorf("%d: cut %v, %v", left, w.cut, w.found)
		}
	}
}
