package uitest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"parley/session"
	"parley/session/live"
	"parley/ui"
	"parley/ui/core"
)

// memoryDrafts keeps drafts in memory.
type memoryDrafts struct {
	mu    sync.Mutex
	texts map[string]string
	saves int
}

func (d *memoryDrafts) Load(key string) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.texts[key], nil
}

func (d *memoryDrafts) Save(key, text string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.saves++
	if d.texts == nil {
		d.texts = map[string]string{}
	}
	d.texts[key] = text
	return nil
}

func (d *memoryDrafts) get(key string) string {
	text, _ := d.Load(key)
	return text
}

// modesGivenBack are what the terminal must have got by the end, whatever the end was.
var modesGivenBack = []string{"\x1b[?1049l", "\x1b[?2004l", "\x1b[?1004l", "\x1b[?25h"}

func (p *Program) checkGivenBack() {
	p.T.Helper()
	raw := p.Raw()
	for _, m := range modesGivenBack {
		take := strings.TrimSuffix(m, "l") + "h"
		if m == "\x1b[?25h" {
			take = "\x1b[?25l"
		}
		if strings.LastIndex(raw, m) < strings.LastIndex(raw, take) {
			p.T.Errorf("%q was not given back in %q", take, raw[max(0, len(raw)-300):])
		}
	}
}

func TestWaysOut(t *testing.T) {
	ways := map[string]struct {
		leave  func(p *Program)
		reason core.Reason
	}{
		"ctrl+c twice": {func(p *Program) { p.Keys("ctrl+c", "ctrl+c") }, core.LeftQuit},
		"ctrl+d":       {func(p *Program) { p.Send("\x04") }, core.LeftQuit},
		"/quit":        {func(p *Program) { p.Send("/quit"); p.Send("\r") }, core.LeftQuit},
		"exit":         {func(p *Program) { p.Send("exit"); p.Send("\r") }, core.LeftQuit},
		"quit":         {func(p *Program) { p.Send(" quit "); p.Send("\r") }, core.LeftQuit},
		":q":           {func(p *Program) { p.Send(":q"); p.Send("\x13") }, core.LeftQuit},
		"SIGTERM":      {func(p *Program) { p.Signals <- syscall.SIGTERM }, core.LeftSignal},
		"SIGHUP":       {func(p *Program) { p.Signals <- syscall.SIGHUP }, core.LeftSignal},
		"context":      {func(p *Program) { p.cancel() }, core.LeftCanceled},
		"end of input": {func(p *Program) { _ = p.keys.Close() }, core.LeftClosed},
		"input error":  {func(p *Program) { _ = p.keys.CloseWithError(syscall.EIO) }, core.LeftClosed},
	}
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			Run(t, Config{}, func(p *Program) {
				p.Type("hello")
				turn := p.Turn()
				turn.Reasoning(time.Second, "Hm.")
				turn.Text("The answer that stays.")
				turn.End(session.TurnCompleted)
				p.Settle()
				way.leave(p)
				r := p.Left()
				if r.Reason != way.reason || !r.Begun || r.Session != p.Session.ID() {
					t.Errorf("left with %+v", r)
				}
				if way.reason == core.LeftSignal && r.Signal == nil {
					t.Error("the signal is not told")
				}
				p.checkGivenBack()
				after := p.Raw()[strings.LastIndex(p.Raw(), "\x1b[?1049l"):]
				if strings.Contains(after, "tab") {
					t.Errorf("the normal screen names keys: %q", after)
				}
				if !strings.Contains(after, "The answer that stays.") || !strings.Contains(after, "parley -r "+string(r.Session)) {
					t.Errorf("the normal screen shows %q", after)
				}
			})
		})
	}
}

func TestCtrlCOnceStays(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Send("something")
		p.Keys("ctrl+c")
		if !p.Has("ctrl+c again leaves") || p.Has("> something") {
			t.Errorf("ctrl+c did not clear, or does not say how to leave:\n%s", p.Text())
		}
		p.Pass(3 * time.Second)
		if p.Has("again leaves") {
			t.Error("the hint stays")
		}
		p.Keys("ctrl+c")
		p.Settle()
		if !p.Has("asks before it acts") {
			t.Error("it left although the two were far apart")
		}
	})
}

