package printed

import (
	"slices"
	"strconv"
	"strings"

	"parley/session"
	"parley/ui/question"
)

// putParts prints what the rules say of each part of a command.
func (p *ask) putParts() {
	if p.Permission == nil {
		return
	}
	for _, part := range p.Permission.Parts {
		who, text := "asked", part.Text
		if part.Allowed {
			who = "allowed"
		}
		if why := strings.TrimPrefix(part.Why, "allowed "); why != "" {
			text += ": " + why
		}
		p.print(who, text)
	}
}

// putRule prints the rule that lasting answers save.
func (p *ask) putRule() {
	if p.Permission == nil {
		return
	}
	text := p.Permission.RuleText()
	if text == "" {
		p.print("rule", question.NoRule)
		return
	}
	if about := p.Permission.RuleAbout(); about != "" {
		text += ", " + about
	}
	switch n, at := p.Permission.Offers(); {
	case at == 0:
		text += " (yours; r = drop it)"
	case n > 1:
		text += " (" + strconv.Itoa(at) + " of " + strconv.Itoa(n) + "; r = the next one)"
	}
	p.print(p.Permission.RuleLead(), text)
}

// meaning returns what a choice does, in words.
func meaning(c question.Choice) string {
	switch c.Do {
	case question.EditRule:
		return "edit the rule"
	case question.TakeAll:
		return c.Label + " at once"
	}
	return strings.TrimSuffix(c.Label, "…")
}

// turns reports whether a line goes to the next rule.
func (p *ask) turns(line string) bool {
	n, at := p.Permission.Offers()
	return strings.EqualFold(line, "r") && (n > 1 || n == 1 && at == 0)
}

// permits handles what only the questions about a tool call know: another rule, all that are alike, and a lasting answer with
// its rule, such as "p command make test". It reports whether the line was one of these, and whether it answers.
func (p *ask) permits(line string) (a session.Answer, done, ok bool) {
	if p.Permission == nil {
		return a, false, false
	}
	if p.turns(line) {
		p.NextRule()
		p.again()
		return a, false, true
	}
	key, text, _ := strings.Cut(line, " ")
	for _, c := range p.Choices {
		lasts := c.Answer.Rule != nil
		switch {
		case !strings.EqualFold(key, c.Key):
		case text != "" && lasts && p.Permission.Editable():
			if trouble := p.SetRule(text); trouble != "" {
				p.print("note", trouble)
				p.again()
				return a, false, true
			}
			return p.Choices[p.ChoiceOf(c.Key)].Answer, true, true
		case text != "":
		case c.Do == question.EditRule:
			p.ruling = true
			p.again()
			return a, false, true
		case c.Do == question.TakeAll, c.Do == question.TakeOne:
			p.exchange(c.Do)
			return a, false, true
		}
	}
	return a, false, false
}

// exchange asks about all that are alike, or about the first of them again.
func (p *ask) exchange(do question.Deed) {
	if do == question.TakeAll {
		p.Question = p.ForAll()
	} else {
		p.Question = p.One()
	}
	p.put()
}

// writeRule takes a line as the rule that lasting answers save. It answers nothing.
func (p *ask) writeRule(line string) {
	if line != "" {
		if trouble := p.SetRule(line); trouble != "" {
			p.print("note", trouble)
			p.again()
			return
		}
	}
	p.ruling = false
	if r, call, ok := p.Permission.Edited(); ok && !p.covers(r, call) {
		p.print("note", "this rule does not cover what is asked here: that is asked about again")
	}
	p.again()
}

// sync tells the question which asks are open, and reports false if it ended or lists one that did.
func (p *ask) sync(open []*session.Ask) bool {
	if !slices.Contains(open, p.Ask) {
		return false
	}
	if m := p.Permission; m != nil && m.All && slices.ContainsFunc(m.Alike, func(a *session.Ask) bool { return !slices.Contains(open, a) }) {
		p.Question = p.One()
		p.SetAlike(open)
		p.print("note", "some of these are no longer asked")
		p.put()
		return true
	}
	if p.SetAlike(open) && len(p.Permission.Alike) > 1 {
		p.print("note", strconv.Itoa(len(p.Permission.Alike))+" alike are asked now; a = all at once")
	}
	return true
}
