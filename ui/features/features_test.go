package features

import (
	"testing"
	"time"

	"parley/session"
	"parley/ui/core"
	"parley/ui/keymap"
	"parley/ui/list"
	"parley/ui/models"
	"parley/ui/panel"
	"parley/ui/style"
)

// Every command of the table does something.
func TestEveryCommandIsAFeature(t *testing.T) {
	if len(All) != len(keymap.Commands) || len(All) < 20 {
		t.Fatalf("%d features for %d commands", len(All), len(keymap.Commands))
	}
	for i, f := range All {
		if f.Run == nil || f.Name != keymap.Commands[i].Name {
			t.Errorf("/%s does nothing", keymap.Commands[i].Name)
		}
		if got, known := Find(f.Name); !known || got.Name != f.Name {
			t.Errorf("/%s is not found", f.Name)
		}
	}
	if _, known := Find("nosuch"); known {
		t.Error("an unknown command is found")
	}
}

// state returns a session in which nothing was said, with two models.
func state() *State {
	return &State{Look: &style.Look{Theme: style.NewTheme(true, true, nil), Now: time.Now, Width: 80, Height: 24},
		Current: core.Current{Transcript: &session.Transcript{}, Agent: "builtin", Settings: session.Settings{Model: "a-1"}},
		Agents:  []session.AgentInfo{{Name: "builtin"}, {Name: "claude"}, {Name: "gone", Missing: "not installed"}},
		Models: models.Known{Now: session.Settings{Model: "a-1"}, All: []session.Model{{ID: "a-1", Efforts: []string{"low", "high"}}, {ID: "b-1"},
			{ID: "c-1", Unusable: "not in this plan"}}},
		Problem: func(m session.Mode) string { return map[session.Mode]string{session.ModePlan: "it can't plan"}[m] }}
}

// What is written behind a command is done at once if it names something; else a list is opened, filtered by it.
func TestCommandsWithWords(t *testing.T) {
	run := func(name, args string) panel.Effect {
		f, _ := Find(name)
		return f.Run(state(), args)
	}
	for _, c := range []struct {
		name, args string
		want       panel.Effect
	}{
		{"model", "B-1", panel.SetModel{ID: "b-1"}}, {"model", "c-1", panel.Notice{Text: "c-1: not in this plan", Warn: true}},
		{"effort", "HIGH", panel.SetEffort{Effort: "high"}}, {"mode", "acceptEdits", panel.SetMode{Mode: session.ModeAcceptEdits}},
		{"mode", "bypassPermissions yes", panel.SetMode{Mode: session.ModeBypass, Confirmed: true}}, {"mode", "plan", panel.Notice{Text: "it can't plan", Warn: true}}, {"agent", "CLAUDE", panel.Begin{Agent: "claude"}},
		{"agent", "gone", panel.Notice{Text: "gone: not installed", Warn: true}}, {"rename", "A title", panel.Rename{Title: "A title"}},
		{"new", "", panel.Begin{}}, {"clear", "", panel.Begin{}}, {"export", "x.md", panel.Export{Args: "x.md"}}, {"quit", "", panel.Quit{}},
	} {
		if got := run(c.name, c.args); got != c.want {
			t.Errorf("/%s %s: %#v", c.name, c.args, got)
		}
	}
	open, is := run("model", "b").(panel.Push)
	if !is {
		t.Fatal("no list is opened")
	}
	if rows, _, _ := open.Panel.(*list.Panel).Found(); len(rows) != 1 || rows[0].ID != "b-1" {
		t.Errorf("%v", rows)
	}
	if e, is := run("rename", " ").(panel.Notice); !is || !e.Warn {
		t.Errorf("%#v", e)
	}
}

func TestArguments(t *testing.T) {
	for command, want := range map[string]string{"model": "a-1 b-1", "effort": "low high", "mode": "default acceptEdits bypassPermissions", "agent": "builtin claude", "nosuch": ""} {
		got := ""
		for i, c := range Arguments(state(), command) {
			if i > 0 {
				got += " "
			}
			got += c.Text
		}
		if got != want {
			t.Errorf("%s: %q", command, got)
		}
	}
}
