package config

import (
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// theme is a theme with what it is like.
type theme struct{ name, about string }

// themes are the themes that are offered. Others are the paths of files in glamour's format.
var themes = []theme{
	{"auto", "follows the terminal's background"}, {"parley-dark", "for dark backgrounds"}, {"parley-light", "for light backgrounds"},
	{"high-contrast", "the strongest contrast"}, {"dracula", "purple and pink on dark"}, {"tokyo-night", "blue on dark"}, {"pink", "pink headings"},
	{"dark", "glamour's dark style"}, {"light", "glamour's light style"}, {"ascii", "signs instead of colors in answers"}, {"notty", "answers without colors"},
}

func themeNames() (all []string) {
	for _, t := range themes {
		all = append(all, t.name)
	}
	return all
}

// Themes lists the themes. Each is tried out while it is selected.
type Themes struct {
	look   *style.Look
	now    string // the theme before
	chosen bool
}

// Options returns the texts of the list.
func (l *Themes) Options() list.Options {
	return list.Options{Title: "Theme", One: "theme", Keys: "↑↓ try · enter choose · esc back", Prose: 1}
}

// Rows returns the themes.
func (l *Themes) Rows() []list.Row {
	all, known := []list.Row{}, false
	for _, t := range themes {
		all, known = append(all, list.Row{ID: t.name, Cells: []string{t.name, t.about}, Mark: t.name == l.now}), known || t.name == l.now
	}
	if !known {
		all = append(all, list.Row{ID: l.now, Cells: []string{style.VisibleLine(l.now), "your own"}, Mark: true})
	}
	return all
}

// Try shows a theme.
func (l *Themes) Try(id string) panel.Effect { return panel.Apply{Key: themeKey, Value: id} }

// End shows the theme again that was there before, unless one was chosen.
func (l *Themes) End() panel.Effect {
	if l.chosen {
		return nil
	}
	return l.Try(l.now)
}

// Choose keeps a theme.
func (l *Themes) Choose(id string) panel.Effect {
	l.chosen = true
	return change(entry{key: themeKey, name: "Theme", now: true}, id, nil)
}

const sample = "@@ -1,3 +1,3 @@\n func retry(n int) error {\n-\treturn errors.New(\"no tries left\")\n+\treturn fmt.Errorf(\"after %d tries\", n)\n }\n"

// Sample returns a change of a file in the colors of the theme.
func (l *Themes) Sample() []string {
	rows := []string{""}
	for _, row := range style.EditRows(l.look, "retry.go", sample, 0) {
		rows = append(rows, "  "+row)
	}
	return append(rows, "")
}
