package uitest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"parley/session"
	"parley/ui"
)

// someCustoms are custom agents as an agent may find them.
var someCustoms = session.Customs{
	Agents: []session.CustomAgent{
		{Name: "reviewer", About: "Reviews changes; use it before a commit", Tools: []string{"read", "search"}, Model: "claude-haiku-4.5",
			Prompt: "You review code.\nReport each finding with its file and line.", Path: "/home/ada/.copilot/agents/reviewer.agent.md", Origin: session.CustomUser},
		{Name: "planner", Title: "Planner\x1b[31m", About: "Plans work \x1b]0;x\x07and changes nothing", Tools: []string{}, Denied: []string{"Bash"},
			Prompt: "Plan.", Path: "/home/ada/src/acme/.github/agents/planner.agent.md", Origin: session.CustomRepository},
		{Name: "helper", About: "only for agents", Unlisted: true, Path: "/h"},
	},
	Problems: []session.CustomProblem{
		{Path: "/home/ada/src/acme/.github/agents/broken.agent.md", Line: 3, What: "the head is not YAML: did not find expected node content", Unused: true},
	},
	Untrusted: 2,
}

func withCustoms(o *ui.Options) {
	managerOf(o).Custom = func(context.Context, string, string) session.Customs { return someCustoms }
}

// TestCustomAgents lists custom agents, chooses one from the list and by its name, and goes back to none.
func TestCustomAgents(t *testing.T) {
	for _, size := range []struct{ w, h int }{{80, 24}, {120, 40}, {40, 12}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			Run(t, Config{Width: size.w, Height: size.h, Options: withCustoms}, func(p *Program) {
				p.Type("/agents")
				p.Settle()
				p.Keys("down")
				p.Golden(fmt.Sprintf("customs-%dx%d", size.w, size.h))
				p.Keys("enter")
				p.Settle()
				if got := p.Session.Settings(); got.Custom != "reviewer" {
					t.Errorf("chosen: %+v", got)
				}
				if size.w > 40 && !p.Has("as reviewer") {
					t.Errorf("the header does not say so:\n%s", p.Text())
				}
				p.Type("hello")
				turn := p.Turn()
				turn.Text("Hi.")
				turn.End(session.TurnCompleted)
				p.Settle()
				p.Type("/agents PLANNER")
				p.Settle()
				p.Golden(fmt.Sprintf("customs-switched-%dx%d", size.w, size.h))
				if got := p.Session.Settings().Custom; got != "planner" {
					t.Errorf("by its name: %q", got)
				}
				p.Type("/agents plannr")
				p.Settle()
				if got := p.Session.Settings().Custom; got != "planner" || size.w > 40 && !p.Has("did you mean planner?") {
					t.Errorf("a wrong name: %q\n%s", got, p.Text())
				}
				p.Keys("ctrl+u")
				p.Type("/agents broken")
				p.Settle()
				if !p.Has("broken.agent.md") {
					t.Errorf("what is wrong is not shown:\n%s", p.Text())
				}
				p.Keys("ctrl+u")
				p.Type("/agents none")
				p.Settle()
				if got := p.Session.Settings().Custom; got != "" {
					t.Errorf("none: %q", got)
				}
			})
		})
	}
}

func TestNewCustomAgent(t *testing.T) {
	made := make(chan string, 2)
	Run(t, Config{Options: func(o *ui.Options) {
		withCustoms(o)
		o.NewAgent = func(name string) (string, error) {
			made <- name
			return "", errors.New("the disk is full")
		}
	}}, func(p *Program) {
		p.Type("/agents new")
		p.Settle()
		if !strings.Contains(p.Text(), "/agents new reviewer") {
			t.Errorf("no name: %s", p.Text())
		}
		p.Keys("ctrl+u")
		p.Type("/agents new tester")
		if got := <-made; got != "tester" {
			t.Errorf("made %q", got)
		}
		p.Settle()
		if !p.Has("the disk is full") {
			t.Errorf("no reason:\n%s", p.Text())
		}
	})
}

// TestCustomAgentsInLines does the same in the chat in lines.
func TestCustomAgentsInLines(t *testing.T) {
	RunLines(t, Config{Options: withCustoms}, func(l *Lines) {
		l.Type("/agents")
		l.Settle()
		if got := l.News(); !strings.Contains(got, "reviewer, user, Reviews changes") || !strings.Contains(got, "broken.agent.md") {
			t.Errorf("listed:\n%s", got)
		}
		l.Type("/agents planner")
		l.Settle()
		if got := l.Session.Settings().Custom; got != "planner" {
			t.Errorf("%q", got)
		}
		l.Type("/agents none")
		l.Settle()
		if got := l.Session.Settings().Custom; got != "" {
			t.Errorf("none: %q", got)
		}
	})
}
