package config

import (
	"context"
	"slices"
	"strings"

	"parley/session"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

const (
	themeKey = "theme"
	keysKey  = "ui.keys"
)

// Command carries out /config, /theme and /vim.
type Command struct {
	Look     *style.Look
	Settings core.Settings
	Models   []session.Model // as far as they are known
}

// list returns the list of settings.
func (c Command) list() List {
	l := List{Look: c.Look, Of: c.Settings}
	for _, m := range c.Models {
		if m.Unusable == "" {
			l.Models = append(l.Models, m.ID)
		}
	}
	return l
}

// Run opens the list, filtered by some words, or sets a setting: "theme dark". The value "default" removes it from the file.
func (c Command) Run(args string) panel.Effect {
	name, value, set := strings.Cut(strings.TrimSpace(args), " ")
	value = strings.TrimSpace(value)
	all := c.Settings.All()
	s, e, known := find(all, name)
	switch {
	case !set || value == "":
		return panel.Push{Panel: list.Open(c.Look, c.list(), args), Of: "config"}
	case !known:
		text := "No setting " + style.VisibleLine(name) + ". "
		if word := near(all, name); word != "" {
			return panel.Notice{Text: text + "Did you mean " + word + "?", Warn: true}
		}
		return panel.Notice{Text: text + "/config lists them", Warn: true}
	case s.Fixed():
		return panel.Notice{Text: e.name + " is set by " + style.VisibleLine(s.Source) + " and can't be changed here", Warn: true}
	case value == none:
		value = ""
	case s.Values != nil && !slices.Contains(s.Values, value):
		return panel.Notice{Text: e.name + " can be " + strings.Join(s.Values, ", "), Warn: true}
	}
	return change(e, value, nil)
}

// Theme keeps a theme, or opens the list in which they are tried out.
func (c Command) Theme(args string) panel.Effect {
	s, _, _ := find(c.Settings.All(), themeKey)
	switch {
	case s.Fixed():
		return c.Run(themeKey + " " + s.Value)
	case args != "" && args != none && !slices.Contains(themeNames(), args):
		return panel.Run{Work: func(context.Context) panel.Effect { // it may be a file
			if _, _, _, err := style.ParseTheme(args); err != nil {
				return panel.Notice{Text: "This theme can't be used: " + err.Error() + ". /theme lists those that can", Warn: true}
			}
			return c.Run(themeKey + " " + args)
		}}
	case args != "":
		return c.Run(themeKey + " " + args)
	}
	return panel.Push{Panel: list.Open(c.Look, &Themes{look: c.Look, now: s.Value}, ""), Of: themeKey}
}

// Vim turns vim's keys in the composer on or off: "on", "off", or the other way round.
func (c Command) Vim(args string) panel.Effect {
	s, _, _ := find(c.Settings.All(), keysKey)
	on := s.Value != "vim"
	switch args {
	case "on", "off":
		on = args == "on"
	case "":
	default:
		return panel.Notice{Text: "Type /vim on or /vim off, or /vim to switch", Warn: true}
	}
	return c.Run(keysKey + " " + map[bool]string{true: "vim", false: "emacs"}[on])
}
