package uitest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"parley/internal/repeat"
	"parley/session"
	"parley/ui"
	"parley/ui/core"
)

func TestRuntimeComesUpAndGoes(t *testing.T) {
	for _, size := range []struct{ w, h int }{{80, 24}, {120, 40}, {40, 12}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			Run(t, Config{Width: size.w, Height: size.h}, func(p *Program) {
				p.Type("続けてください")
				turn := p.Turn()
				turn.Emit(session.RuntimeChanged{State: session.RuntimeStarting, Detail: "Claude Code 2.1.112"})
				p.Pass(3 * time.Second)
				if !p.Has("Starting Claude") {
					t.Errorf("it does not say what is starting:\n%s", p.Text())
				}
				turn.Emit(session.RuntimeChanged{State: session.RuntimeReady})
				turn.OpenPart(session.PartText, "I will")
				turn.Emit(session.RuntimeChanged{State: session.RuntimeExited,
					Detail: "killed by signal 9\nnode:internal/process\n    at \x1b[31mcli.js:1\n    at cli.js:2\nout of memory"})
				turn.EndWith(session.TurnEnded{Outcome: session.TurnFailed, Problem: session.ProblemOf(
					&session.Error{Op: "run the agent", Kind: session.KindRuntime, Err: errors.New("it was killed by signal 9")}, time.Now())})
				p.Settle()
				p.Golden(fmt.Sprintf("runtime-exited-%dx%d", size.w, size.h))
				p.Keys("tab")
				if size.h > 12 && (!p.Has("out of memory") || p.Has("its output  tab")) {
					t.Errorf("what it left behind cannot be unfolded:\n%s", p.Text())
				}
				p.Keys("tab", "enter")
				if turn = p.Turn(); turn.Prompt.Text != "続けてください" {
					t.Errorf("enter sent %q", turn.Prompt.Text)
				}
				turn.Text("Done.")
				turn.End(session.TurnCompleted)
				p.Settle()
				p.Keys("enter") // nothing failed: nothing is sent again
				p.Pass(time.Second)
				if n := p.Agent.Pending(); n != 0 {
					t.Errorf("%d prompts were sent again", n)
				}
			})
		})
	}
}

// TestSilence means that nothing has been heard of an agent for long, and does nothing about it.
func TestSilence(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("go on")
		turn := p.Turn()
		p.Pass(59 * time.Second)
		if p.Has("nothing for") {
			t.Errorf("it is impatient:\n%s", p.Text())
		}
		p.Pass(31 * time.Second)
		p.Golden("silence")
		call := turn.StartTool("Bash", `{"command":"make everything"}`)
		p.Pass(time.Duration(repeat.Times(2, 2, 5)) * time.Minute)
		if p.Has("nothing for") {
			t.Errorf("a running command is taken for silence:\n%s", p.Text())
		}
		turn.Emit(session.ToolEnded{Call: call, Outcome: session.ToolOK})
		for _, c := range []struct {
			event session.Event
			want  string
		}{
			{session.RetryScheduled{Attempt: 2, Of: 10, Delay: time.Second, Why: "silent"}, "Trying again (2 of 10): silent, nothing for"},
			{session.ToolStarted{Call: "half", Name: "Bash"}, "Waiting for Copilot, nothing for"},
			{session.ToolReady{Call: "half", Input: []byte(`{}`)}, "Running"},
			{session.ToolEnded{Call: "half", Outcome: session.ToolOK}, "Waiting for Copilot, nothing for"},
			{session.ChildStarted{ID: "kid", Name: "explore"}, "Waiting for the agent explore, nothing for"},
		} {
			turn.Emit(c.event)
			p.Pass(time.Duration(repeat.Times(70, 90, 240)) * time.Second) // in .ci/full longer than any service may be silent
			if !p.Has(c.want) {
				t.Errorf("after %T it does not say %q:\n%s", c.event, c.want, p.Text())
			}
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// installer installs in steps that a test plays.
type installer struct {
	progress func(core.InstallProgress)
	began    chan struct{}
	end      chan error
}

func (i *installer) install(ctx context.Context, progress func(core.InstallProgress)) error {
	i.progress = progress
	i.began <- struct{}{}
	select {
	case err := <-i.end:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func TestInstallOffer(t *testing.T) {
	for _, size := range []struct{ w, h int }{{80, 24}, {120, 40}, {40, 12}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			var in *installer
			Run(t, Config{Width: size.w, Height: size.h, Options: func(o *ui.Options) {
				o.Offer = &core.RuntimeOffer{Name: "claude", Title: "Claude Code", Bytes: 63_200_000,
					Install: func(ctx context.Context, progress func(core.InstallProgress)) error { return in.install(ctx, progress) }}
			}}, func(p *Program) {
				in = &installer{began: make(chan struct{}), end: make(chan error)}
				if !p.Has("/install adds") || !p.Has("Claude Code") {
					t.Errorf("nothing is offered:\n%s", p.Text())
				}
				name := func(s string) string { return fmt.Sprintf("install-%s-%dx%d", s, size.w, size.h) }
				p.Golden(name("offer"))
				p.Type("/install")
				p.Golden(name("asks"))
				p.Keys("enter")
				<-in.began
				p.Pass(5 * time.Second)
				in.progress(core.InstallProgress{Stage: "downloading", Done: 12_640_000, Total: 63_200_000, PerSecond: 2_500_000, Left: 20 * time.Second})
				p.Pass(time.Second)
				p.Golden(name("runs"))
				p.Type("/install stop")
				p.Settle()
				if !p.Has("stopped") {
					t.Errorf("it does not stop:\n%s", p.Text())
				}
				p.Type("/install")
				p.Keys("enter")
				<-in.began
				in.end <- &session.Error{Op: "install the runtime", Kind: session.KindNetwork, Err: errors.New("registry.example: no such host")}
				p.Settle()
				if !p.Has("Couldn't install it:") {
					t.Errorf("a failure is not told:\n%s", p.Text())
				}
				p.Type("/install")
				p.Keys("enter")
				<-in.began
				in.end <- nil
				p.Settle()
				if !p.Has("/agent claude starts a session") {
					t.Errorf("success is not told:\n%s", p.Text())
				}
				p.Pass(time.Minute) // what was said goes away
				counts := p.Counts()
				p.Pass(time.Minute)
				if now := p.Counts(); now != counts {
					t.Errorf("%d updates after the end of the installation", now.Updates-counts.Updates)
				}
			})
		})
	}
}

// TestRuntimeThatSaysNothing starts an agent whose runtime does not report its start.
func TestRuntimeThatSaysNothing(t *testing.T) {
	agents := func(o *ui.Options) {
		managerOf(o).Infos = func() []session.AgentInfo { return []session.AgentInfo{{Name: "builtin", Version: "9.9"}} }
	}
	Run(t, Config{Options: agents}, func(p *Program) {
		p.Type("go on")
		turn := p.Turn()
		p.Settle()
		if !p.Has("Starting parley 9.9") {
			t.Errorf("it does not say what is starting:\n%s", p.Text())
		}
		turn.Emit(session.RuntimeChanged{State: session.RuntimeReady, Detail: "9.9"})
		p.Settle()
		if p.Has("Starting") || !p.Has("Waiting for Copilot") {
			t.Errorf("it still starts:\n%s", p.Text())
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}
