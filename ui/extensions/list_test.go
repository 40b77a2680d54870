package extensions

import (
	"context"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/extensions/inventory"
	"parley/ui/panel"
	"parley/ui/panel/paneltest"
)

// shelf is some skills.
type shelf []session.Skill

func (s shelf) Skills(context.Context) []session.Skill { return s }

func newShelf() shelf {
	return shelf{{Name: "review", Kind: "skill", About: "Reviews a change\x1b[2J", Hint: "branch", Path: "/home/u/.claude/skills/review/SKILL.md", Origin: session.CustomUser,
		Offered: true, Typed: true, Tokens: 1200},
		{Name: "lint", Kind: "skill", About: "Checks", Path: "/home/u/.claude/skills/lint/SKILL.md", Origin: session.CustomUser, Offered: true, Notes: []string{"the name should be that of the folder"}},
		{Name: "deploy", Kind: "command", About: "Ships", Path: "/repo/.claude/commands/deploy.md", Origin: session.CustomRepository, Why: "it is used once you agree: /trust"}}
}

func TestSkills(t *testing.T) {
	s := paneltest.Open(t, of(session.Extensions{Skills: newShelf()}).Skills("").(panel.Push))
	s.Wait()
	rows := s.Rows(100, 24)
	for _, want := range []string{"Skills and commands", "yours", "/review", "1k", "this project's", "model only", "off", "/trust"} {
		if !strings.Contains(rows, want) {
			t.Errorf("no %q in\n%s", want, rows)
		}
	}
	if strings.Contains(rows, "\x1b[2J") {
		t.Error("a skill drives the terminal")
	}
	s.Keys("ctrl+x")
	if e := s.Effects[len(s.Effects)-1]; e != (panel.EditFile{Path: "/home/u/.claude/skills/review/SKILL.md"}) {
		t.Errorf("%#v", e)
	}
	l := &listing{Command: of(session.Extensions{Skills: newShelf()})}
	l.found = l.read(t.Context(), false)
	for id, want := range map[string]panel.Effect{
		"skill:lint":     panel.Notice{Text: "Only the model uses lint; ask for what it does"},
		"command:deploy": panel.Notice{Text: "deploy is off: it is used once you agree: /trust", Warn: true},
		"skill:none":     nil,
	} {
		if got := l.Choose(id); got != want {
			t.Errorf("%s: %#v", id, got)
		}
	}
	if all, is := l.Choose("skill:review").(panel.All); !is || !slices.Contains(all, panel.Effect(panel.Write{Text: "/review "})) {
		t.Errorf("%#v", l.Choose("skill:review"))
	}
}

// finds returns commands that find one item of each kind, and one whose name is taken.
func finds() Command {
	c := of(session.Extensions{})
	c.Find = func(context.Context, string, string) inventory.Found {
		return inventory.Found{Texts: []inventory.Text{{Path: "/repo/AGENTS.md", Size: 4000}}, Skills: newShelf(),
			Customs: session.Customs{Agents: []session.CustomAgent{{Name: "reviewer", About: "reviews", Path: "/home/u/.claude/agents/reviewer.md", Origin: session.CustomUser}},
				Problems: []session.CustomProblem{{Path: "/repo/.claude/agents/reviewer.md", Unused: true, Origin: session.CustomRepository,
					What: "the name reviewer is taken by /home/u/.claude/agents/reviewer.md"}}},
			Hooks:   session.HookReport{Hooks: []session.Hook{{Event: "Stop", Kind: "command", Runs: "check", Scope: "managed", From: "/etc/managed.json"}}},
			Plugins: []inventory.Folder{{Name: "tools", Dir: "/home/u/tools"}}}
	}
	return c
}

func TestExtensions(t *testing.T) {
	s := paneltest.Open(t, finds().Run("").(panel.Push))
	s.Wait()
	rows := s.Rows(120, 40)
	for _, want := range []string{"Extensions", "1k tokens per session", "instructions", "AGENTS.md", "this project's", "agents", "reviewer", "is taken by", "skills", "/review",
		"commands", "hooks", "check", "your administrator's", "plugins", "tools"} {
		if !strings.Contains(rows, want) {
			t.Errorf("no %q in\n%s", want, rows)
		}
	}
	for words, want := range map[string]panel.Effect{"hook:stop": panel.Notice{Text: "Your administrator decides about that: /etc/managed.json"},
		"agents.md": panel.EditFile{Path: "/repo/AGENTS.md"}, "agent:reviewer": panel.Command{Name: "agents", Args: "reviewer"}} {
		s := paneltest.Open(t, finds().Run(words).(panel.Push))
		s.Wait()
		s.Keys("enter")
		if len(s.Effects) != 1 || s.Effects[0] != want {
			t.Errorf("%s: %#v", words, s.Effects)
		}
	}
	s = paneltest.Open(t, finds().Run("hooks").(panel.Push))
	s.Wait()
	if rows := s.Rows(100, 24); !strings.Contains(rows, "check") || strings.Contains(rows, "reviewer") {
		t.Errorf("%s", rows)
	}
}