func TestCrash(t *testing.T) {
	var errs bytes.Buffer
	Run(t, Config{Options: func(o *ui.Options) {
		o.Errors = &errs
		o.Catalog = panicking{}
	}}, func(p *Program) {
		r := p.Left()
		if r.Reason != core.LeftCrashed {
			t.Fatalf("left with %+v", r)
		}
		p.checkGivenBack()
		b, err := os.ReadFile(r.CrashFile)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(b), "the catalog is on fire") || !strings.Contains(string(b), "life_test.go") {
			t.Errorf("the crash file says:\n%s", b)
		}
		if !strings.Contains(errs.String(), r.CrashFile) {
			t.Errorf("standard error does not name the file: %q", errs.String())
		}
	})
}

type panicking struct{ catalog }

func (panicking) Models(context.Context) ([]session.Model, error) { panic("the catalog is on fire") }

func TestCrashInTheLoop(t *testing.T) {
	drafts := &memoryDrafts{}
	Run(t, Config{Options: func(o *ui.Options) {
		managerOf(o).Modes = func(string, session.Mode) string { panic("mode") }
		o.Drafts = drafts
	}}, func(p *Program) {
		p.Send("half a thought")
		p.Keys("shift+tab")
		if r := p.Left(); r.Reason != core.LeftCrashed {
			t.Fatalf("left with %+v", r)
		}
		p.checkGivenBack()
		if got := drafts.get("dir:" + Dir); !strings.Contains(got, "half a thought") {
			t.Errorf("the draft is lost: %q", got)
		}
	})
}

