package models

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// agreed takes the models whose terms are accepted.
type agreed struct {
	models []string
	err    error
}

func (a *agreed) AcceptTerms(_ context.Context, model string) error {
	a.models = append(a.models, model)
	return a.err
}

// A model with open terms is asked about, by its row and by its name; only a yes is sent, once, and then the model is used.
func TestTermsAreAskedAboutOnce(t *testing.T) {
	look := &style.Look{Theme: style.NewTheme(true, false, nil), Width: 120, Height: 40}
	all := []session.Model{{ID: "usual", Default: true}, {ID: "new-1", Name: "New\x1b[2J 1", Efforts: []string{"low"}, Unusable: "needs your yes to its terms", Terms: "Read this: https://example.com/terms"}}
	enter, down := tea.KeyPressMsg{Code: tea.KeyEnter}, tea.KeyPressMsg{Code: tea.KeyDown}
	question := func(e panel.Effect) *list.Panel {
		t.Helper()
		if both, is := e.(panel.All); is {
			e = both[len(both)-1]
		}
		push, is := e.(panel.Push)
		if !is {
			t.Fatalf("no question: %#v", e)
		}
		return push.Panel.(*list.Panel)
	}
	byRow := func(k Known) panel.Effect {
		p := list.Open(look, k.Models(), "")
		p.Draw(120, 40)
		p.Update(down)
		e, _ := p.Update(enter)
		return e
	}
	byName := func(k Known) panel.Effect { return Run(look, k, "new-1 low", nil) }
	for name, choose := range map[string]func(Known) panel.Effect{"row": byRow, "name": byName} {
		for answer, keys := range map[string][]tea.KeyPressMsg{"yes": {down, enter}, "no": {enter}, "fails": {down, enter}} {
			a := &agreed{}
			if answer == "fails" {
				a.err = &session.Error{Op: "ask Copilot", Kind: session.KindForbidden, Err: errors.New("not yours")}
			}
			q := question(choose(Known{Look: look, All: all, Terms: a}))
			if text := strings.Join(q.Draw(120, 40).Rows, "\n"); !strings.Contains(text, "https://example.com/terms") || strings.Contains(text, "\x1b[2J") {
				t.Errorf("%s: %s", name, text)
			}
			var got panel.Effect
			for _, k := range keys {
				got, _ = q.Update(k)
			}
			var after panel.Effect
			for _, e := range flat(got) {
				if run, is := e.(panel.Run); is {
					after = run.Work(t.Context())
				}
			}
			want := map[string]int{"yes": 1, "no": 0, "fails": 1}[answer]
			if len(a.models) != want || want == 1 && a.models[0] != "new-1" {
				t.Errorf("%s, %s: sent %q", name, answer, a.models)
			}
			effort := map[string]string{"row": "", "name": "low"}[name]
			switch n, is := after.(panel.Notice); {
			case answer == "yes" && !reflect.DeepEqual(after, panel.All{panel.TermsAccepted{ID: "new-1"}, panel.UseModel{ID: "new-1", Effort: effort}}),
				answer == "fails" && (!is || !n.Warn || !strings.Contains(n.Text, "not yours")), answer == "no" && after != nil:
				t.Errorf("%s, %s: %#v", name, answer, after)
			}
		}
	}
	a := &agreed{}
	run, is := Run(look, Known{Look: look, All: all, Terms: a}, "new-1 default yes", nil).(panel.Run)
	if !is {
		t.Fatal("the words agree to nothing")
	}
	if got := run.Work(t.Context()); len(a.models) != 1 || !reflect.DeepEqual(got, panel.All{panel.TermsAccepted{ID: "new-1"}, panel.UseModel{ID: "new-1", Lasting: true}}) {
		t.Errorf("agreed in words: %q %#v", a.models, got)
	}
	if n, is := byName(Known{Look: look, All: all}).(panel.Notice); !is || !strings.Contains(n.Text, "needs your yes") {
		t.Errorf("nothing can agree: %#v", n)
	}
	row := Known{Look: look, All: all, Terms: &agreed{}}.Models().Rows()[1]
	if row.Off != "" || row.Cells[columnPurpose] != "needs your yes: terms" || !strings.Contains(strings.Join(row.About, " "), "Needs your yes, once: Read this") {
		t.Errorf("%+v", row)
	}
}

// flat returns the effects of an effect.
func flat(e panel.Effect) []panel.Effect {
	all, is := e.(panel.All)
	if !is {
		return []panel.Effect{e}
	}
	var out []panel.Effect
	for _, e := range all {
		out = append(out, flat(e)...)
	}
	return out
}
