package features

import (
	"strings"
	"testing"

	"parley/session"
	"parley/ui/list"
	"parley/ui/panel"
)

// A command of another program becomes ours, unless the agent has it; what nobody has gets the next step.
func TestCommandsOfOtherPrograms(t *testing.T) {
	for _, c := range []struct {
		name, args string
		agents     bool
		want       panel.Effect
	}{
		{"cost", "", true, panel.Command{Name: "usage"}}, {"plan", "", false, panel.Command{Name: "mode", Args: "plan"}},
		{"plan", "", true, nil}, {"continue", "retry", false, panel.Command{Name: "resume", Args: "retry"}}, {"logout", "", false, panel.Command{Name: "login", Args: "out"}}, {"copy", "", false, nil}, {"usage", "", false, nil},
	} {
		if got := Sibling(c.name, c.args, c.agents); got != c.want {
			t.Errorf("/%s: %#v", c.name, got)
		}
	}
	for name, want := range map[string]string{"copy": "alt+w copies", "usgae": "Did you mean /usage?", "xyzzy": "/help lists them", "a\x1b[2Jb": "No command"} {
		if got := Unknown(name).(panel.Notice); !strings.Contains(got.Text, want) || strings.Contains(got.Text, "\x1b") {
			t.Errorf("/%s: %q", name, got.Text)
		}
	}
	if c := Siblings(state(), "cos"); len(c) != 1 || c[0].Text != "usage" || !strings.Contains(c[0].Detail, "/cost") {
		t.Errorf("%+v", c)
	}
	if c := Siblings(state(), "pla"); len(c) != 1 || c[0].Text != "plan" || c[0].Label != "/mode plan" {
		t.Errorf("a command with arguments: %+v", c)
	}
}

func TestTasksWithoutTasksSaySo(t *testing.T) {
	s := state()
	if e, is := tasks(s, "").(panel.Notice); !is || !strings.Contains(e.Text, "No tasks yet") {
		t.Errorf("%#v", e)
	}
	s.Transcript.Todos = []session.Todo{{Text: "one"}}
	if e := tasks(s, ""); e != (panel.Tasks{}) {
		t.Errorf("%#v", e)
	}
}

// The status names the model that the header names before one was chosen.
func TestStatusNamesTheDefaultModel(t *testing.T) {
	s := state()
	s.Usage = func() [][2]string { return nil }
	s.Models.Now.Model, s.Models.All[0].Default = "", true
	f, _ := Find("status")
	p := f.Run(s, "").(panel.Push).Panel.(*list.Panel)
	rows, _, _ := p.Found()
	for _, r := range rows {
		if r.Cells[0] == "Model" && r.Cells[1] == "a-1" {
			return
		}
	}
	t.Errorf("no model in %v", rows)
}
