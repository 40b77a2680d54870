//go:build unix

package patch

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/repeat"
	"parley/session"
	"parley/session/changes"
	"parley/session/changes/snapshot"
)

// world holds contents in a store.
type world struct {
	t     *testing.T
	store *snapshot.Store
}

func newWorld(t *testing.T) world {
	t.Helper()
	return world{t, snapshot.New(snapshot.Options{Dir: t.TempDir()})}
}

func (w world) differ(path string, from, to snapshot.State) (session.FileEdit, error) {
	return Exact(w.t.Context(), w.store)(path, from, to)
}

// state returns the state of a text of a random tree: "-" is nothing, ">x" a link, "*x" a program.
func (w world) state(text string) snapshot.State {
	s := st(text)
	if s.Kind == snapshot.File {
		kept, err := w.store.Put(w.t.Context(), []byte(strings.TrimPrefix(text, "*")))
		if err != nil {
			w.t.Fatal(err)
		}
		s.Sum, s.Size = kept.Sum, kept.Size
	}
	return s
}

// contents are those of the random trees.
var contents = []string{"-", "-", "a\n", "b\n", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\n", "a\nb\nc\nD\ne\nf\ng\nh\ni\nj\nk\nl\nM\n", "no end", "a\r\nb\r\n", "",
	">a", ">b/c", ">two\nlines", "*a\n", "*#!/bin/sh\necho\n", "*", "bytes \xff\x1b[2J\n", "--- a/x\n+++ b/x\n", "diff --git a/x b/x\n", "ü\u202e\n", "\n\n"}

var names = []string{"a", "b", "dir/c", "dir/with blank", "q\"uote", "tab\there", "new\nline", "back\\slash", "-dash", "ü", "esc\x1b[2J", "bytes\xff", "d/e/e/p"}

