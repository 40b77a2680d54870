package core

import (
	"slices"
	"strings"

	"parley/session"
	"parley/ui/style"
)

// WithModel returns settings with another model, without an effort that it does not have.
func WithModel(s session.Settings, id string, models []session.Model) session.Settings {
	s.Model = id
	if m := session.FindModel(models, id); m != nil && !slices.Contains(m.Efforts, s.Effort) {
		s.Effort = ""
	}
	return s
}

// WithCustom returns settings with a custom agent, one without a name for none, and with the model that it asks for.
func WithCustom(s session.Settings, a session.CustomAgent, models []session.Model) session.Settings {
	s.Custom = a.Name
	if id := a.PickModel(models); id != "" {
		return WithModel(s, id, models)
	}
	return s
}

// ModelWords returns a model with its effort, such as "opus 4.8 (high)", or alone with the model's own.
func ModelWords(id, effort string) string {
	words := style.VisibleLine(style.ShortModel(id))
	if effort != "" {
		words += " (" + style.VisibleLine(effort) + ")"
	}
	return words
}

// NamedModel returns the model that a user names by its id, or without its vendor, in any case; nil if there is none.
func NamedModel(models []session.Model, word string) *session.Model {
	for i, m := range models {
		if word != "" && (strings.EqualFold(m.ID, word) || strings.EqualFold(style.ShortModel(m.ID), word)) {
			return &models[i]
		}
	}
	return nil
}

// NamedEffort returns the effort of a model that a user names in any case, or what is wrong with the word.
func NamedEffort(m *session.Model, word string) (effort, problem string) {
	for _, e := range m.Efforts {
		if strings.EqualFold(e, word) {
			return e, ""
		}
	}
	if len(m.Efforts) == 0 {
		return "", "No effort " + word + ": " + style.ShortModel(m.ID) + " has no levels"
	}
	return "", "No effort " + word + ": " + strings.Join(m.Efforts, ", ")
}

// NamedMode returns the permission mode that a user names by its value or its words, in any case.
func NamedMode(word string) (session.Mode, bool) {
	for _, m := range session.Modes {
		if strings.EqualFold(string(m), word) || strings.EqualFold(ModeName(m), word) {
			return m, true
		}
	}
	return "", false
}
