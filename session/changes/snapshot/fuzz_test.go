package snapshot

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is put comes back byte for byte, and an image with any other bytes does not.
func FuzzPutAndRead(f *testing.F) {
	f.Add([]byte(nil), []byte("x"))
	f.Add([]byte("hello\n"), []byte("hello\r\n"))
	f.Add(bytes.Repeat([]byte{0, 0xff}, chunk), []byte{0})
	s := New(Options{Dir: filepath.Join(realDir(f), "images")})
	f.Fuzz(func(t *testing.T, content, other []byte) {
		st, err := s.Put(t.Context(), content)
		must(t, err)
		got, err := s.Read(t.Context(), st)
		if err != nil || !bytes.Equal(got, content) || st.Size != int64(len(content)) {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
		must(t, os.WriteFile(s.path(st.Sum), other, 0o600))
		got, err = s.Read(t.Context(), st)
		if same := bytes.Equal(content, other); same != (err == nil) || !same && (got != nil || !errors.Is(err, ErrDamaged)) {
			t.Fatalf("damaged: %q, %v", got, err)
		}
		path := filepath.Join(s.o.Dir, "..", "restored")
		err = s.Restore(t.Context(), path, State{Kind: None}, st)
		if _, none := os.Lstat(path); (err == nil) != bytes.Equal(content, other) || (none == nil) != (err == nil) {
			t.Fatalf("restored: %v, %v", err, none)
		}
		_ = os.Remove(path)
		again, err := s.Put(t.Context(), content) // which mends it
		must(t, err)
		if got, err := s.Read(t.Context(), again); err != nil || !bytes.Equal(got, content) {
			t.Fatalf("put again: %q, %v", got, err)
		}
	})
}

// States from a damaged record lead to no file but images, and names of any bytes are restored in their directory or not at
// all.
func FuzzNames(f *testing.F) {
	for _, name := range []string{"a", "", ".", "..", "../x", "a/b", "a/", "a/../../x", "/etc/passwd", "..\x00", "\xff", "-", ".parley-", strings.Repeat("x", 300),
		strings.Repeat("a", 64), "../" + strings.Repeat("a", 61), strings.Repeat("A", 64)} {
		f.Add(name)
	}
	outside := realDir(f)
	dir := filepath.Join(outside, "dir")
	must(f, os.WriteFile(filepath.Join(outside, "x"), []byte("secret"), 0o600))
	s := New(Options{Dir: filepath.Join(outside, "images")})
	content, none := []byte("content"), State{Kind: None}
	st, err := s.Put(f.Context(), content)
	must(f, err)
	f.Fuzz(func(t *testing.T, name string) {
		for _, size := range []int64{0, 6, 7, -1} {
			if got, err := s.Read(t.Context(), State{Kind: File, Sum: name, Size: size}); err == nil && name != st.Sum {
				t.Fatalf("read %q", got)
			}
			if s.Refresh(State{Kind: File, Sum: name, Size: size}) && name != st.Sum {
				t.Fatal("refreshed")
			}
		}
		must(t, os.MkdirAll(dir, 0o700))
		defer os.RemoveAll(dir)
		if !filepath.IsLocal(name) {
			return
		}
		path := dir + "/" + name
		if err := s.Restore(t.Context(), path, none, st); err == nil {
			if got := take(t, s, path); !got.Same(st) {
				t.Fatalf("%+v", got)
			}
			must(t, s.Restore(t.Context(), path, st, none))
		}
		if got, err := os.ReadFile(filepath.Join(outside, "x")); err != nil || string(got) != "secret" || len(entries(t, outside)) != 3 {
			t.Fatalf("%q, %v, %q", got, err, entries(t, outside))
		}
	})
}
