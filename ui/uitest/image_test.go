package uitest

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/ui"
)

// dot is an image of one pixel.
var dot, _ = base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==")

// TestImages puts images into a prompt: from the clipboard, and as a file that is dropped.
func TestImages(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "shot one.png")
	if err := os.WriteFile(file, dot, 0o600); err != nil {
		t.Fatal(err)
	}
	atSizes(t, Config{Options: func(o *ui.Options) {
		o.ImageDir = filepath.Join(dir, "images")
		o.Clipboard = Images(func(context.Context) ([]byte, error) { return dot, nil })
	}}, func(p *Program, size string) {
		p.Send("compare ")
		p.Keys("ctrl+v")
		p.Send("with ")
		p.Send("\x1b[200~" + strings.ReplaceAll(file, " ", `\ `) + "\x1b[201~")
		p.Settle()
		p.Golden("images-" + size)
		p.Keys("enter")
		turn := p.Turn()
		a := turn.Prompt.Attachments
		if turn.Prompt.Text != "compare [image 1] with [image 2]" || len(a) != 2 || a[0].Kind != session.AttachImage || a[0].MediaType != "image/png" ||
			string(a[1].Data) != string(dot) || a[1].Path != file {
			t.Errorf("sent %q with %+v", turn.Prompt.Text, a)
		}
		turn.End(session.TurnCompleted)
	})
}

// TestImagesThatCannotBe attaches images that are too large, missing, or not images, and gets the reason.
func TestImagesThatCannotBe(t *testing.T) {
	dir := t.TempDir()
	fake := filepath.Join(dir, "fake.png")
	if err := os.WriteFile(fake, []byte("not at all"), 0o600); err != nil {
		t.Fatal(err)
	}
	var data []byte
	err := errors.New("no image on the clipboard")
	Run(t, Config{Width: 120, Height: 40, Options: func(o *ui.Options) {
		o.Clipboard = Images(func(context.Context) ([]byte, error) { return data, err })
	}}, func(p *Program) {
		p.Keys("ctrl+v")
		if !p.Has("no image on the clipboard") {
			t.Errorf("nothing is said:\n%s", p.Text())
		}
		data, err = make([]byte, 4<<20), nil
		p.Keys("ctrl+v")
		p.Golden("image-too-large")
		p.Send("\x1b[200~" + fake + "\x1b[201~")
		p.Settle()
		if !p.Has("> "+fake) || !p.Has("no PNG") {
			t.Errorf("the path of no image is not pasted as text:\n%s", p.Text())
		}
	})
}

// TestImagesComeBack keeps images through the editor and through the queue.
func TestImagesComeBack(t *testing.T) {
	dir := t.TempDir()
	Run(t, Config{Options: func(o *ui.Options) {
		o.ImageDir = dir
		o.Clipboard = Images(func(context.Context) ([]byte, error) { return dot, nil })
	}}, func(p *Program) {
		p.Type("go")
		turn := p.Turn()
		p.Keys("ctrl+v")
		p.Send("and what is this?")
		p.Keys("enter")
		p.Settle()
		p.Keys("up") // takes it back
		if !p.Has("> [image 1: 1 KB] and what is this?") {
			t.Errorf("taken back without its image:\n%s", p.Text())
		}
		p.Keys("enter")
		turn.End(session.TurnCompleted)
		turn = p.Turn()
		if len(turn.Prompt.Attachments) != 1 || string(turn.Prompt.Attachments[0].Data) != string(dot) {
			t.Errorf("sent with %+v", turn.Prompt.Attachments)
		}
		turn.End(session.TurnCompleted)
	})
	edit := func(path string, _ io.Reader, _, _ io.Writer) error {
		return os.WriteFile(path, []byte("look: [image 2], then [image 1]\n"), 0o600)
	}
	Run(t, Config{Options: func(o *ui.Options) {
		o.ImageDir, o.Editor = dir, EditorFunc(edit)
		o.Clipboard = Images(func(context.Context) ([]byte, error) { return dot, nil })
	}}, func(p *Program) {
		p.Keys("ctrl+v", "ctrl+v", "ctrl+g")
		p.Pass(time.Second)
		if !p.Has("> look: [image 1: 1 KB], then [image 2: 1 KB]") {
			t.Errorf("after the editor:\n%s", p.Text())
		}
	})
}

// TestNamedImages sends an image that is named behind an @ as a picture, behind those that the text counts.
func TestNamedImages(t *testing.T) {
	dir := t.TempDir()
	named, dropped, fake, big := filepath.Join(dir, "named.png"), filepath.Join(dir, "dropped.png"), filepath.Join(dir, "fake.png"), filepath.Join(dir, "big.png")
	for name, data := range map[string][]byte{named: dot, dropped: dot, fake: []byte("not at all"), big: append(bytes.Clone(dot), make([]byte, 4<<20)...)} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	Run(t, Config{Width: 120, Height: 30}, func(p *Program) {
		p.Send("@" + named + " next to ")
		p.Send("\x1b[200~" + dropped + "\x1b[201~")
		p.Settle()
		p.Send("and @" + fake + " and @" + named + " ") // the blank closes the list of files
		p.Keys("enter")
		turn := p.Turn()
		a := turn.Prompt.Attachments
		if len(a) != 3 || a[0].Path != dropped || a[1].Kind != session.AttachImage || a[1].Path != named || a[1].MediaType != "image/png" ||
			!bytes.Equal(a[1].Data, dot) || a[2].Kind != session.AttachFile || a[2].Path != fake {
			t.Errorf("sent %q with %+v", turn.Prompt.Text, a)
		}
		p.Send("queued @" + named + " ")
		p.Keys("enter")
		p.Settle()
		p.Keys("up") // take it back
		p.Settle()
		if !p.Has("> queued @"+named) || p.Has("[image 1:") {
			t.Errorf("taken back:\n%s", p.Text())
		}
		p.Keys("ctrl+u")
		turn.End(session.TurnCompleted)
		p.Settle()
		p.Send("@" + big + " ")
		p.Keys("enter")
		turn = p.Turn()
		if a := turn.Prompt.Attachments; len(a) != 1 || a[0].Kind != session.AttachFile || a[0].Path != big {
			t.Errorf("sent %+v", a)
		}
		if !p.Has("only its path is sent") {
			t.Errorf("nothing is said:\n%s", p.Text())
		}
		turn.End(session.TurnCompleted)
	})
}
