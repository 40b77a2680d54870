package printed

import (
	"slices"
	"strings"

	"parley/session"
	"parley/session/permission"
	"parley/ui/keymap"
	"parley/ui/question"
)

// ask puts an ask to the user in lines, and makes an answer of the lines that return.
type ask struct {
	*question.Question
	print func(who, text string)
	// explaining reports that the next line is the message that goes with the choice.
	explaining bool
	// typed reports that lines come from a keyboard, where one may have been begun before the ask arrived.
	typed bool
	// covers reports whether a rule covers a call. It may read the disk.
	covers func(permission.Rule, *session.PermissionAsk) bool
	// ruling reports that the next line is the rule that lasting answers save.
	ruling bool
	// plan holds the lines of the user's version of a plan, nil while none is written.
	plan []string
	// reviewed means that all answers were shown: a changed one leads back there.
	reviewed bool
}

// planEnd is the line that ends the user's version of a plan.
const planEnd = "."

// meant returns the answer in a line, and whether it is one. From a keyboard only what a prompt would not be counts: the
// letter of a choice, the numbers of options, an empty line, and what follows /answer or /note.
func (p *ask) meant(line string) (answer string, ok bool) {
	s := strings.TrimSpace(line)
	if words, given := strings.CutPrefix(s, "/answer"); given && (words == "" || words[0] == ' ') {
		return strings.TrimSpace(words), true
	}
	name, _, command := keymap.ParseCommand(s)
	switch {
	case command && (name == "stop" || name == "quit"):
		return "", false
	case !p.typed || p.explaining || p.ruling || p.plan != nil:
		return line, true
	case p.Form != nil:
		return s, p.fills(s)
	}
	return s, p.turns(s) || slices.ContainsFunc(p.ways(), func(c question.Choice) bool { return strings.EqualFold(c.Key, s) || s != "" && c.Digit == s })
}

// fills reports whether a line from a keyboard is for the form.
func (p *ask) fills(s string) bool {
	f := p.Form
	note := strings.HasPrefix(s, "/note ") && !f.Reviewing() && f.Fields[f.At].Notes
	switch {
	case s == "/decline", s == "/close" && f.Closes(), note:
		return true
	case f.Reviewing():
		return s == "y" || s == "Y" || s != "" && strings.Trim(s, "0123456789 ") == ""
	}
	picks := len(f.Fields) > 0 && len(f.Fields[f.At].Options) > 0
	return s == "" || picks && strings.Trim(s, "0123456789, ") == ""
}

// put prints the ask and how to answer it.
func (p *ask) put() {
	p.print("asks", p.Title)
	if p.Detail != "" && !(p.Permission != nil && strings.HasPrefix(p.Detail, "no rule ")) {
		p.print("because", p.Detail)
	}
	if p.Caution != "" {
		p.print("careful", p.Caution)
	}
	if p.About != "" && p.Permission != nil {
		p.print("about", p.About)
	}
	switch a := p.Ask; {
	case p.Review != nil && p.Review.Edited != "":
		p.print("change", p.Review.Patch)
	case a.Plan != nil:
		p.print("plan", a.Plan.Plan)
	case a.Permission != nil && a.Permission.Edit != nil && len(p.Body) == 0:
		for i, e := range a.Permission.Edits() {
			if i > 0 || len(a.Permission.More) > 0 {
				p.print("file", e.Path)
			}
			p.print("change", e.Patch)
		}
	}
	if len(p.Body) > 0 {
		p.print("this", strings.Join(p.Body, "\n"))
	}
	p.putParts()
	if p.Form != nil && p.Form.Warning != "" {
		p.print("note", p.Form.Warning)
	}
	p.again()
}

// again prints how to answer the ask.
func (p *ask) again() {
	switch {
	case p.plan != nil:
		p.print("answer", "your version of the plan, in lines; a line with only a dot ends it")
	case p.ruling:
		p.print("answer", "the rule in a line, such as "+p.Permission.RuleText()+"; an empty line leaves it as it is")
	case p.explaining:
		p.print("answer", "tell the agent "+p.Choices[p.At].Why+". An empty line sends no message")
	case p.Form != nil:
		p.question()
	default:
		p.putChoices()
	}
}

// ways returns the choices that work without a screen.
func (p *ask) ways() []question.Choice {
	return slices.DeleteFunc(slices.Clone(p.Choices), func(c question.Choice) bool {
		return c.Do != question.Answers && c.Do != question.EditHere && c.Do != question.DropEdits && (!c.Apart() || c.Do == question.ShowMore)
	})
}

// inWords reports whether any line may be an answer.
func (p *ask) inWords() bool {
	if f := p.Form; f != nil && !p.explaining && !p.typed {
		return f.Reviewing() || f.Fields[f.At].Free || len(f.Fields[f.At].Options) == 0
	}
	return p.explaining || p.ruling || p.plan != nil
}

// take handles a line as an answer and reports whether the ask is answered. If it is not, take prints why.
func (p *ask) take(line string) (session.Answer, bool) {
	if p.plan != nil {
		p.writePlan(line)
		return session.Answer{}, false
	}
	line = strings.TrimSpace(line)
	switch {
	case p.ruling:
		p.writeRule(line)
		return session.Answer{}, false
	case p.explaining:
		a := p.Choices[p.At].Answer
		a.Message = line
		return a, true
	case p.Form != nil:
		return p.fill(line)
	}
	if a, done, ok := p.permits(line); ok {
		return a, done
	}
	return p.choose(line)
}

// choose takes the choice that a line stands for.
func (p *ask) choose(line string) (session.Answer, bool) {
	at := p.choiceOf(line)
	switch {
	case at < 0:
	case p.Choices[at].Do == question.EditHere:
		p.plan = []string{}
		p.again()
		return session.Answer{}, false
	case p.Choices[at].Do == question.DropEdits:
		p.DropEdits()
		p.again()
		return session.Answer{}, false
	case p.Choices[at].Do == question.Answers:
		if p.At = at; p.Choices[at].Why == "" {
			return p.Choices[at].Answer, true
		}
		p.explaining = true
		p.again()
		return session.Answer{}, false
	}
	p.print("note", "Not an answer; nothing was sent")
	p.again()
	return session.Answer{}, false
}

// writePlan adds a line to the user's version of the plan, or ends it.
func (p *ask) writePlan(line string) {
	if strings.TrimSpace(line) != planEnd {
		p.plan = append(p.plan, line)
		return
	}
	text := strings.Join(p.plan, "\n")
	p.plan = nil
	if problem := p.TakePlan(text); problem != "" {
		p.print("note", problem)
		p.again()
		return
	}
	p.put()
}
