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

// putWhy prints why the user is asked: the reason, and the rule that the lasting answer saves.
func (p *ask) putWhy() {
	if p.Detail != "" {
		p.print("because", p.Detail)
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

// putChoices prints the answers, a line for each, and the keys beside them.
func (p *ask) putChoices() {
	var beside []string
	for _, c := range p.ways() {
		switch {
		case c.Apart():
			beside = append(beside, c.Key+" = "+c.Hint)
		case c.Lasts:
			words, changes := p.Permission.HowLong()
			if changes {
				words += "; or " + c.Key + " " + strings.Join(p.Permission.Times(), ", "+c.Key+" ")
			}
			p.print(c.Key, c.Label+" ("+words+")")
		default:
			p.print(c.Key, c.Label)
		}
	}
	if note := p.Permission.Note(); note != "" {
		p.print("note", note)
	}
	how := "one of these letters"
	if len(beside) > 0 {
		how += "; " + strings.Join(beside, ", ")
	}
	p.print("answer", how)
}

// turns reports whether a line goes to the next rule.
func (p *ask) turns(line string) bool {
	n, at := p.Permission.Offers()
	return strings.EqualFold(line, "r") && (n > 1 || n == 1 && at == 0)
}

// choiceOf returns the index of the choice that a line stands for: its letter, its number or its words; -1 for none.
func (p *ask) choiceOf(line string) int {
	if at := p.ChoiceOf(line); at >= 0 {
		return at
	}
	return slices.IndexFunc(p.Choices, func(c question.Choice) bool {
		return strings.EqualFold(line, c.Key) || strings.EqualFold(line, c.Label) || strings.EqualFold(line, c.Short)
	})
}

// permits handles what only the questions about a tool call know: another rule, all that are alike, and a lasting answer with
// how long it holds and its rule, such as "a project command make test". It reports whether the line was one of these, and whether
// it answers.
func (p *ask) permits(line string) (a session.Answer, done, ok bool) {
	if p.Permission == nil {
		return a, false, false
	}
	if p.turns(line) {
		p.NextRule()
		p.putWhy()
		p.again()
		return a, false, true
	}
	key, text, _ := strings.Cut(line, " ")
	at := p.choiceOf(key)
	if at < 0 {
		return a, false, false
	}
	switch c := p.Choices[at]; {
	case c.Lasts && text != "":
		a, done = p.lasts(text)
		return a, done, true
	case text != "":
		return a, false, false
	case c.Do == question.EditRule:
		p.ruling = true
		p.again()
	case c.Do == question.ShowWhy:
		p.putWhy()
		p.again()
	case c.Do == question.TakeAll, c.Do == question.TakeOne:
		p.exchange(c.Do)
	default:
		return a, false, false
	}
	return a, false, true
}

// lasts answers with what stands behind the key of the lasting answer: for how long, a rule, or both.
func (p *ask) lasts(text string) (session.Answer, bool) {
	word, rule, _ := strings.Cut(text, " ")
	if p.HoldFor(word) {
		text = strings.TrimSpace(rule)
	}
	if text != "" && p.Permission.Editable() {
		if trouble := p.SetRule(text); trouble != "" {
			p.print("note", trouble)
			p.again()
			return session.Answer{}, false
		}
		text = ""
	}
	if text != "" {
		p.print("note", "Not an answer; nothing was sent")
		p.again()
		return session.Answer{}, false
	}
	return p.Choices[p.choiceOf("a")].Answer, true
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
		p.print("note", "This rule does not cover what is asked here: you will be asked again")
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
		p.print("note", "Some of these are no longer asked")
		p.put()
		return true
	}
	if p.SetAlike(open) && len(p.Permission.Alike) > 1 {
		p.print("note", strconv.Itoa(len(p.Permission.Alike))+" alike are asked now. A answers all at once")
	}
	return true
}
