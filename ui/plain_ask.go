package ui

import (
	"slices"
	"strconv"
	"strings"

	"parley/session"
	"parley/ui/keymap"
	"parley/ui/style"
)

// plainAsk puts one ask to the user in lines, and makes an answer of the lines that come back.
type plainAsk struct {
	*prompt
	say func(who, text string)
	// saying says that the next line is the reason for the choice.
	saying bool
	// typed says that the lines come from a keyboard, where a line may have been begun before the question came.
	typed bool
}

// meant returns the answer that a line is meant to be, and reports whether it is one. From a keyboard only what nobody writes
// to an agent answers: the letter of an answer, the numbers of options, nothing at all, and what follows /answer.
func (p *plainAsk) meant(line string) (answer string, ok bool) {
	s := strings.TrimSpace(line)
	if words, given := strings.CutPrefix(s, "/answer"); given && (words == "" || words[0] == ' ') {
		return strings.TrimSpace(words), true
	}
	name, _, command := keymap.ParseCommand(s)
	switch {
	case command && (name == "stop" || name == "quit"):
		return "", false
	case !p.typed || p.saying:
		return line, true
	case p.form != nil:
		picks := len(p.form.fields) > 0 && len(p.form.fields[p.form.at].options) > 0
		return s, s == "" || s == "/decline" || picks && strings.Trim(s, "0123456789, ") == ""
	}
	return s, slices.ContainsFunc(p.ways(), func(c choice) bool { return strings.EqualFold(c.key, s) })
}

// put says what is asked and how it is answered.
func (p *plainAsk) put() {
	p.say("asks", p.title)
	if p.detail != "" {
		p.say("because", p.detail)
	}
	switch a := p.ask; {
	case a.Plan != nil:
		p.say("plan", a.Plan.Plan)
	case a.Permission != nil && a.Permission.Edit != nil && len(p.body) == 0:
		p.say("change", a.Permission.Edit.Patch)
	}
	if len(p.body) > 0 {
		p.say("this", strings.Join(p.body, "\n"))
	}
	p.again()
}

// again says how the ask is answered.
func (p *plainAsk) again() {
	switch {
	case p.saying:
		p.say("answer", p.why+"? An empty line says nothing")
	case p.form != nil:
		p.question()
	default:
		var ways []string
		for _, c := range p.ways() {
			ways = append(ways, c.key+" = "+c.label)
		}
		p.say("answer", strings.Join(ways, ", "))
	}
}

// ways are the choices that can be taken without a screen.
func (p *plainAsk) ways() []choice {
	return slices.DeleteFunc(slices.Clone(p.choices), func(c choice) bool { return c.act != nil })
}

// inWords reports whether any line may be an answer.
func (p *plainAsk) inWords() bool {
	if f := p.form; f != nil && !p.saying && !p.typed {
		return f.reviewing() || f.fields[f.at].free || len(f.fields[f.at].options) == 0
	}
	return p.saying
}

// question says the question of the form that has to be answered next.
func (p *plainAsk) question() {
	f := p.form
	if f.reviewing() {
		return
	}
	fd := &f.fields[f.at]
	if fd.text != "" {
		p.say("question", fd.text)
	}
	if fd.note != "" {
		p.say("note", fd.note)
	}
	for i, o := range fd.options {
		s := o.Label
		if o.Description != "" {
			s += ", " + o.Description
		}
		p.say(strconv.Itoa(i+1), style.OneLine(s))
	}
	own := "your own words"
	if p.typed {
		own = "/answer and your own words"
	}
	how := "in your own words"
	switch {
	case len(fd.options) > 0 && fd.multi:
		how = "one or more numbers with commas between them"
	case len(fd.options) > 0:
		how = "a number"
	case p.typed:
		how = own
	}
	if len(fd.options) > 0 && fd.free {
		how += ", or " + own
	}
	if !fd.required {
		how += "; an empty line leaves it out"
	}
	p.say("answer", how+"; /decline declines")
}

// take takes a line as an answer. It reports whether the ask is answered; if not, what is missing was said.
func (p *plainAsk) take(line string) (session.Answer, bool) {
	line = strings.TrimSpace(line)
	switch {
	case p.saying:
		a := p.choices[p.at].answer
		a.Message = line
		return a, true
	case p.form != nil:
		return p.fill(line)
	}
	for i, c := range p.choices {
		if c.act != nil || !strings.EqualFold(line, c.key) && !strings.EqualFold(line, c.label) && !strings.EqualFold(line, c.short) {
			continue
		}
		p.at = i
		if c.say == "" {
			return c.answer, true
		}
		p.saying, p.why = true, c.say
		p.again()
		return session.Answer{}, false
	}
	p.say("note", "that is no answer, and was not sent")
	p.again()
	return session.Answer{}, false
}

// fill takes a line as the answer to the question of a form.
func (p *plainAsk) fill(line string) (session.Answer, bool) {
	f := p.form
	if line == "/decline" || len(f.fields) == 0 {
		return declined(), true
	}
	fd := &f.fields[f.at]
	if trouble := fd.takeLine(line); trouble != "" {
		p.say("note", trouble)
		p.again()
		return session.Answer{}, false
	}
	f.enter(f.at + 1)
	if !f.reviewing() {
		p.again()
		return session.Answer{}, false
	}
	a, done := f.send()
	if !done { // something that must be there is missing, and the form is at it again
		p.say("note", f.trouble)
		p.again()
	}
	return a, done
}

// takeLine takes a line as the answer to the question, and says what is wrong with it.
func (fd *field) takeLine(line string) string {
	fd.chosen, fd.own = nil, ""
	if len(fd.options) == 0 {
		if trouble := fd.wrong(line); trouble != "" {
			return trouble
		}
		fd.own = line
		return ""
	}
	if line == "" {
		return ""
	}
	picks := []string{line}
	if fd.multi {
		picks = strings.Split(line, ",")
	}
	for _, s := range picks {
		s = strings.TrimSpace(s)
		at := slices.IndexFunc(fd.options, func(o session.QuestionOption) bool { return strings.EqualFold(o.Label, s) })
		if n, err := strconv.Atoi(s); err == nil {
			at = n - 1
		}
		if at < 0 || at >= len(fd.options) {
			if fd.free {
				fd.chosen, fd.own = nil, line
				return fd.wrong(line)
			}
			return "there is no " + style.Visible(style.OneLine(s))
		}
		if v := fd.value(at); !slices.Contains(fd.chosen, v) {
			fd.chosen = append(fd.chosen, v)
		}
	}
	return ""
}
