package worktree

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"parley/internal/git"
	"parley/session/changes/snapshot"
)

// world is everything in a directory as a naive reader sees it.
type world struct {
	// disk has all files and directories but those of git, by path relative to the directory: what show would print.
	disk map[string]string
	// watched are the files that git does not ignore; without git all.
	watched map[string]bool
}

// see reads everything.
func see(t testing.TB, dir string) world {
	t.Helper()
	w := world{disk: map[string]string{}, watched: map[string]bool{}}
	repos := []string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil || rel == "." {
			return err
		}
		if d.Name() == ".git" {
			repos = append(repos, filepath.Dir(path))
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		w.disk[rel] = seen(t, path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, repo := range repos {
		for _, name := range strings.Split(runGit(t, repo, "ls-files", "-co", "--exclude-standard", "-z"), "\x00") {
			rel, _ := filepath.Rel(dir, filepath.Join(repo, name))
			if state, ok := w.disk[rel]; ok && name != "" && state != "other" {
				w.watched[rel] = true
			}
		}
	}
	if len(repos) == 0 {
		for rel, state := range w.disk {
			if state != "other" {
				w.watched[rel] = true
			}
		}
	}
	return w
}

// seen returns what stands at a path as [stateText] would describe it.
func seen(t testing.TB, path string) string {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	switch info.Mode().Type() {
	case 0:
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%v %q", info.Mode(), b)
	case fs.ModeSymlink:
		target, err := os.Readlink(path)
		if err != nil {
			t.Fatal(err)
		}
		return "-> " + target
	}
	return "other"
}

// stateText describes a state with the content that the store has.
func stateText(t testing.TB, tree *Tree, s snapshot.State) string {
	t.Helper()
	switch s.Kind {
	case snapshot.None:
		return ""
	case snapshot.Link:
		return "-> " + s.Target
	case snapshot.File:
		if s.Unkept != "" {
			return "unkept"
		}
		b, err := tree.o.Store.Read(t.Context(), s)
		if err != nil {
			t.Fatalf("%v: %v", s, err)
		}
		return fmt.Sprintf("%v %q", s.Mode, b)
	}
	return "other"
}

// file returns what is expected of a path: a directory is nothing before, and something else after.
func file(state string) string {
	if state == "other" {
		return ""
	}
	return state
}

// hidden reports whether a path, or a directory above it, was there and not watched.
func (w world) hidden(rel string) bool {
	for ; rel != "."; rel = filepath.Dir(rel) {
		state, is := w.disk[rel]
		if is && state != "other" {
			return !w.watched[rel]
		}
		if is {
			for path := range w.watched {
				if strings.HasPrefix(path, rel+"/") {
					return false // it was looked into; what it has not was not there
				}
			}
			return true
		}
	}
	return false
}

// judge holds a result against what a naive reader saw before and after.
func judge(t testing.TB, tree *Tree, dir string, before, after world, r Result) {
	t.Helper()
	if r.Gap != "" {
		t.Errorf("gap: %s", r.Gap)
	}
	got := map[string]Changed{}
	last := ""
	for _, c := range r.Changed {
		rel, err := filepath.Rel(dir, c.Path)
		if err != nil || c.Path <= last {
			t.Fatalf("%q after %q: %v", c.Path, last, err)
		}
		last, got[rel] = c.Path, c
		was, is := stateText(t, tree, c.Before), stateText(t, tree, c.After)
		if is != after.disk[rel] {
			t.Errorf("%q: after is %s, not %s", rel, is, after.disk[rel])
		}
		switch {
		case was == "unkept" && !before.watched[rel] && before.hidden(rel):
		case was == "unkept" && strings.HasPrefix(c.Before.Unkept, "git does not have") && !hasObject(filepath.Dir(c.Path), before.disk[rel]):
		case was == is:
			t.Errorf("%q: no change of %s", rel, is)
		case was != file(before.disk[rel]):
			t.Errorf("%q: before is %s, not %s (%s)", rel, was, before.disk[rel], c.Before.Unkept)
		}
		for _, d := range c.Dirs {
			rel, _ := filepath.Rel(dir, d)
			if before.disk[rel] == "other" {
				t.Errorf("%q: %q is not new", c.Path, rel)
			}
		}
		for up := filepath.Dir(rel); up != "." && before.disk[rel] != "other" && c.After.Kind != snapshot.None && stateText(t, tree, c.Before) == ""; up = filepath.Dir(up) {
			if want := before.disk[up] != "other"; want != contains(c.Dirs, filepath.Join(dir, up)) {
				t.Errorf("%q: %q is new: %v, dirs are %q", c.Path, up, want, c.Dirs)
			}
		}
	}
	for rel := range before.watched {
		if _, is := got[rel]; !is && before.disk[rel] != after.disk[rel] {
			t.Errorf("%q: %s became %s unseen", rel, before.disk[rel], after.disk[rel])
		}
	}
	for rel := range after.watched {
		if _, is := got[rel]; !is && file(before.disk[rel]) != after.disk[rel] {
			t.Errorf("%q: %s became %s unseen", rel, before.disk[rel], after.disk[rel])
		}
	}
}

// hasObject reports whether the repository of a directory has the content of a state.
func hasObject(dir, state string) bool {
	content, link := strings.CutPrefix(state, "-> ")
	if !link {
		_, quoted, _ := strings.Cut(state, " ")
		content, _ = strconv.Unquote(quoted)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, ".git", "HEAD")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			return false
		}
		dir = filepath.Dir(dir)
	}
	sum := git.Sum(sumOf([]byte(content)))
	cmd := exec.Command("git", "cat-file", "-e", sum.String())
	cmd.Dir = dir
	return cmd.Run() == nil
}

func contains(all []string, s string) bool {
	for _, have := range all {
		if have == s {
			return true
		}
	}
	return false
}
