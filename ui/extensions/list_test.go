package extensions

import (
	"context"
	"errors"
	"fmt"
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

// shop keeps items, and writes down what is asked of it.
type shop struct {
	found func() inventory.Found
	asked []string
	off   inventory.Off
	// changes has a value for each change on disk, nil: nothing changes.
	changes chan struct{}
}

func (s *shop) Reads(agent string) inventory.Reads { return inventory.Reads{All: agent == "builtin"} }

func (s *shop) OffIn(id session.ID) inventory.Off {
	if id != "here" {
		return nil
	}
	return s.off
}

func (s *shop) SwitchIn(id session.ID, agent string, i inventory.Item, on bool) error {
	s.asked = append(s.asked, fmt.Sprint(i.ID(), " in ", id, " of ", agent, " ", on))
	s.off = s.off.Switched(i, on)
	return nil
}

func (s *shop) Follow(string) func(ctx context.Context) bool {
	return func(ctx context.Context) bool {
		if s.changes == nil {
			return false
		}
		select {
		case <-s.changes:
			return true
		case <-ctx.Done():
			return false
		}
	}
}

func (s *shop) Find(context.Context, string, string) inventory.Found { return s.found() }

func (s *shop) Switch(_ context.Context, dir string, i inventory.Item, scope inventory.Scope, on bool) (string, error) {
	s.asked = append(s.asked, fmt.Sprint(i.ID(), " ", scope, " ", on))
	if i.Kind == inventory.Agent {
		return "", &session.Error{Op: "switch", Kind: session.KindUnsupported, Err: errors.New(i.Name + "\x1b[2J: it has no switch")}
	}
	return "/home/u/settings.json", nil
}

func (s *shop) Install(_ context.Context, source string) (string, error) {
	s.asked = append(s.asked, "install "+source)
	return "demo", nil
}

func (s *shop) Update(_ context.Context, i inventory.Item) (bool, error) {
	s.asked = append(s.asked, "update "+i.Name)
	return false, nil
}

func (s *shop) Remove(_ context.Context, i inventory.Item) error {
	s.asked = append(s.asked, "remove "+i.Name)
	return nil
}

// The open list shows what changes on disk, and keeps what is selected.
func TestListFollowsTheDisk(t *testing.T) {
	one := session.Skill{Name: "one", Kind: "skill", Path: "/home/u/.claude/skills/one/SKILL.md", Origin: session.CustomUser, Offered: true, Typed: true}
	two := one
	two.Name, two.Path = "a-new-one", "/home/u/.claude/skills/a-new-one/SKILL.md"
	all := []session.Skill{one}
	keeper := &shop{changes: make(chan struct{}), found: func() inventory.Found { return inventory.Found{Skills: all} }}
	c := of(session.Extensions{})
	c.Keeper = keeper
	s := paneltest.Open(t, c.Run("").(panel.Push))
	s.Next() // both commands
	s.Next()
	if rows := s.Rows(100, 24); !strings.Contains(rows, "/one") || strings.Contains(rows, "a-new-one") {
		t.Fatal(rows)
	}
	all = []session.Skill{two, one}
	keeper.changes <- struct{}{}
	s.Next() // the change, which begins two commands
	s.Next()
	s.Next()
	if rows := s.Rows(100, 24); !strings.Contains(rows, "a-new-one") {
		t.Error(rows)
	}
	s.Keys("ctrl+x")
	if e := s.Effects[len(s.Effects)-1]; e != (panel.EditFile{Path: one.Path}) {
		t.Errorf("another row is selected: %#v", e)
	}
}

// Keys switch, update and remove what is selected; what runs or loses something needs a second press, and an administrator's stays.
func TestActsOfRows(t *testing.T) {
	for _, c := range []struct {
		words string
		keys  []string
		asked string
		says  string
	}{
		{"skill:review", []string{"tab", "y"}, "skill:review user false", "review is off starting with the next prompt, by ~/settings.json"},
		{"skill:review", []string{"alt+p"}, "skill:review project false", "review is off in this project starting with the next prompt, by ~/settings.json"},
		{"plugin:tools", []string{"alt+y"}, "", "It runs what the preview lists, in every directory. Press the same again to switch it on"},
		{"plugin:tools", []string{"alt+y", "alt+y"}, "plugin:tools user true", "tools is on starting with the next prompt, by ~/settings.json"},
		{"plugin:tools", []string{"alt+y", "alt+r"}, "", "This removes tools and what it keeps. Press the same again to do it"},
		{"plugin:tools", []string{"alt+r", "alt+r"}, "remove tools", "tools is removed"},
		{"plugin:tools", []string{"alt+u"}, "update tools", "tools is up to date"},
		{"skill:review", []string{"alt+u"}, "", "That is for plugins. ctrl+x opens the file"},
		{"agents.md", []string{"alt+y"}, "instructions:AGENTS.md user false", "AGENTS.md is off starting with the next prompt, by ~/settings.json"},
		{"skill:review", []string{"alt+s"}, "skill:review in here of builtin false", "review is off in this session, starting with the next prompt"},
		{"skill:review", []string{"alt+s", "tab", "s"}, "skill:review in here of builtin false, skill:review in here of builtin true", "review is on again in this session, starting with the next prompt"},
		{"skill:review", []string{"alt+s", "enter"}, "skill:review in here of builtin false, skill:review in here of builtin true", "review is on again in this session, starting with the next prompt"},
		{"skill:review", []string{"alt+s", "alt+y"}, "skill:review in here of builtin false", "review is off in this session only: tab s switches it on"},
		{"plugin:tools", []string{"alt+s"}, "", "tools is off for all sessions: switched off in parley"},
		{"agent:reviewer", []string{"alt+s"}, "", "Plugins, skills, commands and MCP servers can be off in one session"},
		{"hook:stop", []string{"alt+s"}, "", "Your administrator decides about that: /etc/managed.json"},
		{"hook:stop", []string{"alt+y"}, "", "Your administrator decides about that: /etc/managed.json"},
		{"agent:reviewer", []string{"alt+y"}, "agent:reviewer user false", "reviewer␛[2J: it has no switch"},
	} {
		command := finds()
		command.Session = "here"
		s := paneltest.Open(t, command.Run(c.words).(panel.Push))
		s.Wait()
		for _, key := range c.keys {
			s.Keys(key)
			s.Wait()
		}
		var said string
		for _, e := range s.Effects {
			if n, is := e.(panel.Notice); is {
				said = n.Text
			}
		}
		if asked := strings.Join(command.Keeper.(*shop).asked, ", "); asked != c.asked || said != c.says {
			t.Errorf("%s %q: asked %q, says %q; effects %#v", c.words, c.keys, asked, said, s.Effects)
		}
	}
	command := finds()
	if run, is := command.Run("add ~/demo").(panel.Run); !is || run.Work(t.Context()) != panel.Effect(panel.Notice{Text: "demo is installed and off. /extensions demo shows what it would run"}) {
		t.Error("nothing is installed")
	}
}

// finds returns commands that find one item of each kind, and one whose name is taken.
func finds() Command {
	c := of(session.Extensions{})
	c.Keeper = &shop{found: func() inventory.Found {
		return inventory.Found{Reads: inventory.Reads{All: true}, Texts: []inventory.Text{{Path: "/repo/AGENTS.md", Size: 4000}}, Skills: newShelf(),
			Customs: session.Customs{Agents: []session.CustomAgent{{Name: "reviewer", About: "reviews", Path: "/home/u/.claude/agents/reviewer.md", Origin: session.CustomUser}},
				Problems: []session.CustomProblem{{Path: "/repo/.claude/agents/reviewer.md", Unused: true, Origin: session.CustomRepository,
					What: "the name reviewer is taken by /home/u/.claude/agents/reviewer.md"}}},
			Hooks:   session.HookReport{Hooks: []session.Hook{{Event: "Stop", Kind: "command", Runs: "check", Scope: "managed", From: "/etc/managed.json"}}},
			Plugins: []inventory.Folder{{Name: "tools", Dir: "/home/u/tools", Why: "switched off in parley", Runs: "hook Stop: ./stop.sh"}}}
	}}
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
