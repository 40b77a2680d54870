package worktree

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/internal/repeat"
)

// chooser makes choices from bytes, zeros after their end.
type chooser struct{ data []byte }

func (c *chooser) upTo(n int) int {
	if len(c.data) == 0 {
		return 0
	}
	b := c.data[0]
	c.data = c.data[1:]
	return int(b) % n
}

func (c *chooser) of(all ...string) string { return all[c.upTo(len(all))] }

// name returns a path; few, so that steps meet.
func (c *chooser) name() string {
	name := c.of("a", "b", "c.o", "a-b", "with space", "two\nlines", "\xff\xfe", "keep.o", "d", ".hidden", "a.b", "ü")
	for range c.upTo(3) {
		name = c.of("d", "e", "build", "nested", "a", "d-e", "d.e") + "/" + name
	}
	return name
}

func (c *chooser) content() string {
	return c.of("", "x\n", "y\n", "same size 1\n", "same size 2\n", "one\r\ntwo\r\n", "one\ntwo\n", "\x00\xff", strings.Repeat("long\n", 3000))
}

// disturb does one thing that a command may do. What fails is left as it is.
func (c *chooser) disturb(t testing.TB, dir string, inGit bool) {
	path := filepath.Join(dir, c.name())
	_ = os.MkdirAll(filepath.Dir(path), 0o755)
	switch c.upTo(16) {
	case 0, 1, 2, 3:
		_ = os.WriteFile(path, []byte(c.content()), 0o644)
	case 4:
		_ = os.RemoveAll(path)
	case 5:
		_ = os.RemoveAll(filepath.Dir(path))
		_ = os.MkdirAll(dir, 0o755)
	case 6:
		_ = os.Rename(path, filepath.Join(dir, c.name()))
	case 7:
		_ = os.Rename(filepath.Dir(path), filepath.Join(dir, c.of("e", "f", "build")))
		_ = os.MkdirAll(dir, 0o755)
	case 8:
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
			_ = os.Chmod(path, []os.FileMode{0o755, 0o600, 0o644, 0o444}[c.upTo(4)])
		}
	case 9:
		_ = os.Remove(path)
		_ = os.Symlink(c.of("a", "d", "..", "nowhere", "/"), path)
	case 10: // the same times, another content
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
			_ = os.WriteFile(path, []byte(c.content()), 0o644)
			_ = os.Chtimes(path, info.ModTime(), info.ModTime())
		}
	case 11: // touched
		if b, err := os.ReadFile(path); err == nil {
			_ = os.WriteFile(path, b, 0o644)
		}
	case 12:
		_ = os.Remove(path)
		_ = os.Link(filepath.Join(dir, c.name()), path)
	case 13:
		at := c.of(".gitignore", "d/.gitignore", ".gitattributes", ".git/info/exclude")
		if _, err := os.Lstat(filepath.Join(dir, filepath.Dir(at))); err == nil {
			_ = os.WriteFile(filepath.Join(dir, at), []byte(c.of("*.o\n", "*.o\n!keep.o\nbuild/\n", "/d/\n", "", "a\n", "* text eol=crlf\n", "*.o filter=x\n* text=auto\n", "d/*\n!d/a\n")), 0o644)
		}
	default:
		if inGit {
			c.git(dir)
		}
	}
}

// runGit runs git in a way that a command may; it may fail.
func (c *chooser) git(dir string) {
	args := [][]string{
		{"add", "-A"}, {"add", "-A", "-f"}, {"commit", "-qam", "more"}, {"checkout", "-q", "-f", "other"}, {"checkout", "-q", "-f", "main"},
		{"branch", "-f", "other"}, {"rm", "-q", "--cached", "-r", "d"}, {"stash", "-q", "-u"}, {"stash", "pop", "-q"}, {"reset", "-q", "--hard"},
		{"clean", "-q", "-f", "-d"}, {"gc", "-q", "--prune=now"}, {"update-index", "--index-version", "4"}, {"merge", "-q", "other"},
		{"update-index", "--assume-unchanged", "a"}, {"mv", "-f", "a", "b"}, {"config", "core.autocrlf", "true"}, {"repack", "-adq"},
	}[c.upTo(18)]
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b.c", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b.c")
	_ = cmd.Run()
}

// compareRandomly makes a tree and changes it, in rounds, as the bytes say, and judges what is found.
func compareRandomly(t *testing.T, data []byte, inGit bool) {
	c := &chooser{data}
	dir := isolated(t)
	for range 4 + c.upTo(12) {
		c.disturb(t, dir, false)
	}
	if inGit {
		runGit(t, dir, "init", "-q", "-b", "main")
		_ = os.Mkdir(filepath.Join(dir, ".git/info"), 0o755)
		runGit(t, dir, "add", "-A")
		runGit(t, dir, "commit", "-qm", "first", "--allow-empty")
		if c.upTo(3) == 0 {
			nested := filepath.Join(dir, "nested")
			_ = os.RemoveAll(nested)
			write(t, nested, "a", "of another repository\n", "b", "b\n")
			runGit(t, nested, "init", "-q", "-b", "main")
			runGit(t, nested, "add", "a")
			runGit(t, nested, "commit", "-qm", "nested")
		}
	}
	tree := newTree(t, dir)
	for range 1 + c.upTo(3) {
		if c.upTo(2) == 0 { // as a command does, come so late that signatures are trusted
			time.Sleep(tick + 10*time.Millisecond)
		}
		for range c.upTo(6) {
			c.disturb(t, dir, inGit)
		}
		before := see(t, dir)
		s := tree.Look(t.Context())
		for range 1 + c.upTo(10) {
			c.disturb(t, dir, inGit)
		}
		after := see(t, dir)
		judge(t, tree, dir, before, after, tree.Compare(t.Context(), s))
		if t.Failed() {
			t.Fatalf("in %s", dir)
		}
	}
}

func TestRandomChangesWithGit(t *testing.T) {
	for seed := range repeat.Times(2, 4, 12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { compareRandomly(t, randomBytes(uint64(seed), 400), true) })
	}
}

func TestRandomChangesWithoutGit(t *testing.T) {
	for seed := range repeat.Times(4, 10, 40) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { compareRandomly(t, randomBytes(uint64(seed), 400), false) })
	}
}

func randomBytes(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func FuzzCompare(f *testing.F) {
	for seed := range 2 {
		f.Add(randomBytes(uint64(seed), 300), seed%2 == 0)
	}
	f.Fuzz(func(t *testing.T, data []byte, inGit bool) { compareRandomly(t, data, inGit) })
}
