package uitest

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"parley/session"
	"parley/ui"
)

// project is a small tree of files.
func project(string) fs.FS {
	text := &fstest.MapFile{Data: []byte("one\ntwo\nthree\nfour\n")}
	return fstest.MapFS{
		"go.mod": text, "README.md": text, "internal/upload/retry.go": text, "internal/upload/retry_test.go": text,
		"internal/upload/文書.md": text, "docs/a guide.md": text, "docs/design.md": text, "vendor/x/retry.go": text,
		".gitignore": {Data: []byte("vendor/\n")},
	}
}

func withFiles(o *ui.Options) { o.Files = project }

// TestFileCompletion finds files behind an @, goes into directories with tab, takes them with enter, and takes lines.
func TestFileCompletion(t *testing.T) {
	atSizes(t, Config{Options: withFiles}, func(p *Program, size string) {
		p.Send("look at @")
		p.Settle()
		p.Golden("files-all-" + size)
		p.Send("retry")
		p.Settle()
		p.Golden("files-found-" + size)
		if p.Has("vendor") {
			t.Error("what git ignores is offered")
		}
		p.Keys("enter")
		p.Send(":2-3")
		p.Keys("space")
		p.Send("and @do")
		p.Settle()
		p.Keys("tab")
		p.Settle()
		p.Golden("files-directory-" + size)
		p.Keys("enter") // the directory itself, which is not sent by that
		if !p.Has("and @docs/") || p.Has("waiting for") {
			t.Errorf("enter does not take the directory:\n%s", p.Text())
		}
		p.Keys("backspace", "tab")
		p.Settle()
		p.Keys("down", "enter")
		p.Send("and @文")
		p.Settle()
		p.Keys("tab", "enter")
		turn := p.Turn()
		if want := "look at @internal/upload/retry.go:2-3 and @docs/design.md and @internal/upload/文書.md"; turn.Prompt.Text != want {
			t.Errorf("sent %q, want %q", turn.Prompt.Text, want)
		}
		want := []session.Attachment{
			{Kind: session.AttachSelection, Path: Dir + "/internal/upload/retry.go", FirstLine: 2, LastLine: 3, Text: "two\nthree"},
			{Kind: session.AttachFile, Path: Dir + "/docs/design.md"},
			{Kind: session.AttachFile, Path: Dir + "/internal/upload/文書.md"},
		}
		for i, a := range turn.Prompt.Attachments {
			if i >= len(want) || a.Kind != want[i].Kind || a.Path != want[i].Path || a.FirstLine != want[i].FirstLine || a.Text != want[i].Text {
				t.Errorf("attachment %d is %+v", i, a)
			}
		}
		if len(turn.Prompt.Attachments) != len(want) {
			t.Errorf("%d attachments", len(turn.Prompt.Attachments))
		}
		turn.End(session.TurnCompleted)
		p.Settle()
		p.Golden("files-sent-" + size)
	})
}

// TestMentionsOfNothing sends an @ that names no file as words, a directory as a directory, and keeps the order of prompts.
func TestMentionsOfNothing(t *testing.T) {
	Run(t, Config{Options: withFiles}, func(p *Program) {
		p.Send("ask @nobody about @docs/")
		p.Keys("space", "enter")
		p.Type("second")
		turn := p.Turn()
		if a := turn.Prompt.Attachments; len(a) != 1 || a[0].Kind != session.AttachDirectory || turn.Prompt.Text != "ask @nobody about @docs/" {
			t.Errorf("sent %q with %+v", turn.Prompt.Text, a)
		}
		turn.End(session.TurnCompleted)
		if turn = p.Turn(); turn.Prompt.Text != "second" {
			t.Errorf("then %q", turn.Prompt.Text)
		}
		turn.End(session.TurnCompleted)
	})
}

// TestArgumentCompletion offers what may follow a command.
func TestArgumentCompletion(t *testing.T) {
	atSizes(t, Config{}, func(p *Program, size string) {
		p.Send("/mode ")
		p.Golden("arguments-" + size)
		p.Send("pl")
		p.Keys("enter")
		if !p.Has("plan mode") {
			t.Errorf("the argument was not taken:\n%s", p.Text())
		}
	})
}

// TestKeyCostWhileCompleting counts what a key costs while files are offered: its frame, one more for what was found, no
// layouts.
func TestKeyCostWhileCompleting(t *testing.T) {
	Run(t, Config{Width: 120, Height: 40, Options: withFiles}, func(p *Program) {
		p.Type("hello")
		turn := p.Turn()
		turn.Text(strings.Repeat("Some words.\n\n", 50))
		turn.End(session.TurnCompleted)
		p.Pass(10 * time.Second)
		p.Send("@")
		p.Settle()
		counts := p.Counts()
		keys := "internal/upload/retry"
		for _, k := range keys {
			p.Send(string(k))
			p.Pass(50 * time.Millisecond)
		}
		now := p.Counts()
		if frames := now.Frames - counts.Frames; frames > 2*len(keys) {
			t.Errorf("%d keys made %d frames", len(keys), frames)
		}
		if now.Layouts != counts.Layouts {
			t.Errorf("%d layouts", now.Layouts-counts.Layouts)
		}
		p.Keys("esc")
		p.Pass(time.Minute)
		counts = p.Counts()
		p.Pass(time.Hour)
		if now := p.Counts(); now != counts {
			t.Errorf("in an idle hour %+v became %+v", counts, now)
		}
	})
}

// deaf is a disk that does not answer.
type deaf struct{ fs.FS }

func (deaf) Open(string) (fs.File, error) { time.Sleep(time.Hour); return nil, fs.ErrNotExist }

// TestDiskThatDoesNotAnswer sends a prompt without the files it names after a while, and those behind it in their order.
func TestDiskThatDoesNotAnswer(t *testing.T) {
	Run(t, Config{Options: func(o *ui.Options) { o.Files = func(string) fs.FS { return deaf{project("")} } }}, func(p *Program) {
		p.Send("look at @go.mod")
		p.Keys("space", "enter")
		p.Send("and then")
		p.Keys("enter")
		p.Pass(time.Second)
		if p.Has("> look") {
			t.Errorf("the field is not free:\n%s", p.Text())
		}
		turn := p.Turn()
		if turn.Prompt.Text != "look at @go.mod" || len(turn.Prompt.Attachments) != 0 {
			t.Errorf("sent %q with %+v", turn.Prompt.Text, turn.Prompt.Attachments)
		}
		p.Settle()
		if !p.Has("reading them timed out") {
			t.Errorf("it is not said:\n%s", p.Text())
		}
		turn.End(session.TurnCompleted)
		if turn = p.Turn(); turn.Prompt.Text != "and then" {
			t.Errorf("then %q", turn.Prompt.Text)
		}
		turn.End(session.TurnCompleted)
		p.Pass(2 * time.Hour) // the disk comes back; synctest would not end before
	})
}
