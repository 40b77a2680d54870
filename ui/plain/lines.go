package plain

import (
	"slices"
	"strings"
	"time"

	"parley/session"
	"parley/ui/keymap"
	"parley/ui/question"
)

// next puts the oldest ask to the user, unless one is being answered.
func (p *console) next() {
	asks := p.a.t.Asks
	if p.ask != nil {
		for _, a := range asks {
			if a == p.ask.Ask {
				return
			}
		}
		p.ask = nil
	}
	i := slices.IndexFunc(asks, func(a *session.Ask) bool { return !p.answered[a.Ask] })
	if i < 0 {
		return
	}
	p.ask = &plainAsk{Question: question.New(asks[i], question.Options{Dir: p.a.dir, Home: p.look.Home}), say: p.say, typed: p.human}
	p.ask.put()
	p.askedAt = p.opts.Now()
	if p.ended {
		p.answer(question.Declined()) // nobody is there any more
	}
}

func (p *console) answer(a session.Answer) {
	id := p.ask.Ask.Ask
	p.ask, p.answered[id] = nil, true
	if err := p.session.Answer(id, a); err != nil && session.KindOf(err) != session.KindNotFound {
		p.problem(err)
	}
	p.next()
}

// line takes what was typed: the answer to what is asked, a command, or a prompt. It reports whether the user leaves.
func (p *console) line(line string) (leaves bool) {
	p.leaving = time.Time{}
	if name, args, ok := keymap.ParseCommand(line); ok && p.ask != nil && slices.Contains(whileAsked, name) {
		return p.command(name, args)
	}
	if keymap.Leaves(line) && (p.ask == nil && p.joined == "" || p.ask != nil && !p.ask.inWords()) {
		return true
	}
	if p.ask != nil && p.joined == "" {
		if words, ok := p.ask.meant(line); ok {
			p.reply(words)
			return false
		}
		defer p.stillAsked(p.ask)
	}
	if rest, more := strings.CutSuffix(line, "\\"); more {
		p.joined += rest + "\n"
		return false
	}
	line, p.joined = p.joined+line, ""
	if strings.TrimSpace(line) == "" {
		return false
	}
	if name, args, ok := keymap.ParseCommand(line); ok {
		return p.command(name, args)
	}
	if rest, ok := strings.CutPrefix(line, "!"); ok && strings.TrimSpace(rest) != "" && !strings.HasPrefix(rest, "!") {
		p.runShell(strings.TrimSpace(rest))
		return false
	}
	if strings.HasPrefix(line, "//") || strings.HasPrefix(line, "!!") {
		line = line[1:]
	}
	p.post(line)
	return false
}

// reply takes a line as the answer to what is asked.
func (p *console) reply(line string) {
	if p.human && p.opts.Now().Sub(p.askedAt) < tooSoon {
		p.say("note", "that came before the question could be read, and was not sent")
		p.ask.again()
		return
	}
	if !p.human {
		p.say("you", line)
	}
	if a, done := p.ask.take(line); done {
		p.answer(a)
	}
}

// stillAsked says that what was typed was no answer.
func (p *console) stillAsked(a *plainAsk) {
	if p.ask == a && p.joined == "" {
		p.say("note", "the question is still open")
		a.again()
	}
}
