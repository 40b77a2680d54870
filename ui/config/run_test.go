package config

import (
	"errors"
	"strings"
	"testing"

	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/list/listtest"
	"parley/ui/panel"
	"parley/ui/style"
)

// fake are settings in memory.
type fake struct {
	all []core.Setting
	err error
}

func (f *fake) Set(key, value string) (string, error) { return f.Begin(key, value)() }

func (f *fake) Path() string        { return "/home/me/.config/parley/config.yaml" }
func (f *fake) All() []core.Setting { return f.all }

func (f *fake) Begin(key, value string) func() (string, error) {
	for i := range f.all {
		if f.all[i].Key == key && f.err == nil {
			f.all[i].Value, f.all[i].Source = value, "file"
		}
	}
	return func() (string, error) { return "", f.err }
}

func settings() *fake {
	return &fake{all: []core.Setting{{Key: "model", Source: "default"}, {Key: "theme", Value: "auto", Source: "default"},
		{Key: "screen", Value: "alt", Values: []string{"alt", "inline", "plain"}, Source: "file"},
		{Key: "ui.mouse", Value: "on", Values: []string{"on", "off"}, Source: "default"},
		{Key: "ui.keys", Value: "emacs", Values: []string{"emacs", "vim"}, Source: "default"},
		{Key: "ui.bindings", Value: listtest.Bad, Source: "default"},
		{Key: "editor", Value: listtest.Bad, Source: "PARLEY_EDITOR" + listtest.Bad},
		{Key: "tools.max_rounds", Value: "200", Source: "default"}}}
}

func command(s core.Settings) Command {
	return Command{Look: &style.Look{Home: "/home/me"}, Settings: s}
}

// flat returns what an effect consists of, without what follows later.
func flat(e panel.Effect) (all []panel.Effect) {
	switch e := e.(type) {
	case nil:
	case panel.All:
		for _, one := range e {
			all = append(all, flat(one)...)
		}
	default:
		all = append(all, e)
	}
	return all
}

func TestLists(t *testing.T) {
	s := settings()
	choices := Choices{Of: List{Look: &style.Look{}, Of: s}, Entry: "tools.max_rounds", Values: []string{"1"}}
	listtest.Check(t, listtest.Case{Source: List{Look: &style.Look{}, Of: &fake{}}, First: panel.EditFile{Path: s.Path()}})
	for _, l := range []list.Source{List{Look: &style.Look{}, Of: s}, choices, &Themes{now: listtest.Bad}} {
		for _, r := range l.Rows() {
			if strings.ContainsAny(strings.Join(r.Cells, "")+r.Off, "\x1b\n") {
				t.Errorf("%T: %+v drives the terminal", l, r)
			}
		}
	}
	for _, r := range (List{Look: &style.Look{Home: "/home/me"}, Of: s}).Rows() {
		if r.ID == "editor" && !strings.Contains(r.Off, "fixed by PARLEY_EDITOR") {
			t.Errorf("what the environment sets can be changed: %+v", r)
		}
		if r.ID == fileRow && r.About[0] != "~/.config/parley/config.yaml" {
			t.Errorf("the file: %q", r.About)
		}
	}
}

// What is written after /config sets a setting by its key or its name, at once where that is possible.
func TestRun(t *testing.T) {
	for args, want := range map[string]string{
		"ui.mouse off":          "apply ui.mouse=off, write ui.mouse=off (Mouse: off, saved)",
		"mouse off":             "apply ui.mouse=off, write ui.mouse=off (Mouse: off, saved)",
		"Screen  inline":        "write screen=inline (Screen: inline, saved. It takes effect when parley starts next)",
		"screen default":        "write screen= (Screen: default, saved. It takes effect when parley starts next)",
		"tools.max_rounds 50":   "write tools.max_rounds=50 (tools.max_rounds: 50, saved. It takes effect when parley starts next)",
		"screen wide":           "Screen can be alt, inline, plain",
		"mouze off":             "No setting mouze. Did you mean mouse?",
		"nothing\x1b[2J at all": "No setting nothing",
		"editor vi":             "Editor is set by PARLEY_EDITOR",
	} {
		if got := words(command(settings()).Run(args)); !strings.HasPrefix(got, want) {
			t.Errorf("/config %s: %s, want %s", args, got, want)
		}
	}
	if p, is := command(settings()).Run("mou").(panel.Push); !is || len(found(p)) != 1 {
		t.Errorf("words do not filter: %+v", p)
	}
}

