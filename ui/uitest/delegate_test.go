package uitest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/internal/handover"
	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
	"parley/ui"
)

// local is a work tree of which git is not asked.
type local struct {
	work   handover.Work
	err    error
	pushes chan handover.Push
	done   chan error
}

// newLocal returns a work tree with everything that a service can lack.
func newLocal() *local {
	return &local{work: handover.Work{Root: Dir, Branch: "topic", Upstream: "topic", Remote: "origin",
		Remotes: []handover.Remote{{Name: "origin", Repository: "octo/app"}}, Unpushed: 2,
		Changed: []string{"internal/upload/retry.go", "internal/upload/retry_test.go"}, New: []string{"notes/\x1b[2Jplan.md"}}}
}

// begin makes the channels, which belong to a test's bubble.
func (l *local) begin() { l.pushes, l.done = make(chan handover.Push, 1), make(chan error, 1) }

func (l *local) Look(context.Context, string) (handover.Work, error) { return l.work, l.err }

func (l *local) Push(ctx context.Context, _ handover.Work, p handover.Push) (handover.Pushed, error) {
	l.pushes <- p
	select {
	case err := <-l.done:
		return handover.Pushed{Branch: p.Branch, Commit: "c0ffee"}, err
	case <-ctx.Done():
		return handover.Pushed{}, ctx.Err()
	}
}

// cloudWorld returns a world with an agent at a service beside the builtin one.
func cloudWorld() (*sessiontest.World, *sessiontest.Remote) {
	w := sessiontest.NewWorld()
	w.Deps.Rules = Keeper{}
	cloud := sessiontest.NewRemote("cloud")
	w.Deps.Agents = append(w.Deps.Agents, cloud)
	return w, cloud
}

// withLocal sets what is known of the directory.
func withLocal(l *local) func(*ui.Options) {
	return func(o *ui.Options) {
		if l != nil {
			o.Local = l
		}
	}
}

// remote reports the state of a session's work.
func remote(t *sessiontest.Turn, state session.RemoteState, pull int) {
	r := session.Remote{State: state, Repository: "octo/app", Branch: "copilot/fix-upload", Base: "main", URL: "https://github.com/octo/app/tasks/1"}
	if pull > 0 {
		r.Pull = &session.Pull{Number: pull, Title: "Mend the upload", URL: fmt.Sprintf("https://github.com/octo/app/pull/%d", pull), State: "open", Draft: true}
		r.Checks = session.Checks{Passed: 3, Failed: 1, Pending: 2}
	}
	t.Emit(session.RemoteChanged{Remote: r})
}

// discussed holds a conversation of one turn.
func discussed(p *Program) {
	p.Type("Why does the upload flake?")
	turn := p.Turn()
	turn.Text("The retry timer starts too late: `retry.go` waits first.")
	turn.End(session.TurnCompleted)
	p.Settle()
}

// TestDelegate hands a conversation over to a service, in its place, with what is only here as the base.
func TestDelegate(t *testing.T) {
	for _, size := range []struct{ w, h int }{{80, 24}, {120, 40}, {40, 12}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			w, cloud := cloudWorld()
			l := newLocal()
			Run(t, Config{Width: size.w, Height: size.h, World: w, Options: withLocal(l)}, func(p *Program) {
				l.begin()
				discussed(p)
				p.Type("/delegate start the timer first")
				p.Pass(time.Second)
				p.Golden(fmt.Sprintf("delegate-form-%dx%d", size.w, size.h))
				p.Keys("shift+tab", "shift+tab", "right", "right", "right")
				p.Golden(fmt.Sprintf("delegate-work-%dx%d", size.w, size.h))
				p.Keys("ctrl+s")
				push := <-l.pushes
				if push.Include != handover.Files || push.Remote != "origin" || !strings.HasPrefix(push.Branch, "parley/start-the-timer-first-") || push.Message != "Work in progress: start the timer first" {
					t.Errorf("pushed %+v", push)
				}
				p.Settle()
				l.done <- nil
				turn := cloud.Turn(p.T)
				if got := turn.Prompt; got.Target == nil || *got.Target != (session.RemoteTarget{Repository: "octo/app", Base: push.Branch}) ||
					!strings.HasPrefix(got.Text, "start the timer first\n\n## What was asked before\n\n- Why does the upload flake?") {
					t.Errorf("prompt %+v", got)
				}
				remote(turn, session.RemoteQueued, 0)
				turn.Text("I look at the retry first.")
				p.Settle()
				remote(turn, session.RemoteRunning, 12)
				p.Settle()
				p.Golden(fmt.Sprintf("delegate-running-%dx%d", size.w, size.h))
				turn.End(session.TurnCompleted)
				p.Settle()
			})
		})
	}
}

