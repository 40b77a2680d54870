package plain

import (
	"slices"
	"strconv"
	"strings"

	"parley/session"
	"parley/ui/keymap"
	"parley/ui/question"
	"parley/ui/style"
)

// plainAsk puts an ask to the user in lines, and makes an answer of the lines that return.
type plainAsk struct {
	*question.Question
	print func(who, text string)
	// explaining reports that the next line is the reason for the choice.
	explaining bool
	// typed reports that lines come from a keyboard, where one may have been begun before the ask arrived.
	typed bool
}

// meant returns the answer in a line, and whether it is one. From a keyboard only what a prompt would not be counts: the
// letter of a choice, the numbers of options, an empty line, and what follows /answer.
func (p *plainAsk) meant(line string) (answer string, ok bool) {
	s := strings.TrimSpace(line)
	if words, given := strings.CutPrefix(s, "/answer"); given && (words == "" || words[0] == ' ') {
		return strings.TrimSpace(words), true
	}
	name, _, command := keymap.ParseCommand(s)
	switch {
	case command && (name == "stop" || name == "quit"):
		return "", false
	case !p.typed || p.explaining:
		return line, true
	case p.Form != nil:
		picks := len(p.Form.Fields) > 0 && len(p.Form.Fields[p.Form.At].Options) > 0
		return s, s == "" || s == "/decline" || picks && strings.Trim(s, "0123456789, ") == ""
	}
	return s, slices.ContainsFunc(p.ways(), func(c question.Choice) bool { return strings.EqualFold(c.Key, s) })
}

// put prints the ask and how to answer it.
func (p *plainAsk) put() {
	p.print("asks", p.Title)
	if p.Detail != "" {
		p.print("because", p.Detail)
	}
	switch a := p.Ask; {
	case a.Plan != nil:
		p.print("plan", a.Plan.Plan)
	case a.Permission != nil && a.Permission.Edit != nil && len(p.Body) == 0:
		p.print("change", a.Permission.Edit.Patch)
	}
	if len(p.Body) > 0 {
		p.print("this", strings.Join(p.Body, "\n"))
	}
	p.again()
}

// again prints how to answer the ask.
func (p *plainAsk) again() {
	switch {
	case p.explaining:
		p.print("answer", p.Choices[p.At].Why+"? An empty line gives no reason")
	case p.Form != nil:
		p.question()
	default:
		var ways []string
		for _, c := range p.ways() {
			ways = append(ways, c.Key+" = "+c.Label)
		}
		p.print("answer", strings.Join(ways, ", "))
	}
}

// ways returns the choices that work without a screen.
func (p *plainAsk) ways() []question.Choice {
	return slices.DeleteFunc(slices.Clone(p.Choices), func(c question.Choice) bool { return c.Do != question.Answers })
}

// inWords reports whether any line may be an answer.
func (p *plainAsk) inWords() bool {
	if f := p.Form; f != nil && !p.explaining && !p.typed {
		return f.Reviewing() || f.Fields[f.At].Free || len(f.Fields[f.At].Options) == 0
	}
	return p.explaining
}

// question prints the next question of the form.
func (p *plainAsk) question() {
	f := p.Form
	if f.Reviewing() {
		return
	}
	fd := &f.Fields[f.At]
	if fd.Text != "" {
		p.print("question", fd.Text)
	}
	if fd.Note != "" {
		p.print("note", fd.Note)
	}
	for i, o := range fd.Options {
		s := o.Label
		if o.Description != "" {
			s += ", " + o.Description
		}
		p.print(strconv.Itoa(i+1), style.OneLine(s))
	}
	own := "your own words"
	if p.typed {
		own = "/answer with your own words"
	}
	how := "in your own words"
	switch {
	case len(fd.Options) > 0 && fd.Multi:
		how = "one or more numbers, separated by commas"
	case len(fd.Options) > 0:
		how = "a number"
	case p.typed:
		how = own
	}
	if len(fd.Options) > 0 && fd.Free {
		how += ", or " + own
	}
	if !fd.Required {
		how += "; an empty line skips it"
	}
	p.print("answer", how+"; /decline declines")
}

// take handles a line as an answer and reports whether the ask is answered. If it is not, take prints why.
func (p *plainAsk) take(line string) (session.Answer, bool) {
	line = strings.TrimSpace(line)
	switch {
	case p.explaining:
		a := p.Choices[p.At].Answer
		a.Message = line
		return a, true
	case p.Form != nil:
		return p.fill(line)
	}
	for i, c := range p.Choices {
		if c.Do != question.Answers || !strings.EqualFold(line, c.Key) && !strings.EqualFold(line, c.Label) && !strings.EqualFold(line, c.Short) {
			continue
		}
		p.At = i
		if c.Why == "" {
			return c.Answer, true
		}
		p.explaining = true
		p.again()
		return session.Answer{}, false
	}
	p.print("note", "not an answer; nothing was sent")
	p.again()
	return session.Answer{}, false
}

// fill handles a line as the answer to the form's question.
func (p *plainAsk) fill(line string) (session.Answer, bool) {
	f := p.Form
	if line == "/decline" || len(f.Fields) == 0 {
		return question.Declined(), true
	}
	fd := &f.Fields[f.At]
	if trouble := fd.Line(line); trouble != "" {
		p.print("note", trouble)
		p.again()
		return session.Answer{}, false
	}
	f.Enter(f.At + 1)
	if !f.Reviewing() {
		p.again()
		return session.Answer{}, false
	}
	a, done := f.Send()
	if !done { // a required answer is missing; the form has returned to it
		p.print("note", f.Trouble)
		p.again()
	}
	return a, done
}
