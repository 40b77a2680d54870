package git

import (
	"context"
	"crypto/sha1"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// indexed encodes an index of files in a directory, as git writes it.
func indexed(t *testing.T, dir string, version uint32, names ...string) []byte {
	t.Helper()
	be := binary.BigEndian
	out := append([]byte("DIRC"), 0, 0, 0, byte(version))
	out = be.AppendUint32(out, uint32(len(names)))
	last := ""
	for _, name := range names {
		info, err := os.Lstat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		e := make([]byte, statBytes+sumBytes+2)
		be.PutUint32(e[8:], uint32(info.ModTime().Unix()))
		be.PutUint32(e[12:], uint32(info.ModTime().Nanosecond()))
		be.PutUint32(e[24:], 0o100644)
		be.PutUint32(e[36:], uint32(info.Size()))
		sum := sha1.Sum(append(header(len(data)), data...))
		copy(e[40:], sum[:])
		be.PutUint16(e[60:], uint16(min(len(name), flagName)))
		if version >= 3 {
			e[60] |= flagExtended >> 8
			e = append(e, 0, 0)
		}
		if version == versionPrefix {
			shared := 0
			for shared < len(last) && shared < len(name) && last[shared] == name[shared] {
				shared++
			}
			e = append(e, byte(len(last)-shared))
			e = append(append(e, name[shared:]...), 0)
		} else {
			e = append(e, name...)
			e = append(e, make([]byte, entryAlignment-len(e)%entryAlignment)...)
		}
		out = append(out, e...)
		last = name
	}
	return append(out, make([]byte, 20)...)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestChanged(t *testing.T) {
	for _, version := range []uint32{2, 3, 4} {
		dir := t.TempDir()
		names := []string{"README.md", "a/deep/file.go", "a/deep/other.go", "b.txt", "c.txt"}
		for _, name := range names {
			write(t, filepath.Join(dir, name), "text of "+name)
		}
		write(t, filepath.Join(dir, ".git", "HEAD"), "ref: refs/heads/main\n")
		write(t, filepath.Join(dir, ".git", "index"), string(indexed(t, dir, version, names...)))
		count := func(want int, after string) {
			t.Helper()
			if got, ok := Changed(t.Context(), filepath.Join(dir, "a")); !ok || got != want {
				t.Errorf("version %d, %s: %d, %v, not %d", version, after, got, ok, want)
			}
		}
		count(0, "nothing")
		write(t, filepath.Join(dir, "new.txt"), "not git's")
		count(0, "a new file")
		later := time.Now().Add(time.Hour)
		if err := os.Chtimes(filepath.Join(dir, "b.txt"), later, later); err != nil {
			t.Fatal(err)
		}
		count(0, "a touched file")
		write(t, filepath.Join(dir, "b.txt"), "TEXT of b.txt")
		if err := os.Chtimes(filepath.Join(dir, "b.txt"), later, later); err != nil {
			t.Fatal(err)
		}
		count(1, "the same size")
		write(t, filepath.Join(dir, "a/deep/file.go"), "longer than it was before")
		count(2, "another size")
		if err := os.Remove(filepath.Join(dir, "README.md")); err != nil {
			t.Fatal(err)
		}
		count(3, "a removed file")
	}
}

func TestChangedIsUnknown(t *testing.T) {
	dir := t.TempDir()
	if n, ok := Changed(t.Context(), dir); ok {
		t.Errorf("%d outside a repository", n)
	}
	write(t, filepath.Join(dir, ".git", "HEAD"), "ref: refs/heads/main\n")
	if n, ok := Changed(t.Context(), dir); ok {
		t.Errorf("%d without an index", n)
	}
	for _, bad := range []string{"", "DIRC", "DIRC\x00\x00\x00\x02\x00\x00\x00\x05", "DIRC\x00\x00\x00\x09\x00\x00\x00\x00", "PACK" + strings.Repeat("x", 100)} {
		write(t, filepath.Join(dir, ".git", "index"), bad)
		if n, ok := Changed(t.Context(), dir); ok {
			t.Errorf("%q: %d", bad, n)
		}
	}
	write(t, filepath.Join(dir, "file"), "text")
	write(t, filepath.Join(dir, ".git", "index"), string(indexed(t, dir, 2, "file")))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if n, ok := Changed(ctx, dir); ok {
		t.Errorf("%d in a context that has ended", n)
	}
}

func FuzzParseIndex(f *testing.F) {
	f.Add([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x01" + strings.Repeat("x", 62) + "\x00name\x00"))
	f.Add([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x02" + strings.Repeat("\x00", 200)))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, foreign := range []bool{false, true} {
			if x, err := parseIndex(data, foreign); err == nil && len(x.Entries) > len(data) {
				t.Fatal("more entries than bytes")
			}
		}
	})
}
