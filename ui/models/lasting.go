package models

import (
	"context"
	"slices"

	"parley/internal/human"
	"parley/ui/core"
	"parley/ui/panel"
	"parley/ui/style"
)

// SaveDefault returns the effect that makes a model and its effort, "" for its own, the default of new sessions, and reports what came
// of both in one notice. s may be nil.
func SaveDefault(s core.Settings, id, effort string) panel.Effect {
	if s == nil {
		return panel.Notice{Text: "Settings can't be stored here", Warn: true}
	}
	return panel.Run{Work: func(context.Context) panel.Effect {
		var over []string // what sets them at the next start all the same
		for _, set := range [][2]string{{"model", id}, {"effort", effort}} {
			by, err := s.Set(set[0], set[1])
			if err != nil {
				return panel.Notice{Text: "Not saved as the default: " + err.Error(), Warn: true}
			}
			if by != "" && !slices.Contains(over, by) {
				over = append(over, by)
			}
		}
		words := core.ModelWords(id, effort)
		switch len(over) {
		case 0:
			return panel.Notice{Text: "New sessions begin with " + words + ". Saved in " + style.VisibleLine(s.Path())}
		case 1:
			return panel.Notice{Text: "Saved " + words + ", but " + over[0] + " decides as long as it is set", Warn: true}
		}
		return panel.Notice{Text: "Saved " + words + ", but " + human.And(over) + " decide as long as they are set", Warn: true}
	}}
}
