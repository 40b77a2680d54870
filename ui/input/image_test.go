package input

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

const png = "\x89PNG\r\n\x1a\n"

func TestDroppedImageBecomesAChip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shot.png")
	if err := os.WriteFile(path, []byte(png), 0o600); err != nil {
		t.Fatal(err)
	}
	f := newField(t, nil)
	if a := f.update(tea.PasteMsg{Content: path}); a != (Began{}) {
		t.Errorf("the paste gives %#v", a)
	}
	if a := f.until("the image is there", func() bool { return !f.Empty() }); a != (ImageAdded{}) {
		t.Errorf("the image gives %#v", a)
	}
	if p := f.Take(f.Value()); len(p.Images) != 1 || p.Images[0] != path {
		t.Errorf("sent with %q", p.Images)
	}
}

// A path that names no image is pasted as it is.
func TestDroppedPathWithoutImageIsText(t *testing.T) {
	f := newField(t, nil)
	path := filepath.Join(t.TempDir(), "missing.png")
	f.update(tea.PasteMsg{Content: path})
	a := f.until("the text is there", func() bool { return !f.Empty() })
	if s, ok := a.(Say); !ok || !s.Warn || !strings.Contains(s.Text, "missing.png") {
		t.Errorf("said %#v", a)
	}
	f.want(path)
}

func TestImageFromTheClipboard(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "images")
	f := newField(t, func(o *Options) {
		o.ImageDir, o.PasteImage = dir, func(context.Context) ([]byte, error) { return []byte(png), nil }
	})
	_, cmd := f.PasteImage()
	f.run(cmd)
	f.until("the image is there", func() bool { return !f.Empty() })
	p := f.Take(f.Value())
	if len(p.Images) != 1 || filepath.Dir(p.Images[0]) != dir {
		t.Fatalf("sent with %q", p.Images)
	}
	if data, err := os.ReadFile(p.Images[0]); err != nil || string(data) != png {
		t.Errorf("stored %q, %v", data, err)
	}
}

func TestNoImageOnTheClipboard(t *testing.T) {
	f := newField(t, nil)
	if a, cmd := f.PasteImage(); cmd != nil || a == nil {
		t.Errorf("without a clipboard: %#v", a)
	}
	f = newField(t, func(o *Options) {
		o.PasteImage = func(context.Context) ([]byte, error) { return nil, errors.New("none\x1b[2J here") }
	})
	_, cmd := f.PasteImage()
	a, _ := f.Update(cmd())
	if s, ok := a.(Say); !ok || !s.Warn || strings.Contains(s.Text, "\x1b") {
		t.Errorf("said %#v", a)
	}
	f.want("")
}
