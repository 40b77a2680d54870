package git

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/repeat"
)

func runGit(t testing.TB, dir, in string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(in)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_TEMPLATE_DIR=", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b.c",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b.c")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func sumOf(t testing.TB, text string) (s Sum) {
	t.Helper()
	if n, err := hex.Decode(s[:], []byte(text)); err != nil || n != len(s) {
		t.Fatalf("%q is not a sum: %v", text, err)
	}
	return s
}

// versions returns contents that git packs as deltas of each other.
func versions(n int) []string {
	lines := make([]string, 3000)
	for i := range lines {
		lines[i] = fmt.Sprintf("line %d: %x", i, sha1.Sum([]byte{byte(i), byte(i >> 8)}))
	}
	var all []string
	for v := range n {
		lines[v*97%len(lines)] = fmt.Sprintf("version %d", v)
		all = append(all, strings.Join(lines[:len(lines)-v*7], "\n"))
	}
	return append(all, "", "x", strings.Repeat("\x00\xff", 100_000))
}

func TestBlob(t *testing.T) {
	dir := t.TempDir()
	runGit(t, dir, "", "init", "-q")
	contents := map[Sum]string{}
	for _, text := range versions(repeat.Times(12, 20, 40)) {
		contents[sumOf(t, runGit(t, dir, text, "hash-object", "-w", "--stdin"))] = text
	}
	check := func(name, common string, store *Objects) {
		t.Helper()
		if store == nil {
			store = OpenObjects(t.Context(), common)
			defer store.Close()
		}
		for sum, want := range contents {
			got, err := store.Blob(t.Context(), sum, 1<<20)
			if err != nil || string(got) != want {
				t.Fatalf("%s: %d bytes, %v, not the %d bytes of %v", name, len(got), err, len(want), sum)
			}
		}
		if _, err := store.Blob(t.Context(), Sum{1}, 1<<20); !errors.Is(err, ErrMissing) {
			t.Errorf("%s: an unknown sum: %v", name, err)
		}
	}
	common := filepath.Join(dir, ".git")
	open := OpenObjects(t.Context(), common)
	defer open.Close()
	check("loose", "", open)
	var list strings.Builder
	for sum := range contents {
		list.WriteString(sum.String() + "\n")
	}
	for _, args := range [][]string{{"--delta-base-offset"}, {"--no-reuse-delta"}} { // bases by offset, and by sum
		runGit(t, dir, list.String(), append([]string{"pack-objects", "-q", "--window=50", "--depth=50", filepath.Join(common, "objects/pack/pack")}, args...)...)
		runGit(t, dir, "", "prune-packed")
		check("packed "+args[0], common, nil)
		check("packed meanwhile", "", open)
	}
	other := t.TempDir()
	runGit(t, other, "", "clone", "-q", "--bare", "--shared", dir, "copy")
	check("alternates", filepath.Join(other, "copy"), nil)
}

func TestBlobIsRefused(t *testing.T) {
	dir := t.TempDir()
	runGit(t, dir, "", "init", "-q")
	sum := sumOf(t, runGit(t, dir, strings.Repeat("a", 5000), "hash-object", "-w", "--stdin"))
	tree := sumOf(t, runGit(t, dir, "", "mktree"))
	common := filepath.Join(dir, ".git")
	store := OpenObjects(t.Context(), common)
	defer store.Close()
	if _, err := store.Blob(t.Context(), sum, 4999); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a large object: %v", err)
	}
	if _, err := store.Blob(t.Context(), tree, 4999); !errors.Is(err, ErrDamaged) {
		t.Errorf("a tree: %v", err)
	}
	path := filepath.Join(common, "objects", sum.String()[:2], sum.String()[2:])
	good, err := os.ReadFile(filepath.Join(common, "objects", tree.String()[:2], tree.String()[2:]))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"other content": good, "no content": nil, "text": []byte("blob 1\x00a")} {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Blob(t.Context(), sum, 1<<20); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := store.Blob(ctx, sum, 1<<20); err == nil {
		t.Error("a context that has ended is not noticed")
	}
}

func TestAlternatesEnd(t *testing.T) {
	dir := t.TempDir()
	for i := range 40 {
		info := filepath.Join(dir, fmt.Sprint(i), "objects", "info")
		if err := os.MkdirAll(info, 0o755); err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("# a comment\n../../%d/objects\n../../%d/objects\n", (i+1)%40, i)
		if err := os.WriteFile(filepath.Join(info, "alternates"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if s := OpenObjects(t.Context(), filepath.Join(dir, "0")); len(s.dirs) != maxDirs {
		t.Errorf("%d directories", len(s.dirs))
	}
}
