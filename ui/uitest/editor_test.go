package uitest

import (
	"context"
	"errors"
	"io"
	"os"
	"testing"
	"time"

	"parley/ui"
	"parley/ui/editor"
)

func TestEditor(t *testing.T) {
	var seen string
	fail := false
	edit := func(path string, in io.Reader, out, errs io.Writer) error {
		b, _ := os.ReadFile(path)
		seen = string(b)
		if fail {
			return errors.New("no such editor")
		}
		return os.WriteFile(path, []byte(seen+"second\n"), 0o600)
	}
	Run(t, Config{Options: func(o *ui.Options) { o.Editor = EditorFunc(edit) }}, func(p *Program) {
		p.Send("first")
		p.Keys("ctrl+g")
		p.Pass(time.Second) // a pipe cannot be given away; the loop waits for it for a while
		if seen != "first\n" {
			t.Errorf("the editor got %q", seen)
		}
		if rows := p.Rows(); rows[5] != "> first" || rows[6] != "  second" {
			t.Errorf("after the editor:\n%s", p.Text())
		}
		fail = true
		p.Keys("left") // swallowed by the read of the pipe that was given up
		p.Keys("ctrl+g")
		p.Pass(time.Second)
		if !p.Has("The editor failed: no such editor") || !p.Has("> first") {
			t.Errorf("after it failed:\n%s", p.Text())
		}
	})
}

// A file that an agent wants to show takes the screen, and whoever wants it waits until the user has left the editor. One that nobody
// waits for any more is not opened.
func TestEditorOfAnAgent(t *testing.T) {
	opened := ""
	var leave chan struct{}
	var desk *editor.Desk
	edit := func(path string, _ io.Reader, _, _ io.Writer) error {
		opened = path
		<-leave
		return nil
	}
	begin := func(o *ui.Options) {
		leave, desk = make(chan struct{}), editor.NewDesk()
		o.Editor, o.Desk = EditorFunc(edit), desk
	}
	Run(t, Config{Options: begin}, func(p *Program) {
		ended := make(chan error, 1)
		go func() { ended <- desk.Open(context.Background(), "/src/a.go", 7) }()
		p.Pass(time.Second) // a pipe cannot be given away; the loop waits for it for a while
		if opened != "/src/a.go" || len(ended) != 0 {
			t.Errorf("opened %q, %d ended", opened, len(ended))
		}
		late, cancel := context.WithCancel(context.Background())
		gone := make(chan error, 1)
		go func() { gone <- desk.Open(late, "/src/b.go", 0) }()
		p.Pass(time.Second)
		cancel()
		if err := <-gone; err == nil {
			t.Error("it was opened")
		}
		close(leave)
		if err := <-ended; err != nil {
			t.Error(err)
		}
		p.Keys("left") // swallowed by the read of the pipe that was given up
		p.Send("words")
		if !p.Has("> words") || opened != "/src/a.go" {
			t.Errorf("after the editor of %q:\n%s", opened, p.Text())
		}
	})
}