func words(e panel.Effect) string {
	var all []string
	for _, one := range flat(e) {
		switch one := one.(type) {
		case panel.Apply:
			all = append(all, "apply "+one.Key+"="+one.Value)
		case panel.SetDefault:
			all = append(all, "write "+one.Key+"="+one.Value+" ("+one.Said+")")
		case panel.Notice:
			all = append(all, one.Text)
		}
	}
	return strings.Join(all, ", ")
}

func found(p panel.Push) []list.Row {
	rows, _, _ := p.Panel.(*list.Panel).Found()
	return rows
}

// Left and right change a value; a failure shows again what is in the file.
func TestValuesTurn(t *testing.T) {
	s := settings()
	l := List{Look: &style.Look{}, Of: s}
	if got := words(l.Do(list.Turned{Row: list.Row{ID: "ui.mouse", Cells: []string{"Mouse", "off"}}})); got != "apply ui.mouse=off, write ui.mouse=off (Mouse: off, saved)" {
		t.Errorf("turned: %s", got)
	}
	if got := words(l.Do(list.Turned{Row: list.Row{ID: "model", Cells: []string{"Model", none}}})); !strings.HasPrefix(got, "write model= ") {
		t.Errorf("the default: %s", got)
	}
	s.err = errors.New("the disk is full")
	all := flat(l.Do(list.Turned{Row: list.Row{ID: "ui.mouse", Cells: []string{"Mouse", "off"}}}))
	tell, is := all[1].(panel.SetDefault).Then().(panel.Tell)
	if fresh, ok := tell.Msg.(list.Fresh); !is || !ok || !fresh.Forget {
		t.Errorf("the list is not renewed: %+v", tell)
	}
	if p, is := l.Do(list.Picked{Row: list.Row{ID: "screen"}}).(panel.Push); !is || len(found(p)) != 3 {
		t.Error("enter does not list the values")
	}
	if got := flat(l.Choose("tools.max_rounds")); len(got) != 3 || got[1] != (panel.Write{Text: "/config tools.max_rounds "}) {
		t.Errorf("a free value: %+v", got)
	}
	if got := l.Choose("ui.bindings"); got != (panel.EditFile{Path: s.Path()}) {
		t.Errorf("the bindings: %+v", got)
	}
}

// A theme is tried out while it is selected; closing the list brings the old one back, unless one was kept.
func TestThemes(t *testing.T) {
	c := command(settings())
	themes := c.Theme("").(panel.Push).Panel.(*list.Panel).Source.(*Themes)
	if got := themes.Try("dracula"); got != (panel.Apply{Key: "theme", Value: "dracula"}) {
		t.Errorf("tried: %+v", got)
	}
	if got := themes.End(); got != (panel.Apply{Key: "theme", Value: "auto"}) {
		t.Errorf("closed: %+v", got)
	}
	if got := words(themes.Choose("pink")); got != "apply theme=pink, write theme=pink (Theme: pink, saved)" || themes.End() != nil {
		t.Errorf("kept: %s, %+v", got, themes.End())
	}
	if got := words(c.Theme("parley-light")); !strings.HasPrefix(got, "apply theme=parley-light") {
		t.Errorf("by name: %s", got)
	}
	if got := words(c.Theme("/no/such.json").(panel.Run).Work(t.Context())); !strings.HasPrefix(got, "This theme can't be used") {
		t.Errorf("a bad file: %s", got)
	}
	if got := words(c.Vim("")); !strings.HasPrefix(got, "apply ui.keys=vim") {
		t.Errorf("vim: %s", got)
	}
	if got := words(c.Vim("off")); !strings.HasPrefix(got, "apply ui.keys=emacs") {
		t.Errorf("vim off: %s", got)
	}
}
