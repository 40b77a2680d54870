package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPastedImage(t *testing.T) {
	for text, want := range map[string]string{
		"/tmp/a.png":                 "/tmp/a.png",
		" ~/shots/b.JPG\n":           "~/shots/b.JPG",
		`'/tmp/with blank.webp'`:     "/tmp/with blank.webp",
		`/tmp/with\ blank.gif`:       "/tmp/with blank.gif",
		`'/tmp/it'\''s.png'`:         "/tmp/it's.png",
		"file:///tmp/with%20url.png": "/tmp/with url.png",
		"b.png":                      "",
		"/tmp/a.txt":                 "",
		"/tmp/a.png\n/tmp/b.png":     "",
		"see /tmp/a.png":             "",
		"":                           "",
	} {
		got, ok := PastedImage(text)
		if ok != (want != "") || ok && got != want {
			t.Errorf("%q is the image %q (%v), want %q", text, got, ok, want)
		}
	}
}

func TestReadImageLooksAtTheContent(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	kind, data, err := ReadImage(t.Context(), write("a.txt", "\x89PNG\r\n\x1a\nrest"))
	if err != nil || kind != "image/png" || len(data) != 12 {
		t.Errorf("a PNG under another name: %s, %d bytes, %v", kind, len(data), err)
	}
	if _, _, err := ReadImage(t.Context(), write("b.png", "only words")); err == nil || !strings.Contains(err.Error(), ErrNotImage.Error()) {
		t.Errorf("words named b.png: %v", err)
	}
	if _, _, err := ReadImage(t.Context(), write("c.png", "\x89PNG\r\n\x1a\n"+strings.Repeat("x", MaxImage))); err == nil || !strings.Contains(err.Error(), "3 MB") {
		t.Errorf("an image over the limit: %v", err)
	}
	if _, _, err := ReadImage(t.Context(), dir); err == nil {
		t.Error("a directory is an image")
	}
	if _, _, err := ReadImage(t.Context(), filepath.Join(dir, "none.png")); !errors.Is(err, fs.ErrNotExist) ||
		!strings.HasPrefix(err.Error(), "cannot read none.png: ") || strings.Contains(err.Error(), dir) || strings.Contains(err.Error(), "stat") {
		t.Errorf("a file that is not there: %v", err)
	}
}