// TestDraftSurvives kills the screen in every phase of a draft's life.
func TestDraftSurvives(t *testing.T) {
	drafts := &memoryDrafts{}
	with := func(o *ui.Options) { o.Drafts = drafts }
	Run(t, Config{Options: with}, func(p *Program) {
		p.Send("half a th")
		p.Send("ought")
		p.Pass(400 * time.Millisecond)
		if got := drafts.get("dir:" + Dir); !strings.Contains(got, "half a thought") {
			t.Errorf("after 400 ms the draft is %q", got)
		}
		if drafts.saves != 1 {
			t.Errorf("saved %d times", drafts.saves)
		}
		p.Send(" more")
	})
	if got := drafts.get("dir:" + Dir); !strings.Contains(got, "half a thought more") {
		t.Errorf("after leaving the draft is %q", got)
	}
	Run(t, Config{Options: with}, func(p *Program) {
		if !p.Has("> half a thought more") {
			t.Errorf("the draft is not back:\n%s", p.Text())
		}
		p.Keys("enter")
		turn := p.Turn()
		if got := drafts.get("dir:" + Dir); got != "" {
			t.Errorf("after sending the draft is %q", got)
		}
		p.Send("the next")
		p.Pass(time.Second)
		if got := drafts.get("session:" + string(p.Session.ID())); !strings.Contains(got, "the next") {
			t.Errorf("the session's draft is %q", got)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestResumedLooksTheSame compares a live conversation with the same one resumed by a new process.
func TestResumedLooksTheSame(t *testing.T) {
	var before, again string
	var id session.ID
	c := Config{Width: 100, Height: 40, Settings: opus}
	world := library()
	c.World = world
	Run(t, c, func(p *Program) {
		id = p.Session.ID()
		p.Type(question)
		turn := p.Turn()
		turn.Reasoning(6*time.Second, "The test might race.")
		turn.Tool("Read", `{"file_path":"/home/ada/src/acme/upload_test.go"}`, strings.Repeat("line\n", 214))
		answer := editAsk(turn)
		p.Pass(time.Second)
		p.Keys("y")
		got(p, answer)
		turn.Emit(session.ToolEnded{Call: session.CallID(string(turn.ID) + "-call-2"), Outcome: session.ToolOK, Edits: []session.FileEdit{retryEdit}})
		turn.Text(answerText...)
		turn.Emit(session.Notice{Severity: session.Warning, Text: "something happened"})
		turn.EndWith(session.TurnEnded{Outcome: session.TurnFailed, Problem: session.ProblemOf(problems[4].err, time.Now())})
		p.Settle()
		before = p.Text()
	})
	c.World = world.AfterCrash()
	c.Session = func(m *live.Manager) *live.Session {
		s, err := m.Resume(context.Background(), id)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	Run(t, c, func(p *Program) { again = p.Text() })
	if before != again {
		t.Errorf("live:\n%s\n\nresumed:\n%s", before, again)
	}
}

var answerText = []string{answer[:10], answer[10:100], answer[100:]}

func TestSessionStaysUsableWhileTheTerminalStalls(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("hello")
		turn := p.Turn()
		p.Settle()
		resume := p.Stall()
		part := turn.OpenPart(session.PartText)
		for i := range 1000 {
			turn.Emit(session.PartDelta{Part: part, Text: fmt.Sprintf("word%d ", i)})
			time.Sleep(time.Millisecond)
		}
		p.Send("typed meanwhile")
		turn.Emit(session.PartEnded{Part: part})
		turn.End(session.TurnCompleted)
		p.Settle()
		resume()
		p.Settle()
		if !p.Has("word999") || !p.Has("> typed meanwhile") {
			t.Errorf("after the stall:\n%s", p.Text())
		}
	})
}

// What was only looked at in the editor stays as it was, and a paste that was left alone there stays folded.
func TestEditorKeepsPastes(t *testing.T) {
	more := ""
	edit := func(path string, _ io.Reader, _, _ io.Writer) error {
		b, err := os.ReadFile(path)
		return errors.Join(err, os.WriteFile(path, append(b, more...), 0o600))
	}
	Run(t, Config{Options: func(o *ui.Options) { o.Editor = EditorFunc(edit) }}, func(p *Program) {
		p.Send("see ")
		p.Send("\x1b[200~" + strings.Repeat("line\n", 100) + "\x1b[201~")
		p.Send("and say why")
		p.Keys("ctrl+g")
		p.Pass(time.Second)
		if !p.Has("> see [paste 1: 100 lines, 1 KB]and say why") {
			t.Errorf("after a look in the editor:\n%s", p.Text())
		}
		more = "briefly"
		p.Keys("left") // swallowed by the read of the pipe that was given up
		p.Keys("ctrl+g")
		p.Pass(time.Second)
		if !p.Has("> see [paste 1: 100 lines, 1 KB]and say why") || !p.Has("  briefly") {
			t.Errorf("after a line more:\n%s", p.Text())
		}
	})
}

func TestFirstPromptIsSent(t *testing.T) {
	Run(t, Config{Options: func(o *ui.Options) { o.First = "words from the command line" }}, func(p *Program) {
		turn := p.Turn()
		if turn.Prompt.Text != "words from the command line" {
			t.Errorf("sent %q", turn.Prompt.Text)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestTwiceIsTwiceInARow leaves only after two ctrl+c with nothing between, and clears only after two escapes.
func TestTwiceIsTwiceInARow(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Send("one")
		p.Keys("ctrl+c")
		p.Send("two")
		p.Keys("ctrl+c")
		if p.Has("two") || !p.Has("ctrl+c again leaves") {
			t.Fatalf("ctrl+c after some words does not clear them:\n%s", p.Text())
		}
		p.Send("\x1b[200~three\x1b[201~")
		p.Keys("ctrl+c")
		if !p.Has("ctrl+c again leaves") {
			t.Fatalf("ctrl+c after a paste does not clear it:\n%s", p.Text())
		}
		p.Send("four")
		p.Keys("esc")
		p.Send(" five")
		p.Keys("esc")
		if !p.Has("> four five") {
			t.Errorf("an escape after some words cleared them:\n%s", p.Text())
		}
		p.Keys("esc")
		if p.Has("four") {
			t.Errorf("two escapes do not clear:\n%s", p.Text())
		}
	})
}