// TestDelegateBeside hands work over while a turn runs, which goes on.
func TestDelegateBeside(t *testing.T) {
	w, cloud := cloudWorld()
	Run(t, Config{World: w}, func(p *Program) {
		discussed(p)
		p.Type("now fix it")
		turn := p.Turn()
		p.Type("/delegate write the docs")
		p.Pass(time.Second)
		if !p.Has("stay in this chat") {
			t.Fatalf("it does not offer to stay:\n%s", p.Text())
		}
		p.Keys("ctrl+s")
		there := cloud.Turn(p.T)
		remote(there, session.RemoteRunning, 12)
		p.Settle()
		if !p.Has("GitHub works on it: octo/app#12") || p.Has("queued") {
			t.Errorf("no notice:\n%s", p.Text())
		}
		if turn.Context().Err() != nil {
			t.Error("the running turn was stopped")
		}
		remote(there, session.RemoteCompleted, 12)
		there.End(session.TurnCompleted)
		p.Settle()
		if !p.Has("GitHub's work on octo/app#12: done") {
			t.Errorf("no notice of the end:\n%s", p.Text())
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestDelegateFails names why nothing was handed over, and loses nothing of what was written.
func TestDelegateFails(t *testing.T) {
	w, cloud := cloudWorld()
	cloud.SetTarget(session.RemoteTarget{}, &session.Error{Op: "find the repository", Kind: session.KindNotFound, Err: errors.New("this directory has no repository on GitHub")})
	l := newLocal()
	l.work.Remotes = nil
	Run(t, Config{World: w, Options: withLocal(l)}, func(p *Program) {
		p.Type("/delegate do it")
		p.Pass(time.Second)
		p.Golden("delegate-unknown")
		p.Keys("ctrl+s")
		if !p.Has("Name a repository on GitHub") {
			t.Errorf("it was handed over to nobody:\n%s", p.Text())
		}
		p.Send("octo/app")
		p.Keys("esc")
		if p.Has("Hand over to GitHub") {
			t.Fatalf("escape does not close it:\n%s", p.Text())
		}
		p.Type("/delegate")
		p.Pass(time.Second)
		if !p.Has("do it") {
			t.Errorf("what was written is gone:\n%s", p.Text())
		}
		p.Keys("esc")
		p.Settle()
	})
}

// TestDelegatePushFails shows why a push failed, stops one, and hands nothing over.
func TestDelegatePushFails(t *testing.T) {
	w, cloud := cloudWorld()
	l := newLocal()
	Run(t, Config{World: w, Options: withLocal(l)}, func(p *Program) {
		l.begin()
		p.Type("/delegate do it")
		p.Pass(time.Second)
		p.Keys("shift+tab", "shift+tab", "right", "ctrl+s")
		<-l.pushes
		l.done <- errors.New("git push: permission to octo/app.git denied")
		p.Settle()
		if !p.Has("permission to octo/app.git denied") {
			t.Errorf("no reason:\n%s", p.Text())
		}
		p.Keys("ctrl+s")
		<-l.pushes
		p.Keys("esc")
		p.Settle()
		if !p.Has("The push was stopped") || cloud.Pending() > 0 {
			t.Errorf("%d handed over:\n%s", cloud.Pending(), p.Text())
		}
		p.Keys("esc")
		p.Settle()
	})
}

// TestDelegatePlan hands a plan over instead of carrying it out.
func TestDelegatePlan(t *testing.T) {
	w, cloud := cloudWorld()
	Run(t, Config{World: w, Settings: session.Settings{Mode: session.ModePlan}}, func(p *Program) {
		p.Type("plan it")
		turn := p.Turn()
		answer := askPlan(turn, "1. start the timer\n2. wait")
		p.Pass(time.Second)
		p.Golden("delegate-plan-80x24")
		p.Keys("g")
		p.Pass(time.Second)
		if !p.Has("Carry out this plan.") || !p.Has("1. start the timer") {
			t.Fatalf("the plan is not in the form:\n%s", p.Text())
		}
		unanswered(t, answer)
		p.Keys("esc")
		p.Pass(time.Second)
		p.Keys("g")
		p.Pass(time.Second)
		p.Keys("ctrl+s")
		if a := got(p, answer); a.Decision != session.Deny || !strings.Contains(a.Message, "handed this plan over") {
			t.Errorf("answered %+v", a)
		}
		there := cloud.Turn(p.T)
		remote(there, session.RemoteRunning, 0)
		p.Settle()
		if !p.Has("working") || !p.Has("octo/app") {
			t.Errorf("it does not show the work:\n%s", p.Text())
		}
		there.End(session.TurnCompleted)
		p.Settle()
	})
}

// atService returns a draft of the agent at a service.
func atService(t *testing.T) func(m *live.Manager) *live.Session {
	return func(m *live.Manager) *live.Session {
		s, err := m.Draft(live.DraftOptions{Agent: "cloud", Dir: Dir})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

// TestCommentIsShownFirst shows what a further prompt becomes before it is sent, and sends it only then.
func TestCommentIsShownFirst(t *testing.T) {
	w, cloud := cloudWorld()
	Run(t, Config{World: w, Session: atService(t)}, func(p *Program) {
		p.Type("mend the upload")
		p.Pass(time.Second)
		if !p.Has("Hand over to GitHub") || cloud.Pending() > 0 {
			t.Fatalf("the first prompt was not shown:\n%s", p.Text())
		}
		p.Keys("esc")
		if !p.Has("mend the upload") {
			t.Fatalf("the prompt is gone:\n%s", p.Text())
		}
		p.Keys("enter")
		p.Pass(time.Second)
		p.Keys("ctrl+s")
		turn := cloud.Turn(p.T)
		remote(turn, session.RemoteRunning, 12)
		turn.Text("Done.")
		remote(turn, session.RemoteCompleted, 12)
		turn.End(session.TurnCompleted)
		p.Settle()
		p.Send("use a fake clock\x1b[200~ in the tests\x1b[201~")
		p.Keys("enter", "enter")
		if !p.Has("This becomes a comment on octo/app#12") || !p.Has("@copilot use a fake clock in the tests") || cloud.Pending() > 0 {
			t.Fatalf("%d sent:\n%s", cloud.Pending(), p.Text())
		}
		p.Pass(time.Second)
		p.Golden("delegate-comment-80x24")
		p.Keys("esc")
		if !p.Has("> use a fake clock") || cloud.Pending() > 0 {
			t.Errorf("the prompt is gone:\n%s", p.Text())
		}
		p.Keys("enter")
		p.Pass(time.Second)
		p.Keys("enter")
		next := cloud.Turn(p.T)
		if next.Prompt.Text != "use a fake clock in the tests" || next.Prompt.Target != nil {
			t.Errorf("sent %+v", next.Prompt)
		}
		next.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestStopAtService opens the page of the work on the second try, and aborts nothing.
func TestStopAtService(t *testing.T) {
	w, cloud := cloudWorld()
	var opened []string
	Run(t, Config{World: w, Session: atService(t), Options: func(o *ui.Options) {
		o.Browser = browserFunc(func(address string) error { opened = append(opened, address); return nil })
	}}, func(p *Program) {
		p.Type("mend the upload")
		p.Pass(time.Second)
		p.Keys("ctrl+s")
		turn := cloud.Turn(p.T)
		turn.Emit(session.RemoteChanged{Remote: session.Remote{State: session.RemoteQueued, Repository: "octo/app"}})
		p.Settle()
		p.Keys("esc")
		if !p.Has("has no page yet") {
			t.Errorf("nothing is said of a page:\n%s", p.Text())
		}
		remote(turn, session.RemoteRunning, 12)
		p.Settle()
		p.Keys("esc")
		if !p.Has("runs on GitHub. Press again") || len(opened) > 0 {
			t.Errorf("opened %q:\n%s", opened, p.Text())
		}
		p.Keys("esc")
		p.Send("\x1bo")
		p.Settle()
		if want := "https://github.com/octo/app/tasks/1 https://github.com/octo/app/pull/12"; strings.Join(opened, " ") != want {
			t.Errorf("opened %q", opened)
		}
		if turn.Context().Err() != nil {
			t.Error("the turn was aborted")
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// browserFunc is a browser made of a function.
type browserFunc func(address string) error

func (f browserFunc) Open(_ context.Context, address string) error { return f(address) }
