package lsp

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/builtin/tool/tooltest"
)

// bench is a directory with a pool that has a fake server.
type bench struct {
	*tooltest.Bench
	t *testing.T
	p *Pool

	mu      sync.Mutex
	notices []string
}

var patient = Bounds{Start: time.Minute, Load: time.Minute, Base: time.Minute, Settle: time.Minute, Call: time.Minute, Leave: time.Minute,
	First: time.Minute, Edit: time.Minute, Quiet: 10 * time.Millisecond}

func newBench(t *testing.T, script string, b Bounds, files map[string]string) *bench {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	x := &bench{Bench: tooltest.New(t, files), t: t}
	x.W.Environ = append(x.W.Environ, "PARLEY_FAKE_SERVER="+script)
	x.p = New(x.W, Options{Servers: []Custom{{Name: "fake", Command: []string{program}, Extensions: []string{".fk"}}}, Bounds: b}, func(text string) {
		x.mu.Lock()
		defer x.mu.Unlock()
		x.notices = append(x.notices, text)
	})
	t.Cleanup(x.p.Close)
	return x
}

// edit changes files as one call would, and returns the note.
func (b *bench) edit(files ...string) Note {
	b.t.Helper()
	ctx := context.Background()
	var paths []string
	var edits []session.FileEdit
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(b.W.Dir, files[i])
		paths, edits = append(paths, path), append(edits, session.FileEdit{Path: path})
	}
	b.p.Before(ctx, paths)
	for i := 0; i < len(files); i += 2 {
		b.Write(files[i], files[i+1])
	}
	return b.p.After(ctx, edits)
}

func (b *bench) ask(in tooltest.Obj) tool.Outcome {
	b.t.Helper()
	tools := b.p.Tools(context.Background())
	if len(tools) == 0 {
		b.t.Fatal("no tool is offered")
	}
	return b.Run(tools[0], in)
}

func (b *bench) expect(what, got, want string) {
	b.t.Helper()
	if got != want {
		b.t.Errorf("%s:\n%s\nwant:\n%s", what, got, want)
	}
}

func TestAnEditReportsWhatItChanges(t *testing.T) {
	b := newBench(t, "good", patient, map[string]string{"a.fk": "bad0\n", "b.fk": "fine\n", "c.txt": "bad\n"})
	n := b.edit("a.fk", "bad0\n👋🏽 é badly\nwarning\n")
	b.expect("new error", n.Text, "fake reports 1 new error:\na.fk:2:6: badly is wrong [7]\n(1 error of before is still there, 1 warning)\n")
	b.expect("summary", n.Summary, "1 error")
	n = b.edit("a.fk", "moved\nbad0\n👋🏽 é badly\n")
	b.expect("moved", n.Text, "fake: 2 errors of before are still there.\n")
	n = b.edit("a.fk", "fine\n", "b.fk", "bad1 breaks\n", "new.fk", "bad2\n")
	b.expect("several files", n.Text, "fake reports 2 new errors:\nb.fk:1:1: bad1 is wrong [7]\nnew.fk:1:1: bad2 is wrong [7]\n(2 earlier errors are gone)\n")
	n = b.edit("b.fk", "fine\n", "new.fk", "fine\n")
	b.expect("mended", n.Text, "fake: 2 earlier errors are gone.\n")
	b.expect("nothing", b.edit("b.fk", "fine too\n").Text, "")
	b.expect("another language", b.edit("c.txt", "bad\n").Text, "")
	n = b.edit("b.fk", "breaks\n")
	b.expect("elsewhere", n.Text, "fake reports 1 new error:\nother.fk:1:1: broken by another\n")
}

func TestManyErrorsAreBounded(t *testing.T) {
	b := newBench(t, "good", patient, nil)
	n := b.edit("a.fk", strings.Repeat("bad\n", 1000))
	if lines := strings.Count(n.Text, "\n"); lines != maxReported+2 || !strings.Contains(n.Text, "(and 280 more)") || n.Summary != "300 errors" {
		t.Errorf("%d lines, %s: %s", lines, n.Summary, n.Text)
	}
}

// What a server says later than an edit waits is in the result of a later call.
func TestLateDiagnosticsComeWithTheNextResult(t *testing.T) {
	hurried := patient
	hurried.First, hurried.Edit = time.Nanosecond, time.Nanosecond
	b := newBench(t, "good", hurried, map[string]string{"a.fk": "fine\n"})
	n := b.edit("a.fk", "bad\n")
	for n.Summary == "" { // the server is another process
		if n.Text != "" && n.Text != "(the language server is not ready yet; errors will be in a later result)\n" {
			t.Fatalf("%q", n.Text)
		}
		n = b.p.After(context.Background(), nil)
	}
	b.expect("later", n.Text, "fake reports 1 new error:\na.fk:1:1: bad is wrong [7]\n")
}

