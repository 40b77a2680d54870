package session

import (
	"slices"
	"strings"

	"parley/internal/lazyregexp"
)

// SameModel reports whether two ids name the same model, regardless of dots or dashes, a date, or a mark of a longer
// context window in brackets.
func SameModel(a, b string) bool { return plainModel(a) == plainModel(b) }

var modelDate = lazyregexp.New(`-20\d{6}$`)

func plainModel(id string) string {
	id, _, _ = strings.Cut(strings.ToLower(id), "[")
	return modelDate.ReplaceAllString(strings.ReplaceAll(id, ".", "-"), "")
}

// FindModel returns the model with an id in any spelling, the default model for an empty id, nil if there is none.
func FindModel(models []Model, id string) *Model {
	i := slices.IndexFunc(models, func(m Model) bool { return m.ID == id || id == "" && m.Default })
	if i < 0 && id != "" {
		i = slices.IndexFunc(models, func(m Model) bool { return SameModel(m.ID, id) })
	}
	if i < 0 {
		return nil
	}
	return &models[i]
}

// ListedModel returns the model with an id in any spelling, nil for an empty id or one that is not listed.
func ListedModel(models []Model, id string) *Model {
	if id == "" {
		return nil
	}
	return FindModel(models, id)
}

// SpelledModel returns an id as the list spells it, and unchanged if it is not listed.
func SpelledModel(models []Model, id string) string {
	if m := ListedModel(models, id); m != nil {
		return m.ID
	}
	return id
}

// EffortFor returns the effort, empty if the model does not take it according to the list: the service would refuse it.
func EffortFor(models []Model, model, effort string) string {
	if m := ListedModel(models, model); m != nil && !slices.Contains(m.Efforts, effort) {
		return ""
	}
	return effort
}
