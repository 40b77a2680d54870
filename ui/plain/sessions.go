package plain

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"parley/session"
	"parley/session/live"
	"parley/ui/chat"
	"parley/ui/style"
)

var errNoSession = errors.New("there is no such session")

// listed is how many sessions, or turns, are listed at most.
const listed = 20

func (p *console) resume(args string) bool {
	if n, err := strconv.Atoi(args); err == nil && n >= 1 && n <= len(p.found) {
		p.open(p.found[n-1])
		return false
	}
	p.list(args)
	return false
}

// list lists the sessions that words are about, or goes on in the only one.
func (p *console) list(words string) {
	manager, ctx := p.opts.Manager, p.ctx
	p.background(func() func() {
		l := manager.Listing(ctx)
		return func() {
			err := errors.Join(l.Problems...)
			if err != nil && len(l.Sessions) == 0 {
				p.problem(err)
				return
			}
			if err != nil {
				p.say("warning", "not all sessions are listed: "+style.OneLine(session.ProblemOf(err, p.opts.Now()).What))
			}
			p.choose(l.Sessions, words)
		}
	})
}

func (p *console) choose(metas []session.Meta, words string) {
	var found []session.Meta
	for _, m := range metas {
		if string(m.ID) == words {
			found = []session.Meta{m}
			break
		}
		if strings.Contains(strings.ToLower(string(m.ID)+" "+m.Title+" "+m.First), strings.ToLower(words)) {
			found = append(found, m)
		}
	}
	switch {
	case len(found) == 0:
		p.problem(&session.Error{Op: "resume", Kind: session.KindNotFound, Err: errNoSession})
	case len(found) == 1 && words != "":
		p.open(found[0].ID)
	default:
		p.found = nil
		for i, m := range found[:min(len(found), listed)] {
			title := m.Title
			if title == "" {
				title = m.First
			}
			p.found = append(p.found, m.ID)
			p.say(fmt.Sprintf("session %d", i+1), style.OneLine(title)+", "+style.Age(p.opts.Now().Sub(m.Updated))+", "+string(m.ID))
		}
		if n := len(found) - listed; n > 0 {
			p.say("note", style.Count(n, "older one", "older ones")+"; words after /resume find them")
		}
		p.say("note", "/resume and a number, an id, or words that only one has, goes on in it")
	}
}

func (p *console) open(id session.ID) {
	manager, ctx := p.opts.Manager, p.ctx
	p.load(func() (*live.Session, error) { return manager.Resume(ctx, id) })
}

// load gets a session in the background and goes on in it.
func (p *console) load(get func() (*live.Session, error)) {
	p.background(func() func() {
		s, err := get()
		return func() {
			if err != nil {
				p.problem(err)
				return
			}
			p.attach(s)
			p.greet()
		}
	})
}

// fork lists the turns that a copy of the session can end with, or goes on in a copy that ends with one.
func (p *console) fork(args string) bool {
	turns := p.a.t.Turns
	switch {
	case !p.opts.Manager.CanFork(p.agent()):
		p.say("note", "sessions of "+p.agent()+" cannot be copied")
		return false
	case p.a.running() != nil:
		p.say("note", "a turn is running: /stop stops it, then /fork again")
		return false
	}
	n, err := strconv.Atoi(args)
	if err == nil && n >= 1 && n <= len(turns) && chat.Answered(turns[n-1]) {
		fork, ctx, id, upTo := p.opts.Manager.Fork, p.ctx, p.session.ID(), turns[n-1].ID
		p.say("note", "copying the session")
		p.load(func() (*live.Session, error) { return fork(ctx, id, upTo) })
		return false
	}
	any := false
	for _, f := range chat.ForkPoints(p.a.t) {
		if !f.Answered || f.Number <= len(turns)-listed {
			continue
		}
		any = true
		text := style.OneLine(f.Turn.Prompt.Text)
		if !f.Turn.Started.IsZero() {
			text += ", " + style.Age(p.opts.Now().Sub(f.Turn.Started))
		}
		p.say(fmt.Sprintf("turn %d", f.Number), text)
	}
	if !any {
		p.say("note", "there is no turn to copy yet")
		return false
	}
	p.say("note", "/fork and a number goes on in a copy that ends with that turn")
	return false
}

// export writes the conversation as markdown.
func (p *console) export(name string) bool {
	if len(p.a.t.Turns) == 0 {
		p.say("note", "there is nothing to export yet")
		return false
	}
	name = chat.ExportPath(name, p.a.dir, p.look.Home, p.opts.Now())
	write := chat.Export(name, p.session.Meta(), p.a.t)
	p.background(func() func() {
		err := write()
		return func() {
			if err != nil {
				p.say("error", "not exported: "+style.OneLine(err.Error()))
				return
			}
			p.say("note", "exported to "+style.ShortPath(name, p.look.Home))
		}
	})
	return false
}
