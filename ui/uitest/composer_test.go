package uitest

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
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
		o.PasteImage = func(context.Context) ([]byte, error) { return dot, nil }
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

// TestImagesThatCannotBe says why: too large, none there, a path that is no image.
func TestImagesThatCannotBe(t *testing.T) {
	dir := t.TempDir()
	fake := filepath.Join(dir, "fake.png")
	if err := os.WriteFile(fake, []byte("not at all"), 0o600); err != nil {
		t.Fatal(err)
	}
	var data []byte
	err := errors.New("no image on the clipboard")
	Run(t, Config{Width: 120, Height: 40, Options: func(o *ui.Options) {
		o.PasteImage = func(context.Context) ([]byte, error) { return data, err }
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

// TestShell runs a command of the user's own, whose output goes along with the next prompt.
func TestShell(t *testing.T) {
	shell := func(ctx context.Context, dir, line string, wrote func([]byte)) (int, error) {
		if line == "sleep 100" {
			<-ctx.Done()
			return -1, ctx.Err()
		}
		wrote([]byte("\x1b[31mFAIL\x1b[m retry_test.go:12: 早すぎる\n"))
		time.Sleep(3 * time.Second)
		wrote([]byte("\x1b]0;title\x07FAIL acme 2.1s\n"))
		return 1, nil
	}
	atSizes(t, Config{Options: func(o *ui.Options) { o.Shell = shell }}, func(p *Program, size string) {
		p.Send("!go test ./...")
		if !p.Has("runs it in your shell") && !p.Has("runs in your shell") {
			t.Errorf("it is not said what enter does:\n%s", p.Text())
		}
		p.Keys("enter")
		p.Pass(2500 * time.Millisecond)
		p.Golden("shell-running-" + size)
		p.Pass(2 * time.Second)
		p.Golden("shell-ended-" + size)
		p.Type("!sleep 100")
		p.Keys("esc")
		p.Settle()
		if !p.Has("stopped") {
			t.Errorf("escape does not stop it:\n%s", p.Text())
		}
		p.Keys("backspace") // not that one
		p.Type("why does it fail?")
		turn := p.Turn()
		a := turn.Prompt.Attachments
		if len(a) != 1 || a[0].Kind != session.AttachCommand || a[0].Path != "go test ./..." || !strings.HasSuffix(a[0].Text, "acme 2.1s\nexit status 1") {
			t.Errorf("sent with %+v", a)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
		p.Keys("tab")
		p.Golden("shell-sent-" + size)
		p.Type("!!really")
		if turn = p.Turn(); turn.Prompt.Text != "!really" || len(turn.Prompt.Attachments) != 0 {
			t.Errorf("sent %q with %+v", turn.Prompt.Text, turn.Prompt.Attachments)
		}
		turn.End(session.TurnCompleted)
	})
}

// TestShellOutputSurvives keeps what a command wrote with the draft: it is there after a kill, also without any words, and
// gone once it was sent or dropped.
func TestShellOutputSurvives(t *testing.T) {
	drafts := &memoryDrafts{}
	with := Config{Options: func(o *ui.Options) {
		o.Drafts = drafts
		o.Shell = func(_ context.Context, _, line string, wrote func([]byte)) (int, error) {
			wrote([]byte("said by " + line + "\n"))
			return 0, nil
		}
	}}
	Run(t, with, func(p *Program) {
		p.Type("!one")
		p.Type("!two")
		p.Pass(400 * time.Millisecond)
		if got := drafts.get("dir:" + Dir); !strings.Contains(got, "said by one") || !strings.Contains(got, "said by two") {
			t.Errorf("kept is %q", got)
		}
	})
	Run(t, with, func(p *Program) {
		if !p.Has("! one") || !p.Has("said by two") {
			t.Errorf("what was written is not back:\n%s", p.Text())
		}
		p.Keys("backspace")
		p.Send("why?")
		p.Pass(400 * time.Millisecond)
	})
	Run(t, with, func(p *Program) {
		if p.Has("! two") || !p.Has("> why?") {
			t.Errorf("what was dropped is back:\n%s", p.Text())
		}
		p.Keys("enter")
		turn := p.Turn()
		if a := turn.Prompt.Attachments; len(a) != 1 || a[0].Path != "one" || a[0].Text != "said by one" {
			t.Errorf("sent with %+v", a)
		}
		p.Pass(400 * time.Millisecond)
		if got := drafts.get("dir:" + Dir); got != "" {
			t.Errorf("still kept: %q", got)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestImagesComeBack keeps images through the editor and through the queue.
func TestImagesComeBack(t *testing.T) {
	dir := t.TempDir()
	Run(t, Config{Options: func(o *ui.Options) {
		o.ImageDir = dir
		o.PasteImage = func(context.Context) ([]byte, error) { return dot, nil }
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
		o.PasteImage = func(context.Context) ([]byte, error) { return dot, nil }
	}}, func(p *Program) {
		p.Keys("ctrl+v", "ctrl+v", "ctrl+g")
		p.Pass(time.Second)
		if !p.Has("> look: [image 1: 1 KB], then [image 2: 1 KB]") {
			t.Errorf("after the editor:\n%s", p.Text())
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

// TestPickersOnSmallScreens shows the pickers of models and sessions where there is little room.
func TestPickersOnSmallScreens(t *testing.T) {
	Run(t, Config{Width: 40, Height: 12, Settings: opus, Options: func(o *ui.Options) { o.Catalog = catalog{} }}, func(p *Program) {
		p.Type("/model")
		p.Golden("models-40x12")
		p.Keys("esc")
		p.Type("/effort")
		p.Golden("efforts-40x12")
		p.Keys("esc")
		p.Keys("ctrl+k")
		p.Golden("palette-small")
	})
}

// TestAgentCommands offers the slash commands that the agent itself understands behind parley's own, and sends them.
func TestAgentCommands(t *testing.T) {
	atSizes(t, Config{Options: func(o *ui.Options) {
		managerOf(o).Slashes = func(agent, dir string) []session.SlashCommand {
			if agent != "builtin" || dir != Dir {
				return nil
			}
			return []session.SlashCommand{{Name: "help", About: "hidden by ours"}, {Name: "review", Arguments: "[what]", About: "look at a change"},
				{Name: "レビュー", About: "変更を\x1b[31m見る"}, {Name: "re:init", About: "write instructions"}}
		}
	}}, func(p *Program, size string) {
		p.Send("/re")
		p.Golden("agent-commands-" + size)
		p.Send(":")
		p.Keys("enter")
		turn := p.Turn()
		if turn.Prompt.Text != "/re:init" {
			t.Errorf("sent %q", turn.Prompt.Text)
		}
		turn.End(session.TurnCompleted)
		p.Type("/review this")
		turn = p.Turn()
		if turn.Prompt.Text != "/review this" {
			t.Errorf("sent %q", turn.Prompt.Text)
		}
		turn.End(session.TurnCompleted)
	})
}

// slowCommands are an agent's commands that are known once known is closed.
func slowCommands(known chan struct{}, err error) func(o *ui.Options) {
	isKnown := func() bool {
		select {
		case <-known:
			return err == nil
		default:
			return false
		}
	}
	return func(o *ui.Options) {
		managerOf(o).Slashes = func(string, string) []session.SlashCommand {
			if !isKnown() {
				return nil
			}
			return []session.SlashCommand{{Name: "context", About: "how full it is"}}
		}
		managerOf(o).Awaits = func(string, string) func(context.Context) error {
			if isKnown() {
				return nil
			}
			return func(ctx context.Context) error {
				select {
				case <-known:
					return err
				case <-ctx.Done():
					return ctx.Err()
				}
			}
		}
	}
}

// TestCommandBeforeTheAgentIsThere waits for what the agent understands, and does not send what it does not.
func TestCommandBeforeTheAgentIsThere(t *testing.T) {
	for name, c := range map[string]struct {
		text, shows string
		err         error
		sent        bool
	}{
		"known":   {text: "/context", sent: true},
		"unknown": {text: "/contxt", shows: "no command /contxt"},
		"no agent": {text: "/context", shows: "the agent did not say which commands it has",
			err: &session.Error{Op: "start", Kind: session.KindRuntime, Err: errors.New("it is gone")}},
	} {
		t.Run(name, func(t *testing.T) {
			var known chan struct{}
			Run(t, Config{Options: func(o *ui.Options) { known = make(chan struct{}); slowCommands(known, c.err)(o) }}, func(p *Program) {
				p.Type(c.text)
				if !p.Has("waiting for the agent to start") || p.Has("no command") {
					t.Fatalf("it does not wait:\n%s", p.Text())
				}
				close(known)
				p.Settle()
				if p.Has("waiting for the agent to start") {
					t.Errorf("it seems to wait still:\n%s", p.Text())
				}
				if c.sent {
					turn := p.Turn()
					if turn.Prompt.Text != c.text {
						t.Errorf("sent %q", turn.Prompt.Text)
					}
					turn.End(session.TurnCompleted)
				} else if !p.Has(c.shows) || !p.Has(c.text) {
					t.Errorf("it shows:\n%s", p.Text())
				}
			})
			RunLines(t, Config{Options: func(o *ui.Options) { known = make(chan struct{}); slowCommands(known, c.err)(o) }}, func(l *Lines) {
				l.Type(c.text)
				l.Settle()
				close(known)
				l.Settle()
				if c.sent {
					turn := l.Agent.Turn(l.T)
					if turn.Prompt.Text != c.text {
						t.Errorf("sent %q", turn.Prompt.Text)
					}
					turn.End(session.TurnCompleted)
					l.Settle()
				}
				l.Type("/quit")
				l.Left()
				if c.err == nil && !c.sent && !strings.Contains(l.Said(), c.shows) {
					t.Errorf("it was said:\n%s", l.Said())
				}
			})
		})
	}
}

// TestResumeOnASmallScreen shows the picker of sessions where there is room for the list alone.
func TestResumeOnASmallScreen(t *testing.T) {
	Run(t, Config{Width: 40, Height: 12, World: library()}, func(p *Program) {
		p.Type("/resume")
		p.Settle()
		p.Golden("resume-40x12")
		p.Send("テスト")
		p.Settle()
		p.Golden("resume-cjk-40x12")
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
		if !p.Has("the disk does not answer") {
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
