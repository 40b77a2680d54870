package copilot

import (
	"context"
	"errors"
	"testing"
	"time"

	"parley/session"
	"parley/session/copilot/copilottest"
)

// TestCommandsBeforeAConversation asks for the commands of a directory where no conversation is open.
func TestCommandsBeforeAConversation(t *testing.T) {
	broken := false
	s := newStage(t, func(s *stage, _ *Options) {
		s.runtime.Handle = func(_ *copilottest.Conn, m copilottest.Message) (any, error, bool) {
			if broken {
				return nil, errors.New("out of order"), true
			}
			return obj{"commands": []obj{{"name": "mine", "kind": "skill"}}}, nil, m.Method == "session.commands.list"
		}
	})
	dir := t.TempDir()
	o := session.OpenOptions{Session: "22222222-2222-4333-8444-555555555555", Dir: dir, Endpoint: session.Endpoint{BaseURL: "http://127.0.0.1:1", Bearer: "secret"}}
	release, err := s.agent.Warm(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(s.runtime.Requests("session.create")); n != 1 {
		t.Errorf("%d sessions before somebody asks", n)
	}
	if err := s.agent.AwaitCommands(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	if got := s.agent.Commands(dir); len(got) != 1 || got[0].Name != "mine" {
		t.Errorf("%+v", got)
	}
	release()
	created, deleted := s.runtime.Requests("session.create"), s.runtime.Requests("session.delete")
	if len(created) != 2 || len(deleted) != 1 || created[1].Text("sessionId") != deleted[0].Text("sessionId") || deleted[0].Text("sessionId") == string(o.Session) {
		t.Errorf("created %v, deleted %v", created, deleted)
	}

	// After a failure, the next one who waits has another answer.
	o.Dir = t.TempDir()
	if release, err = s.agent.Warm(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	broken = true
	if err := s.agent.AwaitCommands(t.Context(), o.Dir); err == nil {
		t.Error("a failure is lost")
	}
	broken = false
	if err := s.agent.AwaitCommands(t.Context(), o.Dir); err != nil || len(s.agent.Commands(o.Dir)) != 1 {
		t.Errorf("%v after a failure", err)
	}
	release()

	o.Dir = t.TempDir()
	if release, err = s.agent.Warm(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	release() // nobody answers any more
	if err := s.agent.AwaitCommands(ctx, o.Dir); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func TestTheFirstPromptWaitsForTheCommands(t *testing.T) {
	asked, goOn := make(chan struct{}, 1), make(chan struct{})
	s := newStage(t, func(s *stage, _ *Options) {
		s.handles(map[string]any{
			"session.commands.list": func(copilottest.Message) any {
				asked <- struct{}{}
				<-goOn
				return obj{"commands": []obj{{"name": "mine", "kind": "skill"}}}
			},
			"session.commands.invoke": obj{"kind": "agent-prompt", "prompt": "Do mine"},
		})
	})
	var sent []string
	s.runtime.Turn = func(a *copilottest.Actor, prompt string) { sent = append(sent, prompt); a.Say("done") }
	<-asked
	time.AfterFunc(time.Millisecond, func() { close(goOn) })
	s.ask("t1", "/mine")
	if len(sent) != 1 || sent[0] != "Do mine" {
		t.Errorf("the model read %q", sent)
	}
}
