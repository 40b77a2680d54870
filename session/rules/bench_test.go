//go:build unix

package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session/permission"
)

// BenchmarkKept looks up the rules of a directory, with a thousand of them in the project's file.
func BenchmarkKept(b *testing.B) {
	dir := b.TempDir()
	s := New(Options{Config: filepath.Join(dir, "config"), Data: filepath.Join(dir, "data"), Policy: SystemPolicy()})
	var text strings.Builder
	text.WriteString("rules:\n")
	for i := range 1000 {
		fmt.Fprintf(&text, "- allow: command make target%d *\n  since: 2026-11-22\n", i)
	}
	path := s.Path(dir, permission.FromProject)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		b.Fatal(err)
	}
	b.Run("unchanged", func(b *testing.B) {
		for b.Loop() {
			if n := len(s.Kept(dir).Rules); n != 1000 {
				b.Fatal(n)
			}
		}
	})
	b.Run("changed", func(b *testing.B) {
		for b.Loop() {
			s.reread(path)
			if n := len(s.Kept(dir).Rules); n != 1000 {
				b.Fatal(n)
			}
		}
	})
}
