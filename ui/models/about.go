package models

import (
	"fmt"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/ui/core"
	"parley/ui/style"
)

// vendorTitle returns the name of a vendor for people: the one that offers a model, not the one whose machines it runs on.
func vendorTitle(vendor string) string {
	return style.VisibleLine(strings.TrimPrefix(vendor, "Azure "))
}

// about says in sentences what a model can do and what it costs, visible: a paragraph for each subject. repeats has the column of
// the list that says the same as a paragraph, 0 for none.
func about(m session.Model, byTokens bool) (all []string, repeats []int) {
	as := func(column int, format string, args ...any) {
		all, repeats = append(all, style.Visible(style.OneLine(fmt.Sprintf(format, args...)))), append(repeats, column)
	}
	say := func(format string, args ...any) { as(0, format, args...) }
	say("%s", m.ID)
	if m.Purpose != "" {
		as(columnPurpose, "%s.", style.Capital(m.Purpose))
	}
	switch {
	case m.Terms != "":
		say("Needs your yes, once: %s", m.Terms)
	case m.Unusable != "":
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
	price(m, byTokens, as)
	switch {
	case m.Category != "" && m.PriceCategory != "":
		say("Category: %s, price %s.", m.Category, core.PriceCategory(m))
	case m.Category != "":
		say("Category: %s.", m.Category)
	case m.PriceCategory != "":
		say("Price category: %s.", core.PriceCategory(m))
	}
	if m.Preview {
		say("A preview: it may change.")
	}
	return all, repeats
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

// price passes sentences about the price on, each with the column of the list that says the same, 0 for none.
func price(m session.Model, byTokens bool, as func(column int, format string, args ...any)) {
	words := core.PromptPrice(m)
	switch {
	case words == "included" && !byTokens:
		as(columnPrompt, "Included in the plan.")
	case words == "included" && core.TokenPrice(m) == words:
		as(columnTokens, "Included in the plan.")
	case words != "" && words != "included" && !byTokens:
		as(columnPrompt, "A prompt costs %s of the plan.", words)
	}
	p := m.Price
	if p == nil || p.Input == 0 && p.Output == 0 {
		return
	}
	as(columnTokens, "Per 1M tokens: %s.", tokenPrice(p))
	if cache := cachePrice(p); cache != "" {
		as(0, "Cached tokens, per 1M: %s.", cache)
	}
	if m.LongContext != nil {
		from := "For long prompts: "
		if p.UpTo > 0 {
			from = "For prompts over " + human.Tokens(p.UpTo) + " tokens: "
		}
		as(0, "%s%s.", from, strings.TrimSuffix(tokenPrice(m.LongContext)+", cached "+cachePrice(m.LongContext), ", cached "))
	}
	as(0, "A credit is %s.", human.Dollars(1))
}

// tokenPrice returns a price for a million tokens.
func tokenPrice(p *session.Price) string {
	return human.Dollars(p.Input) + " in, " + human.Dollars(p.Output) + " out"
}

// cachePrice returns the price of a million tokens of the cache, "" if it is not known.
func cachePrice(p *session.Price) string {
	var all []string
	if p.CacheRead > 0 {
		all = append(all, human.Dollars(p.CacheRead)+" read")
	}
	if p.CacheWrite > 0 {
		all = append(all, human.Dollars(p.CacheWrite)+" written")
	}
	return strings.Join(all, ", ")
}
