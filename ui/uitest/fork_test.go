package uitest

import (
	"context"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
	"parley/ui"
)

func TestFork(t *testing.T) {
	var p *Program
	var asked []string
	fork := func(o *ui.Options) {
		managerOf(o).Forks = func(_ context.Context, id session.ID, upTo session.TurnID) (*live.Session, error) {
			asked = append(asked, string(id)+" "+string(upTo))
			return p.Manager.Draft(live.DraftOptions{Dir: Dir})
		}
	}
	Run(t, Config{Options: fork}, func(prog *Program) {
		p = prog
		p.Type("/fork")
		if p.Has("the copy ends with") && !p.Has("no turn yet") {
			t.Errorf("an empty session can be copied:\n%s", p.Text())
		}
		p.Keys("esc")
		for _, s := range []string{"first question", "二番目の質問", "third question"} {
			p.Type(s)
			turn := p.Turn()
			if s != "third question" {
				turn.Text("An answer.")
			}
			turn.End(session.TurnCompleted)
			p.Settle()
		}
		p.Type("/fork")
		p.Golden("fork-picker")
		p.Keys("up", "enter")
		if len(asked) != 0 {
			t.Errorf("a turn without an answer was chosen: %q", asked)
		}
		p.Keys("down", "enter")
		p.Settle()
		if len(asked) != 1 || !strings.HasPrefix(asked[0], string(p.Session.ID())+" ") || p.Has("An answer.") {
			t.Errorf("copied %q:\n%s", asked, p.Text())
		}
		p.Type("in the copy")
		turn := p.Turn()
		if turn.Conversation().Options.Session == p.Session.ID() {
			t.Error("the prompt went to the original")
		}
		p.Type("/fork")
		if !p.Has("Fork up to") || p.Has("A turn is running") {
			t.Errorf("a running session cannot be left for a copy:\n%s", p.Text())
		}
		p.Keys("esc")
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

func TestAgentSwitch(t *testing.T) {
	w := sessiontest.NewWorld()
	other := sessiontest.NewAgent("claude")
	w.Deps.Agents = []session.Agent{w.Agent, other}
	agents := func(o *ui.Options) {
		managerOf(o).Infos = func() []session.AgentInfo {
			return []session.AgentInfo{{Name: "builtin", About: "in parley itself"}, {Name: "claude", About: "Claude Code", Version: "2.1.112"},
				{Name: "copilot", Missing: "その実行環境はインストールされていません"}}
		}
	}
	Run(t, Config{World: w, Options: agents, Settings: opus}, func(p *Program) {
		p.Send("half a thou")
		p.Keys("ctrl+u")
		p.Type("/agent")
		p.Golden("agents")
		p.Keys("esc")
		p.Type("/agent copilot")
		if !p.Has("インストール") {
			t.Errorf("it does not say why copilot cannot be used:\n%s", p.Text())
		}
		p.Type("/agent claude")
		p.Settle()
		p.Golden("agent-claude")
		if !p.Has("Claude Code 2.1.112") {
			t.Errorf("the header does not name the agent:\n%s", p.Text())
		}
		p.Type("hello")
		turn := other.Turn(p.T)
		turn.Text("Hello from claude.")
		turn.End(session.TurnCompleted)
		p.Pass(time.Second)
		if !p.Has("Hello from claude.") {
			t.Errorf("the other agent's answer is not shown:\n%s", p.Text())
		}
	})
}

// TestForkIsACopy forks for real, from the conversation and from the list of sessions: the copy goes on, the original stays.
func TestForkIsACopy(t *testing.T) {
	var p *Program
	options := func(o *ui.Options) {
		managerOf(o).Forks = func(ctx context.Context, id session.ID, upTo session.TurnID) (*live.Session, error) {
			return p.Manager.Fork(ctx, id, upTo)
		}
	}
	Run(t, Config{Options: options}, func(prog *Program) {
		p = prog
		for _, s := range []string{"first question", "second question"} {
			p.Type(s)
			turn := p.Turn()
			turn.Text("An answer to the " + s + ".")
			turn.End(session.TurnCompleted)
			p.Settle()
		}
		p.Type("/fork")
		p.Keys("down", "enter")
		p.Settle()
		if !p.Has("An answer to the first") || p.Has("An answer to the second") {
			t.Errorf("the copy does not end with the first turn:\n%s", p.Text())
		}
		p.Type("in the copy")
		turn := p.Turn()
		if turn.Conversation().Options.Session == p.Session.ID() {
			t.Error("the prompt went to the original")
		}
		turn.End(session.TurnCompleted)
		p.Settle()
		p.Type("/resume")
		p.Pass(time.Second)
		p.Golden("resume-fork")
		p.Keys("up", "ctrl+f")
		p.Pass(time.Second)
		if !p.Has("An answer to the second") {
			t.Errorf("the copy of the original is not shown:\n%s", p.Text())
		}
		p.Type("in the second copy")
		turn = p.Turn()
		if turn.Conversation().Options.Session == p.Session.ID() {
			t.Error("the prompt went to the original")
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestForkFromTheTurnAtTheTop goes back to an earlier prompt and forks there by key.
func TestForkFromTheTurnAtTheTop(t *testing.T) {
	var p *Program
	var asked []string
	atSizes(t, Config{Options: func(o *ui.Options) {
		managerOf(o).Forks = func(_ context.Context, _ session.ID, upTo session.TurnID) (*live.Session, error) {
			asked = append(asked, string(upTo))
			return p.Manager.Draft(live.DraftOptions{Dir: Dir})
		}
	}}, func(prog *Program, size string) {
		p, asked = prog, nil
		var turns []session.TurnID
		for _, s := range []string{"first question", "二番目の質問", "third question"} {
			p.Type(s)
			turn := p.Turn()
			turns = append(turns, turn.ID)
			turn.Text(strings.Repeat("An answer.\n\n", 30))
			turn.End(session.TurnCompleted)
			p.Settle()
		}
		p.Keys("alt+up", "alt+up", "alt+r")
		p.Golden("fork-here-" + size)
		p.Keys("enter")
		p.Settle()
		if len(asked) != 1 || len(turns) != 3 || asked[0] != string(turns[1]) {
			t.Errorf("forked at %q of %q", asked, turns)
		}
	})
}
