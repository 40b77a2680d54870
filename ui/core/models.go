package core

import (
	"fmt"
	"slices"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/ui/style"
)

// ContextOf returns how full the context window of a session is. Where the session does not say how large it is, as one that
// another program held, the model's own size counts.
func ContextOf(t *session.Transcript, models []session.Model) session.ContextState {
	c := t.Context
	if m := session.FindModel(models, t.Settings.Model); c.Window == 0 && m != nil {
		c.Window = m.ContextWindow
	}
	return c
}

// ByTokens reports whether the plan bills by tokens, not by request: the unit of its quotas decides, then what models cost.
func ByTokens(quotas []session.Quota, models []session.Model) bool {
	for _, q := range quotas {
		switch q.Unit {
		case "credits":
			return true
		case "requests":
			return false
		}
	}
	return slices.ContainsFunc(models, func(m session.Model) bool { return m.Price != nil })
}

// ModelPrice returns what a model costs in the words of the plan, "" if that is not known: that of tokens, or of a prompt.
func ModelPrice(m session.Model, byTokens bool) string {
	if words := PromptPrice(m); words != "" && !byTokens {
		return words
	}
	return TokenPrice(m)
}

// TokenPrice returns what a million tokens of a prompt and of an answer cost, such as "$3 / $15": "included" if the plan includes
// the model, the service's category such as "high" if nothing else is known, "" without that.
func TokenPrice(m session.Model) string {
	switch {
	case m.Price != nil && (m.Price.Input > 0 || m.Price.Output > 0):
		return human.Dollars(m.Price.Input) + " / " + human.Dollars(m.Price.Output)
	case m.Free:
		return "included"
	case m.Multiplier > 0:
		return ""
	}
	return PriceCategory(m)
}

// PromptPrice returns what a prompt costs where the plan counts requests, such as "3 requests" or "included"; "" if it is not known.
func PromptPrice(m session.Model) string {
	switch {
	case m.Multiplier == 1:
		return "1 request"
	case m.Multiplier > 0:
		return fmt.Sprintf("%g requests", m.Multiplier)
	case m.Free:
		return "included"
	}
	return ""
}

// PriceCategory returns how dear the service calls a model: "low", "very high"; "" if it does not say.
func PriceCategory(m session.Model) string {
	return style.Visible(strings.ReplaceAll(m.PriceCategory, "_", " "))
}

// TermsOf returns what agrees to the terms of a catalog's models, nil if nothing does.
func TermsOf(c session.Catalog) session.TermsAccepter {
	t, _ := c.(session.TermsAccepter)
	return t
}

// AcceptedModel returns the models after the user has agreed to the terms of one.
func AcceptedModel(models []session.Model, id string) []session.Model {
	models = slices.Clone(models)
	for i := range models {
		if m := &models[i]; m.ID == id && m.Terms != "" {
			m.Terms, m.Unusable = "", ""
		}
	}
	return models
}
