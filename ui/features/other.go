package features

import (
	"strings"

	"parley/internal/nearest"
	"parley/ui/keymap"
	"parley/ui/panel"
	"parley/ui/style"
)

// Sibling returns the command of ours that does what a command of another program does. agents reports whether the agent has one
// of that name, which comes first. It is nil where there is none.
func Sibling(name, args string, agents bool) panel.Effect {
	a, known := keymap.FindAlias(name)
	if !known || a.To == "" || agents && !a.Over {
		return nil
	}
	return panel.Command{Name: a.To, Args: strings.TrimSpace(a.Args + " " + args)}
}

// Unknown returns what is said of a command that nobody has: what to do instead, or which command was meant.
func Unknown(name string) panel.Effect {
	if a, known := keymap.FindAlias(name); known && a.Instead != "" {
		return panel.Notice{Text: a.Instead, Warn: true}
	}
	var names []string
	for _, c := range keymap.Commands {
		names = append(names, c.Name)
	}
	text := "No command /" + style.VisibleLine(name) + ". "
	if near := nearest.Of(name, names); near != "" {
		return panel.Notice{Text: text + "Did you mean /" + near + "?", Warn: true}
	}
	return panel.Notice{Text: text + "/help lists them, // sends a slash", Warn: true}
}