// build makes the files of a tree in an empty directory.
func build(t *testing.T, dir string, tree map[string]string) {
	t.Helper()
	for name, text := range tree {
		path := filepath.Join(dir, name)
		s := st(text)
		if s.Kind == snapshot.None {
			continue
		}
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		switch {
		case err != nil:
		case s.Kind == snapshot.Link:
			err = os.Symlink(s.Target, path)
		default:
			if err = os.WriteFile(path, []byte(strings.TrimPrefix(text, "*")), 0o600); err == nil {
				err = os.Chmod(path, s.Mode)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// scan returns the tree of a directory.
func scan(t *testing.T, dir string) map[string]string {
	t.Helper()
	tree := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		if d.Type()&os.ModeSymlink != 0 {
			target, err := os.Readlink(path)
			tree[rel] = ">" + target
			return err
		}
		data, err := os.ReadFile(path)
		info, _ := d.Info()
		if info.Mode()&0o100 != 0 {
			data = append([]byte("*"), data...)
		}
		tree[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func without(tree map[string]string) map[string]string {
	out := maps.Clone(tree)
	maps.DeleteFunc(out, func(_, text string) bool { return text == "-" })
	return out
}

// apply runs git apply on a patch in a directory that is in no repository.
func apply(t *testing.T, dir string, patch []byte, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"apply", "--whitespace=nowarn"}, args...)...)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(patch)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir), "LC_ALL=C")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// Whatever happened to files, git takes the patch in both directions.
func TestGitAppliesPatchesBothWays(t *testing.T) {
	for seed := range repeat.Times(5, 12, 60) {
		r := rand.New(rand.NewPCG(uint64(seed), 13))
		w := newWorld(t)
		before, after := map[string]string{}, map[string]string{}
		var all []changes.Change
		for _, name := range names {
			before[name], after[name] = contents[r.IntN(len(contents))], contents[r.IntN(len(contents))]
			if r.IntN(3) == 0 {
				after[name] = before[name]
			}
			all = append(all, changes.Change{Path: filepath.Join("/project", name), Before: w.state(before[name]), After: w.state(after[name]), Status: changes.Open})
		}
		var patch bytes.Buffer
		for _, f := range Net(all) {
			if err := Write(&patch, "/project", f, w.differ); err != nil {
				t.Fatal(err)
			}
		}
		if patch.Len() == 0 {
			continue
		}
		root := t.TempDir()
		for direction, tree := range map[string][2]map[string]string{"-R": {after, before}, "--apply": {before, after}} {
			dir := filepath.Join(root, direction)
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			build(t, dir, tree[0])
			if out, err := apply(t, dir, patch.Bytes(), direction); err != nil {
				t.Fatalf("seed %d: git apply %s: %v\n%s\n%s", seed, direction, err, out, patch.String())
			}
			if got, want := scan(t, dir), without(tree[1]); !maps.Equal(got, want) {
				t.Fatalf("seed %d: git apply %s leaves\n%q\nand not\n%q\nof\n%s", seed, direction, got, want, patch.String())
			}
		}
	}
}

// What a patch cannot hold is said, and git refuses no patch for it that it could apply otherwise.
func TestWhatAPatchCannotHold(t *testing.T) {
	w := newWorld(t)
	large := snapshot.State{Kind: snapshot.File, Mode: 0o644, Size: 1 << 40, Unkept: "it is larger than 32 MB."}
	private := w.state("a\n")
	private.Mode = 0o600
	for name, tc := range map[string]struct {
		file    File
		want    string
		refuses bool
	}{
		"permissions": {File{Path: "/project/f", Before: private, After: w.state("b\n")},
			"# f: permissions 600 to 644, which git does not record\ndiff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n", false},
		"large": {File{Path: "/project/f", Before: snapshot.State{Kind: snapshot.None}, After: large},
			"# f: its content was not kept: it is larger than 32 MB\ndiff --git a/f b/f\nnew file mode 100644\nBinary files /dev/null and b/f differ\n", true},
		"swept": {File{Path: "/project/f", Before: snapshot.State{Kind: snapshot.File, Mode: 0o644, Size: 2, Sum: strings.Repeat("ab", 32)}, After: w.state("b\n")},
			"# f: its content is not kept any more\ndiff --git a/f b/f\nBinary files a/f and b/f differ\n", true},
		"binary": {File{Path: "/project/f", Before: w.state("a\x00"), After: w.state("b\x00")},
			"diff --git a/f b/f\nBinary files a/f and b/f differ\n", true},
		"directory": {File{Path: "/project/f", Before: w.state("a\n"), After: snapshot.State{Kind: snapshot.Other}},
			"# f: something that is not a file stood there, or stands there now\ndiff --git a/f b/f\ndeleted file mode 100644\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", false},
		"outside": {File{Path: "/etc/f", Before: w.state("a\n"), After: w.state("b\n")},
			"diff --git a//etc/f b//etc/f\n--- a//etc/f\n+++ b//etc/f\n@@ -1 +1 @@\n-a\n+b\n", true},
	} {
		var b bytes.Buffer
		if err := Write(&b, "/project", tc.file, w.differ); err != nil || b.String() != tc.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, b.String(), tc.want)
		}
		dir := t.TempDir()
		build(t, dir, map[string]string{"f": "b\n"})
		if name == "directory" {
			os.Remove(filepath.Join(dir, "f"))
		}
		if out, err := apply(t, dir, b.Bytes(), "-R"); (err != nil) != tc.refuses {
			t.Errorf("%s: git apply -R: %v\n%s", name, err, out)
		}
	}
}

func TestCounts(t *testing.T) {
	w := newWorld(t)
	for name, tc := range map[string]struct {
		before, after string
		want          Counts
	}{
		"edit": {"a\nb\n", "a\nc\nd\n", Counts{Added: 2, Removed: 1}}, "made": {"-", "a\nb\n", Counts{Added: 2}}, "mode": {"a\n", "*a\n", Counts{}},
		"link": {"a\n", ">b", Counts{Added: 1, Removed: 1}}, "binary": {"-", "a\x00", Counts{Binary: true}}, "empty": {"", "-", Counts{}},
	} {
		got, err := Count(File{Path: "/f", Before: w.state(tc.before), After: w.state(tc.after)}, w.differ)
		if err != nil || got != tc.want {
			t.Errorf("%s: %+v, want %+v (%v)", name, got, tc.want, err)
		}
	}
	if got, err := Count(File{Before: st("-"), After: snapshot.State{Kind: snapshot.File, Unkept: "large"}}, w.differ); err != nil || !got.Unkept {
		t.Errorf("unkept: %+v %v", got, err)
	}
}
