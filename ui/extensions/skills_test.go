package extensions

import (
	"context"
	"slices"
	"strings"
	"testing"

	"parley/session"
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
	s := paneltest.Open(t, RunSkills(look(), newShelf()).(panel.Push))
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
	l := &skillList{look: look(), all: newShelf()}
	for id, want := range map[string]panel.Effect{
		"1": panel.Notice{Text: "Only the model uses lint; ask for what it does"},
		"2": panel.Notice{Text: "deploy is off: it is used once you agree: /trust", Warn: true},
		"9": nil,
	} {
		if got := l.Choose(id); got != want {
			t.Errorf("%s: %#v", id, got)
		}
	}
	if all, is := l.Choose("0").(panel.All); !is || !slices.Contains(all, panel.Effect(panel.Write{Text: "/review "})) {
		t.Errorf("%#v", l.Choose("0"))
	}
	if _, is := RunSkills(look(), nil).(panel.Notice); !is {
		t.Error("an agent that finds its own skills has a list of them")
	}
}
