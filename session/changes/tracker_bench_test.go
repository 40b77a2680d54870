package changes

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"parley/session"
)

// BenchmarkBefore measures what images add to an edit of a file of 1 MB before it runs, beside a plain copy of the file.
func BenchmarkBefore(b *testing.B) {
	content := string(bytes.Repeat([]byte("sixteen letters\n"), 1<<16))
	b.Run("images", func(b *testing.B) {
		r := newRig(b)
		r.write("a", content)
		for b.Loop() {
			r.Before(b.Context(), session.FileCall{Call: "c", Tool: "Edit", Paths: []string{"a"}})
			b.StopTimer()
			r.Drop("c")
			b.StartTimer()
		}
	})
	b.Run("copy", func(b *testing.B) {
		dir := b.TempDir()
		from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
		if err := os.WriteFile(from, []byte(content), 0o644); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			read, err := os.ReadFile(from)
			if err == nil {
				err = os.WriteFile(to, read, 0o600)
			}
			if err == nil {
				err = os.Remove(to)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}