func TestServersThatDoNotWork(t *testing.T) {
	short := patient
	short.Start, short.Load, short.Base, short.Settle = 50*time.Millisecond, 20*time.Millisecond, 20*time.Millisecond, 20*time.Millisecond
	short.First, short.Edit, short.Call, short.Leave = 50*time.Millisecond, 50*time.Millisecond, 50*time.Millisecond, time.Millisecond
	for _, script := range []string{"silent", "mute", "half", "noise", "huge", "dies"} {
		t.Run(script, func(t *testing.T) {
			b := newBench(t, script, short, map[string]string{"a.fk": "fine\n"})
			for range maxStarts + 1 {
				if n := b.edit("a.fk", "bad\n"); n.Summary != "" {
					t.Errorf("%+v", n)
				}
				if got := b.ask(tooltest.Obj{"operation": "definition", "file_path": "a.fk", "symbol": "bad"}); got.How != session.ToolFailed {
					t.Errorf("%+v", got)
				}
			}
			b.p.Close()
			if b.Content("a.fk") != "bad\n" {
				t.Error(b.Content("a.fk"))
			}
		})
	}
}

// A server that ends is started again a few times, then the user reads once why not.
func TestAServerThatEndsIsGivenUp(t *testing.T) {
	b := newBench(t, "dies", patient, map[string]string{"a.fk": "fine\n"})
	for range maxStarts + 3 {
		b.edit("a.fk", "bad\n")
		for _, c := range b.p.clients {
			<-c.gone
		}
	}
	got := b.ask(tooltest.Obj{"operation": "symbols", "file_path": "a.fk"})
	b.expect("the model reads", got.Result.Text, "fake does not run any more in this session. Use Grep and Read.")
	b.p.Close()
	b.expect("the user reads", strings.Join(b.notices, "|"), "fake ended 3 times and is not started again in this session: the fake has no license")
}

func TestAServerThatEndsWithinAnEditIsStartedAgain(t *testing.T) {
	b := newBench(t, "good", patient, map[string]string{"a.fk": "fine\n"})
	if n := b.edit("a.fk", "die\n"); n.Summary != "" {
		t.Errorf("%+v", n)
	}
	for _, c := range b.p.clients {
		<-c.gone
	}
	b.Write("a.fk", "fine\n")
	b.expect("after the restart", b.edit("a.fk", "bad\n").Text, "fake reports 1 new error:\na.fk:1:1: bad is wrong [7]\n")
}

func TestHostileServers(t *testing.T) {
	b := newBench(t, "hostile", patient, map[string]string{"a.fk": "fine\n"})
	outside := filepath.Join(filepath.Dir(b.W.Dir), "outside.fk")
	if err := os.WriteFile(outside, []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(b.W.Dir, "link.fk")); err != nil {
		t.Log("no links here:", err)
	}
	n := b.edit("a.fk", "name\n")
	if strings.Contains(n.Text, "passwd") || strings.Count(n.Text, "\n") > maxReported+5 || len(n.Text) > 20*(maxMessage+100) {
		t.Errorf("%d bytes: %s", len(n.Text), n.Text)
	}
	got := b.ask(tooltest.Obj{"operation": "definition", "file_path": "a.fk", "symbol": "name"}).Result.Text
	if strings.Contains(got, "secret") || !strings.Contains(got, "a.fk:1:5: name\n") || strings.Contains(got, "example.com") {
		t.Error(got)
	}
	for b.Content("answers") == "(no such file or directory)" {
		b.p.After(context.Background(), nil) // the server is another process
	}
	b.p.Close()
	b.expect("answers", b.Content("answers"), "false false [<nil> <nil>] true")
	b.expect("file", b.Content("a.fk"), "name\n")
}

func TestNothingRunsWithoutServers(t *testing.T) {
	b := tooltest.New(t, map[string]string{"a.fk": ""})
	for _, o := range []Options{{Off: true}, {}} {
		p := New(b.W, o, nil)
		path := filepath.Join(b.W.Dir, "a.fk")
		p.Before(context.Background(), []string{path})
		if n := p.After(context.Background(), []session.FileEdit{{Path: path}}); n != (Note{}) || p.Tools(context.Background()) != nil {
			t.Errorf("%+v", n)
		}
		p.Close()
		p.Close()
	}
}
