package uitest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"parley/session"
)

// TestTasksInTheList lists the sessions of a service at once, asks it meanwhile, and shows their states.
func TestTasksInTheList(t *testing.T) {
	w, cloud := cloudWorld()
	now := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	task := func(id string, state session.RemoteState, pull int) session.Meta {
		return session.Meta{ID: session.ID(id), Agent: "cloud", Title: "Task " + id, Updated: now.Add(-time.Hour), Remote: &session.Remote{State: state, Repository: "octo/app", Pull: &session.Pull{Number: pull}}}
	}
	cloud.Put(task("one", session.RemoteRunning, 3))
	var answer chan error
	cloud.OnRefresh(func(ctx context.Context) error {
		select {
		case err := <-answer:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	Run(t, Config{World: w, Width: 100, Height: 24}, func(p *Program) {
		answer = make(chan error, 1)
		p.Type("/resume")
		p.Settle()
		if !p.Has("Copilot cloud agent: working") || !p.Has("asking GitHub") || !p.Has("octo/app") {
			t.Errorf("not at once:\n%s", p.Text())
		}
		cloud.Put(task("two", session.RemoteWaiting, 4))
		answer <- nil
		p.Settle()
		if !p.Has("Copilot cloud agent: waiting for you") || p.Has("asking GitHub") {
			t.Errorf("not refreshed:\n%s", p.Text())
		}
		p.Golden("delegate-list-100x24")
		p.Keys("esc")
		answer <- errors.New("no route")
		p.Type("/resume")
		p.Settle()
		if !p.Has("GitHub did not answer") || !p.Has("Task two") {
			t.Errorf("without an answer:\n%s", p.Text())
		}
		p.Keys("esc")
		p.Settle()
	})
}

// TestDelegateInLines hands work over in lines, shows a comment before it is posted, and lists the states of tasks.
func TestDelegateInLines(t *testing.T) {
	w, cloud := cloudWorld()
	l := newLocal()
	cloud.Put(session.Meta{ID: "task", Agent: "cloud", Title: "Older task", Remote: &session.Remote{State: session.RemoteWaiting, Repository: "octo/app"}})
	RunLines(t, Config{World: w, Options: withLocal(l)}, func(p *Lines) {
		l.begin()
		type step struct{ typed, says string }
		steps := func(all ...step) {
			t.Helper()
			for _, c := range all {
				p.Type(c.typed)
				p.Settle()
				if said := p.News(); !strings.Contains(said, c.says) {
					t.Errorf("%s says %s", c.typed, said)
				}
			}
		}
		steps(step{"/post", "no comment waits"}, step{"/browse", "no page"}, step{"/resume", "Older task, agent Copilot cloud agent: waiting for you"},
			step{"/delegate mend the upload", "statement: mend the upload"}, step{"/delegate push nonsense", "nothing like that to push"},
			step{"/delegate base", "base: topic"}, step{"/delegate base other", "base: other"}, step{"/delegate repository nonsense", "repository: nonsense"},
			step{"/delegate go", "not owner/name"}, step{"/delegate repository octo/app", "repository: octo/app"}, step{"/delegate agent docs", "agent: docs"},
			step{"/delegate text mend it", "statement: mend it"}, step{"/delegate push all", "base: parley/mend-it-"}, step{"/delegate push changes", "file: internal/upload/retry_test.go"},
			step{"/delegate go", "handing over"})
		push := <-l.pushes
		l.done <- nil
		p.Settle()
		turn := cloud.Turn(p.T)
		if got := turn.Prompt; got.Text != "mend it" || *got.Target != (session.RemoteTarget{Repository: "octo/app", Base: push.Branch, Agent: "docs"}) {
			t.Errorf("sent %+v to %+v", got, got.Target)
		}
		remote(turn, session.RemoteCompleted, 12)
		turn.Text("Done.")
		turn.End(session.TurnCompleted)
		p.Settle()
		p.News()
		steps(step{"use a fake clock", "comment: @copilot use a fake clock"}, step{"/browse", "https://github.com/octo/app/pull/12"})
		if cloud.Pending() > 0 {
			t.Error("it was posted at once")
		}
		p.Type("/post")
		p.Settle()
		next := cloud.Turn(p.T)
		if next.Prompt.Text != "use a fake clock" {
			t.Errorf("posted %+v", next.Prompt)
		}
		next.End(session.TurnCompleted)
		p.Settle()
		steps(step{"and rename it", "comment: @copilot and rename it"}, step{"/new", "List the commands"}, step{"/post", "no comment waits"})
	})
}
