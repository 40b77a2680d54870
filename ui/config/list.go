package config

import (
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// List lists the settings that people change.
type List struct {
	Look   *style.Look
	Of     core.Settings
	Models []string // that the model can be set to, as far as they are known
}

// Options returns the texts of the list.
func (l List) Options() list.Options {
	return list.Options{Title: "Settings", One: "setting", Heads: []string{"setting", "value", "set by"}, Value: 1, Gives: []int{2}, Stays: true, Peeks: true, Below: true,
		Keys: "←→ change · enter choose · tab o open the file · esc back", Offers: []list.Offer{{Name: "open the file", Letter: "o", Key: "ctrl+o"}}, Clears: true}
}

// Rows returns the settings, and the file behind them.
func (l List) Rows() []list.Row {
	var rows []list.Row
	all := l.Of.All()
	for _, e := range entries {
		s, _, known := find(all, e.key)
		if !known {
			continue
		}
		r := list.Row{ID: s.Key, Group: e.group, Also: s.Key, Cells: []string{e.name, shown(s.Value), source(s)}, About: []string{e.sentence()}}
		switch {
		case s.Fixed():
			r.Cells = []string{e.name, "", ""}
			r.Off = shown(s.Value) + ", fixed by " + style.VisibleLine(s.Source)
		default:
			for _, v := range l.choices(e, s) {
				r.Values = append(r.Values, shown(v))
			}
		}
		rows = append(rows, r)
	}
	return append(rows, list.Row{ID: fileRow, Group: "File", Cells: []string{"Edit the file", "", ""},
		About: []string{style.ShortPath(style.VisibleLine(l.Of.Path()), l.Look.Home)}})
}

// none is shown for an empty value.
const none = "default"

func shown(value string) string {
	if value == "" {
		return none
	}
	return style.VisibleLine(value)
}

// source returns what sets a setting, "" for nothing.
func source(s core.Setting) string {
	if s.Source == "default" {
		return ""
	}
	return style.VisibleLine(s.Source)
}

// choices returns what a setting can be.
func (l List) choices(e entry, s core.Setting) []string {
	if e.key == "model" && len(l.Models) > 0 {
		e.usual = append([]string{""}, l.Models...)
	}
	if e.key == "effort" {
		e.usual = append([]string{""}, e.usual...)
	}
	return e.choices(s)
}

// Choose opens what a setting can be, or the file.
func (l List) Choose(id string) panel.Effect {
	if id == fileRow || id == bindingRow {
		return panel.EditFile{Path: l.Of.Path()}
	}
	s, e, known := find(l.Of.All(), id)
	if id == themeKey && !s.Fixed() {
		return Command{Look: l.Look, Settings: l.Of}.Theme("")
	}
	switch values := l.choices(e, s); {
	case !known || s.Fixed():
		return nil
	case len(values) > 0:
		return panel.Push{Panel: list.Open(l.Look, Choices{Of: l, Entry: e.key, Values: values}, "")}
	}
	return panel.All{panel.Clear{}, panel.Write{Text: "/config " + s.Key + " "}, panel.Notice{Text: "Type the value and press enter"}}
}

// Do changes a value, or opens the file.
func (l List) Do(a list.Action) panel.Effect {
	switch a := a.(type) {
	case list.Turned:
		value := a.Row.Cells[1]
		if value == none {
			value = ""
		}
		return l.set(a.Row.ID, value)
	case list.Picked:
		return l.Choose(a.Row.ID)
	case list.Acted:
		return panel.EditFile{Path: l.Of.Path()}
	}
	return nil
}

// set applies and writes a setting, and shows it in the list.
func (l List) set(key, value string) panel.Effect {
	_, e, _ := find(l.Of.All(), key)
	return change(e, value, func() panel.Effect { return panel.Tell{Msg: list.Fresh{Source: l, Forget: true}} })
}

// change applies and writes a setting.
func change(e entry, value string, then func() panel.Effect) panel.Effect {
	said := e.name + ": " + shown(value) + ", saved"
	if !e.now {
		said += ". It takes effect when parley starts next"
		return panel.SetDefault{Key: e.key, Value: value, Said: said, Then: then}
	}
	return panel.All{panel.Apply{Key: e.key, Value: value}, panel.SetDefault{Key: e.key, Value: value, Said: said, Then: then}}
}

// Choices lists what a setting can be.
type Choices struct {
	Of     List
	Entry  string // its key
	Values []string
}

// Options returns the texts of the list.
func (l Choices) Options() list.Options {
	_, e, _ := find(l.Of.Of.All(), l.Entry)
	return list.Options{Title: e.name, One: "value", Keys: list.ChooseKeys, Text: e.about}
}

// Rows returns the values.
func (l Choices) Rows() []list.Row {
	s, _, _ := find(l.Of.Of.All(), l.Entry)
	var rows []list.Row
	for _, v := range l.Values {
		rows = append(rows, list.Row{ID: "=" + v, Cells: []string{shown(v)}, Mark: v == s.Value})
	}
	return rows
}

// Choose sets the setting to a value.
func (l Choices) Choose(id string) panel.Effect { return l.Of.set(l.Entry, id[1:]) }
