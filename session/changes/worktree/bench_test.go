package worktree

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// imported makes a repository with files in directories of twenty, all checked out and committed.
func imported(t testing.TB, files int) string {
	t.Helper()
	dir := isolated(t)
	runGit(t, dir, "init", "-q")
	var in bytes.Buffer
	fmt.Fprintf(&in, "commit refs/heads/main\ncommitter a <a@b.c> 1700000000 +0000\ndata 0\n")
	for i := range files {
		d, text := i/20, fmt.Sprintf("file %d\n%s\n", i, strings.Repeat("x", i%700))
		fmt.Fprintf(&in, "M 100644 inline d%02d/e%02d/package%d/name_of_file_%d.go\ndata %d\n%s\n", d%50, d/50%10, d, i, len(text), text)
	}
	cmd := exec.Command("git", "fast-import", "--quiet")
	cmd.Dir, cmd.Stdin = dir, &in
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git fast-import: %v\n%s", err, out)
	}
	runGit(t, dir, "symbolic-ref", "HEAD", "refs/heads/main")
	runGit(t, dir, "reset", "-q", "--hard")
	time.Sleep(2 * tick) // git reads again what is as new as its index
	runGit(t, dir, "status")
	return dir
}

// BenchmarkTree compares a tree of 100,000 files in 5,000 directories, beside git status in the same tree.
func BenchmarkTree(b *testing.B) {
	dir := imported(b, 100_000)
	tree := newTree(b, dir)
	tree.later()
	s := tree.Look(b.Context())
	b.Run("Look", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s = tree.Look(b.Context())
		}
		if len(s.states) > 0 || s.files.Load() < 100_000 {
			b.Fatal(len(s.states), s.files.Load())
		}
	})
	b.Run("Compare", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if r := tree.Compare(b.Context(), s); len(r.Changed) > 0 || r.Gap != "" {
				b.Fatal(r)
			}
		}
	})
	b.Run("CompareTen", func(b *testing.B) {
		for i := range 10 {
			write(b, dir, fmt.Sprintf("d0%d/e00/package%d/name_of_file_%d.go", i, i, i*20), "changed")
		}
		b.ReportAllocs()
		for b.Loop() {
			if r := tree.Compare(b.Context(), s); len(r.Changed) != 10 || r.Gap != "" {
				b.Fatal(r)
			}
		}
	})
	b.Run("GitStatus", func(b *testing.B) {
		for b.Loop() {
			cmd := exec.Command("git", "status", "--porcelain")
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_OPTIONAL_LOCKS=0")
			if err := cmd.Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
