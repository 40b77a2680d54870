package uitest

import (
	"context"
	"errors"
	"strings"
	"testing"

	"parley/session"
	"parley/ui"
)

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

// The help in lines lists what the agent adds, behind parley's own commands.
func TestHelpInLinesHasTheAgentsCommands(t *testing.T) {
	known := make(chan struct{})
	close(known)
	RunLines(t, Config{Options: slowCommands(known, nil)}, func(l *Lines) {
		l.News()
		l.Type("/help")
		if news := l.News(); !strings.Contains(news, "/context: how full it is (of the agent)") || !strings.Contains(news, "/model [name]: switch model") {
			t.Errorf("%s", news)
		}
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
		"unknown": {text: "/contxt", shows: "command /contxt"},
		"no agent": {text: "/context", shows: "Couldn't load the agent's commands",
			err: &session.Error{Op: "start", Kind: session.KindRuntime, Err: errors.New("it is gone")}},
	} {
		t.Run(name, func(t *testing.T) {
			var known chan struct{}
			Run(t, Config{Options: func(o *ui.Options) { known = make(chan struct{}); slowCommands(known, c.err)(o) }}, func(p *Program) {
				p.Type(c.text)
				if !p.Has("Starting the agent to look up") || p.Has("No command") {
					t.Fatalf("it does not wait:\n%s", p.Text())
				}
				close(known)
				p.Settle()
				if p.Has("Starting the agent to look up") {
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
