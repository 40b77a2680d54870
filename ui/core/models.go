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
	return priceCategory(m)
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

// priceCategory returns how dear the service calls a model: "low", "very high"; "" if it does not say.
func priceCategory(m session.Model) string {
	return style.Visible(strings.ReplaceAll(m.PriceCategory, "_", " "))
}

// ModelAbout says in sentences what a model can do and what it costs, visible: a paragraph for each subject.
func ModelAbout(m session.Model, byTokens bool) []string {
	var all []string
	say := func(format string, args ...any) {
		all = append(all, style.Visible(style.OneLine(fmt.Sprintf(format, args...))))
	}
	say("%s", m.ID)
	if m.Purpose != "" {
		say("%s.", style.Capital(m.Purpose))
	}
	if m.Unusable != "" {
		say("Cannot be used: %s.", strings.TrimRight(m.Unusable, "."))
	}
	for _, note := range m.Notes {
		if note != "" {
			say("! %s", note)
		}
	}
	if m.ContextWindow > 0 {
		say("Context window: %s tokens.%s", human.Tokens(m.ContextWindow), longest(m))
	} else if text := longest(m); text != "" {
		say("%s", strings.TrimLeft(text, " "))
	}
	effort, vision := "Takes no effort.", "Does not see images."
	if len(m.Efforts) > 0 {
		effort = "Effort: " + strings.Join(m.Efforts, ", ") + "."
	}
	if m.Vision {
		vision = "Sees images."
	}
	say("%s %s", effort, vision)
	all = append(all, priceAbout(m, byTokens)...)
	switch {
	case m.Category != "" && m.PriceCategory != "":
		say("Category: %s, price %s.", m.Category, priceCategory(m))
	case m.Category != "":
		say("Category: %s.", m.Category)
	case m.PriceCategory != "":
		say("Price category: %s.", priceCategory(m))
	}
	if m.Preview {
		say("A preview: it may change.")
	}
	return all
}

// longest returns sentences about the longest prompt and answer, "" if nothing is known.
func longest(m session.Model) string {
	text := ""
	if m.MaxPrompt > 0 {
		text += " Longest prompt: " + human.Tokens(m.MaxPrompt) + "."
	}
	if m.MaxOutput > 0 {
		text += " Longest answer: " + human.Tokens(m.MaxOutput) + "."
	}
	return text
}

// priceAbout returns sentences about the price.
func priceAbout(m session.Model, byTokens bool) (all []string) {
	words := PromptPrice(m)
	switch {
	case words == "included" && (m.Price == nil || !byTokens || TokenPrice(m) == words):
		all = append(all, "Included in the plan.")
	case words != "" && words != "included" && !byTokens:
		all = append(all, "A prompt costs "+words+" of the plan.")
	}
	if m.Price == nil || m.Price.Input == 0 && m.Price.Output == 0 {
		return all
	}
	all = append(all, "Per 1M tokens: "+tokenPrice(m.Price)+". A credit is "+human.Dollars(1)+".")
	if m.LongContext != nil {
		from := "For long prompts: "
		if m.Price.UpTo > 0 {
			from = "For prompts over " + human.Tokens(m.Price.UpTo) + " tokens: "
		}
		all = append(all, from+tokenPrice(m.LongContext)+".")
	}
	return all
}

// tokenPrice returns a price for a million tokens, with that of the cache.
func tokenPrice(p *session.Price) string {
	text := human.Dollars(p.Input) + " in, " + human.Dollars(p.Output) + " out"
	if p.CacheRead > 0 {
		text += ", " + human.Dollars(p.CacheRead) + " read from the cache"
	}
	if p.CacheWrite > 0 {
		text += ", " + human.Dollars(p.CacheWrite) + " written to it"
	}
	return text
}
