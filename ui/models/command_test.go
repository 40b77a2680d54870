package models

import (
	"reflect"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// few are models with and without efforts.
var few = []session.Model{
	{ID: "claude-opus-4.8", Vendor: "A", Efforts: []string{"low", "medium", "high"}, Price: &session.Price{Input: 500, Output: 2500}},
	{ID: "gpt-5.4", Vendor: "B", Efforts: []string{"low", "high"}, Multiplier: 3},
	{ID: "claude-haiku-4.5", Vendor: "A", Free: true}, {ID: "gone", Vendor: "B", Unusable: "a policy"},
}

// A model is named alone, with an effort, as the default, or both; what names nothing filters the list.
func TestWhatStandsBehindTheCommand(t *testing.T) {
	look := &style.Look{Theme: style.NewTheme(true, false, nil), Width: 80, Height: 24}
	known := Known{All: few, Now: session.Settings{Model: "claude-opus-4.8", Effort: "high"}}
	for _, tt := range []struct {
		args string
		want panel.Effect // nil for the list
	}{
		{"", nil}, {"opus", nil}, {"opus high", nil}, {"default", nil},
		{"GPT-5.4", panel.SetModel{ID: "gpt-5.4"}}, {"opus 4.8", panel.SetModel{ID: "claude-opus-4.8"}},
		{"gpt-5.4 LOW", panel.UseModel{ID: "gpt-5.4", Effort: "low"}}, {"opus 4.8 medium", panel.UseModel{ID: "claude-opus-4.8", Effort: "medium"}},
		{"gpt-5.4 default", panel.UseModel{ID: "gpt-5.4", Effort: "high", Lasting: true}},
		{"claude-haiku-4.5 default", panel.UseModel{ID: "claude-haiku-4.5", Lasting: true}},
		{"gpt-5.4 low default", panel.UseModel{ID: "gpt-5.4", Effort: "low", Lasting: true}},
		{"gpt-5.4 medium", panel.Notice{Text: "No effort medium: low, high", Warn: true}},
		{"gone low", panel.Notice{Text: "gone: a policy", Warn: true}}, {"gone", panel.Notice{Text: "gone: a policy", Warn: true}},
	} {
		got := Run(look, known, tt.args, nil)
		if p, is := got.(panel.Push); is && tt.want == nil {
			if typed := p.Panel.(*list.Panel).Picker.Typed(); typed != tt.args {
				t.Errorf("/model %s: the filter is %q", tt.args, typed)
			}
		} else if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("/model %s: %#v, want %#v", tt.args, got, tt.want)
		}
	}
	if got := RunEffort(look, known, "Default", nil); got != (panel.SetEffort{}) {
		t.Errorf("/effort default: %#v", got)
	}
}

// The keys of the list change the effort of a row, and use it now or from now on.
func TestKeysOfTheModels(t *testing.T) {
	look := &style.Look{Theme: style.NewTheme(true, false, nil), Width: 120, Height: 40}
	enter, left, right := tea.KeyPressMsg{Code: tea.KeyEnter}, tea.KeyPressMsg{Code: tea.KeyLeft}, tea.KeyPressMsg{Code: tea.KeyRight}
	down, lasting := tea.KeyPressMsg{Code: tea.KeyDown}, tea.KeyPressMsg{Code: 'd', Mod: tea.ModCtrl}
	typed := func(r rune) tea.KeyPressMsg { return tea.KeyPressMsg{Code: r, Text: string(r)} }
	for _, tt := range []struct {
		name  string
		lasts bool
		keys  []tea.KeyPressMsg
		want  panel.Effect
	}{
		{"enter", true, []tea.KeyPressMsg{enter}, panel.UseModel{ID: "claude-opus-4.8", Effort: "high"}},
		{"a lower effort", true, []tea.KeyPressMsg{left, enter}, panel.UseModel{ID: "claude-opus-4.8", Effort: "medium"}},
		{"the model's own", true, []tea.KeyPressMsg{left, left, left, left, enter}, panel.UseModel{ID: "claude-opus-4.8"}},
		{"from now on", true, []tea.KeyPressMsg{left, lasting}, panel.UseModel{ID: "claude-opus-4.8", Effort: "medium", Lasting: true}},
		{"no effort", true, []tea.KeyPressMsg{down, right, lasting}, panel.UseModel{ID: "claude-haiku-4.5", Lasting: true}},
		{"while a filter is typed", true, []tea.KeyPressMsg{typed('g'), typed('p'), lasting}, panel.UseModel{ID: "gpt-5.4", Effort: "high", Lasting: true}},
		{"by its letter", true, []tea.KeyPressMsg{{Code: tea.KeyTab}, typed('d')}, panel.UseModel{ID: "claude-opus-4.8", Effort: "high", Lasting: true}},
		{"d is typed", true, []tea.KeyPressMsg{typed('d')}, nil},
		{"nothing to keep it in", false, []tea.KeyPressMsg{lasting}, panel.Pass{}},
		{"one that cannot be used", true, []tea.KeyPressMsg{down, down, down, lasting}, panel.Notice{Text: "gone: a policy", Warn: true}},
	} {
		p := list.Open(look, Models{All: few, Now: "claude-opus-4.8", Effort: "high", Lasts: tt.lasts}, "")
		p.Draw(120, 40)
		var got panel.Effect
		for _, k := range tt.keys {
			got, _ = p.Update(k)
		}
		if all, is := got.(panel.All); is && len(all) == 2 && all[0] == (panel.Pop{}) {
			got = all[1]
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %#v, want %#v", tt.name, got, tt.want)
		}
	}
}

// Prices are those of tokens and, where the plan counts requests, of a prompt; "included" is said once.
func TestPricesOfTheRows(t *testing.T) {
	for byTokens, want := range map[bool][][2]string{
		true:  {{"$5 / $25", ""}, {"included", ""}, {"", ""}},
		false: {{"$5 / $25", ""}, {"", "included"}, {"", "3 requests"}},
	} {
		rows := Models{All: few, ByTokens: byTokens}.Rows()
		for i, w := range want {
			if got := [2]string{rows[i].Cells[columnTokens], rows[i].Cells[columnPrompt]}; got != w {
				t.Errorf("by tokens %v, %s: %q, want %q", byTokens, rows[i].ID, got, w)
			}
		}
	}
}

// A mode is named; plan mode takes the first prompt with it, as /plan does in Claude Code.
func TestWhatStandsBehindTheMode(t *testing.T) {
	look := &style.Look{Theme: style.NewTheme(true, false, nil), Width: 80, Height: 24}
	post := func(text string) panel.Post {
		return panel.Post{Prompt: core.Prepared{Prompt: session.Prompt{Text: text}, Draft: text}}
	}
	plan := panel.SetMode{Mode: session.ModePlan}
	for _, tt := range []struct {
		args, problem string
		want          panel.Effect
	}{
		{"plan", "", plan}, {"acceptEdits", "", panel.SetMode{Mode: session.ModeAcceptEdits}},
		{"plan fix the hours", "", panel.All{plan, post("fix the hours")}},
		{"plan fix the hours", "no plans here", panel.Notice{Text: "no plans here", Warn: true}},
		{"plan yes", "", panel.SetMode{Mode: session.ModePlan, Confirmed: true}},
		{"bypassPermissions yes", "", panel.SetMode{Mode: session.ModeBypass, Confirmed: true}},
	} {
		if got := RunMode(look, session.ModeDefault, func(session.Mode) string { return tt.problem }, tt.args); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("/mode %s: %#v, want %#v", tt.args, got, tt.want)
		}
	}
}
