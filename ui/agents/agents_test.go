package agents

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/ui/panel"
	"parley/ui/panel/paneltest"
	"parley/ui/style"
)

var found = session.Customs{Agents: []session.CustomAgent{{Name: "planner", Path: "/a/planner.md", About: "plans\x1b[2J"}, {Name: "hidden", Unlisted: true}},
	Problems: []session.CustomProblem{{Path: "/a/broken.md", Line: 2, What: "has no name", Unused: true}}, Untrusted: 1}

func newCommand(create func(string) (string, error)) *Command {
	return &Command{Look: &style.Look{Theme: style.NewTheme(true, true, nil), Now: time.Now, Width: 80, Height: 24}, Create: create,
		Find: func() func(context.Context) session.Customs {
			return func(context.Context) session.Customs { return found }
		},
		Leads: func() string { return "" }}
}

// carried returns what an effect comes to.
func carried(t *testing.T, e panel.Effect) []panel.Effect {
	t.Helper()
	s := paneltest.Do(t, e)
	s.Wait()
	return s.Effects
}

func TestCommand(t *testing.T) {
	planner := found.Agents[0]
	for args, want := range map[string][]panel.Effect{
		"none":    {panel.SetCustom{}},
		"PLANNER": {panel.SetCustom{Agent: planner}},
		"plannr":  {panel.Notice{Text: `no custom agent "plannr"; did you mean planner?`, Warn: true}, panel.Write{Text: "/agents plannr"}},
		"xyz":     {panel.Notice{Text: `no custom agent "xyz"; those of this project can be used once you trust it: /trust`, Warn: true}, panel.Write{Text: "/agents xyz"}},
		"new":     {panel.Notice{Text: "Type a name: /agents new reviewer"}, panel.Write{Text: "/agents new "}},
	} {
		if got := carried(t, newCommand(func(string) (string, error) { return "", nil }).Run(args)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %#v", args, got)
		}
	}
	if got := carried(t, newCommand(nil).Run("new x")); !reflect.DeepEqual(got, []panel.Effect{panel.Notice{Text: "Agents can't be created here"}}) {
		t.Errorf("%#v", got)
	}
	none := newCommand(nil)
	none.Find = func() func(context.Context) session.Customs { return nil }
	if _, is := none.Run("").(panel.Notice); !is {
		t.Error("an agent without custom agents has a list of them")
	}
}

func TestList(t *testing.T) {
	s := paneltest.Open(t, newCommand(nil).Run("").(panel.Push))
	if rows := s.Rows(80, 24); !strings.Contains(rows, "looking for agents") {
		t.Errorf("before they are known:\n%s", rows)
	}
	s.Wait()
	rows := s.Rows(80, 24)
	if !strings.Contains(rows, "planner") || strings.Contains(rows, "hidden") || strings.Contains(rows, "\x1b[2J") || !strings.Contains(rows, "1 more in this project") {
		t.Errorf("%s", rows)
	}
	s.Keys("down", "enter")
	if s.IsOpen() || !reflect.DeepEqual(s.Effects, []panel.Effect{panel.SetCustom{Agent: found.Agents[0]}}) {
		t.Errorf("%#v", s.Effects)
	}
}

// A new agent's file is opened in the editor, with the list under it; so is one that cannot be used.
func TestFilesAreEdited(t *testing.T) {
	s := paneltest.Do(t, newCommand(func(name string) (string, error) { return "/a/" + name + ".md", nil }).Run("new reviewer"))
	s.Wait()
	if !s.IsOpen() || !reflect.DeepEqual(s.Effects, []panel.Effect{panel.EditFile{Path: "/a/reviewer.md"}}) {
		t.Errorf("%#v", s.Effects)
	}
	s.Reply(panel.Edited{Err: errors.New("no editor")})
	if n := s.Effects[len(s.Effects)-1].(panel.Notice); !n.Warn || !strings.Contains(n.Text, "no editor") {
		t.Errorf("%#v", n)
	}
	s.Keys("down", "down", "down", "enter")
	if e := s.Effects[len(s.Effects)-1]; e != (panel.EditFile{Path: "/a/broken.md"}) {
		t.Errorf("%#v", e)
	}
	if got := carried(t, newCommand(func(string) (string, error) { return "", errors.New("it exists") }).Run("new x")); len(got) != 1 || got[0] != (panel.Notice{Text: "it exists", Warn: true}) {
		t.Errorf("%#v", got)
	}
}
