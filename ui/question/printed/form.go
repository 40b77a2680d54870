package printed

import (
	"strconv"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/ui/question"
	"parley/ui/style"
)

// question prints the next question of the form, or the review of all answers.
func (p *ask) question() {
	f := p.Form
	if f.Reviewing() {
		p.review()
		return
	}
	fd := &f.Fields[f.At]
	for _, t := range [][2]string{{"question", fd.Text}, {"note", fd.Expects}, {"note", fd.Warning}, {"your note", fd.Note}} {
		if t[1] != "" {
			p.print(t[0], t[1])
		}
	}
	for i, o := range fd.Options {
		s := o.Label
		if o.Description != "" {
			s += ", " + o.Description
		}
		p.print(strconv.Itoa(i+1), style.OneLine(s))
		if preview := fd.Preview(i); preview != "" && preview != fd.Preview(i-1) {
			p.print("preview", preview)
		}
	}
	p.print("answer", p.how(fd))
}

// how returns how to answer a question.
func (p *ask) how(fd *question.Field) string {
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
	if fd.Notes {
		how += "; /note with words adds a note"
	}
	return how + "; " + p.leave()
}

// leave returns how to leave the form.
func (p *ask) leave() string {
	if p.Form.Closes() {
		return "/decline declines, /close closes it"
	}
	return "/decline declines"
}

// review prints all answers before they are sent.
func (p *ask) review() {
	p.reviewed = true
	for i := range p.Form.Fields {
		fd := &p.Form.Fields[i]
		said := fd.Words()
		if said == "" {
			said = "not answered"
		}
		if fd.Note != "" {
			said += " (note: " + style.OneLine(fd.Note) + ")"
		}
		p.print(human.Number(i+1), style.OneLine(fd.Text)+" "+said)
	}
	p.print("answer", "y sends the answers, a number changes one; "+p.leave())
}

// fill handles a line as the answer to the form's question.
func (p *ask) fill(line string) (session.Answer, bool) {
	f := p.Form
	switch {
	case line == "/close" && f.Closes():
		return question.Closed(), true
	case line == "/decline" || len(f.Fields) == 0:
		return question.Declined(), true
	case f.Reviewing():
		return p.answerReview(line)
	}
	fd := &f.Fields[f.At]
	if note, is := strings.CutPrefix(line, "/note "); is && fd.Notes {
		fd.Note = strings.TrimSpace(note)
		p.print("your note", fd.Note)
		p.print("answer", p.how(fd))
		return session.Answer{}, false
	}
	if trouble := fd.Line(line); trouble != "" {
		p.print("note", trouble)
		p.again()
		return session.Answer{}, false
	}
	next := f.At + 1
	if p.reviewed {
		next = len(f.Fields)
	}
	f.Enter(next)
	if !f.Reviewing() || p.typed && len(f.Fields) > 1 {
		p.again()
		return session.Answer{}, false
	}
	return p.send()
}

// answerReview handles a line below the review: the answers are sent, or one is changed.
func (p *ask) answerReview(line string) (session.Answer, bool) {
	if strings.EqualFold(line, "y") {
		return p.send()
	}
	if n, err := strconv.Atoi(line); err == nil && n >= 1 && n <= len(p.Form.Fields) {
		p.Form.Enter(n - 1)
	} else {
		p.print("note", "There is no question "+style.Visible(style.OneLine(line)))
	}
	p.again()
	return session.Answer{}, false
}

// send returns the answer of the form. Where a required answer is missing the form has returned to it.
func (p *ask) send() (session.Answer, bool) {
	a, done := p.Form.Send()
	if !done {
		p.print("note", p.Form.Trouble())
		p.again()
	}
	return a, done
}
