package uitest

import (
	"context"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/ui"
)

// TestShell runs a shell command of the user, whose output is attached to the next prompt.
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
