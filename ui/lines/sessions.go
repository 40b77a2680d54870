package lines

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"parley/internal/human"
	"parley/session"
	"parley/session/live"
	"parley/ui/core"
	"parley/ui/style"
)

// refreshTimeout bounds how long services are asked for their sessions.
const refreshTimeout = 3 * time.Second

// listed is the most sessions or turns that are listed.
const listed = 20

func (p *console) resume(args string) bool {
	if n, err := strconv.Atoi(args); err == nil && n >= 1 && n <= len(p.found) {
		p.open(p.found[n-1])
		return false
	}
	p.list(args)
	return false
}

// list lists the sessions that match some words, or resumes the only one.
func (p *console) list(words string) {
	manager, ctx := p.talk.opts.Manager, p.talk.ctx
	p.talk.background(func() func() {
		if manager.RemoteName() != "" {
			ctx, cancel := context.WithTimeout(ctx, refreshTimeout)
			_ = manager.Refresh(ctx) // the list is then as old as it is
			cancel()
		}
		l := manager.Listing(ctx)
		return func() {
			err := errors.Join(l.Problems...)
			if err != nil && len(l.Sessions) == 0 {
				p.talk.problem(err)
				return
			}
			if err != nil {
				p.talk.print("warning", "Couldn't list all sessions: "+style.OneLine(session.ProblemOf(err, p.talk.opts.Now()).What))
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
	case len(found) == 0 && words == "":
		p.talk.print("note", "no sessions yet")
	case len(found) == 0:
		p.talk.print("note", `No session matches "`+words+`"`)
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
			if m.Remote != nil {
				title += ", " + core.AgentAndState(m)
			}
			p.talk.print(fmt.Sprintf("session %d", i+1), style.OneLine(title)+", "+human.Age(p.talk.opts.Now().Sub(m.Updated))+", "+string(m.ID))
		}
		if n := len(found) - listed; n > 0 {
			p.talk.print("note", human.Count(n, "older one", "older ones")+". Search them with /resume WORDS")
		}
		p.talk.print("note", "Resume one with /resume NUMBER, ID or WORDS")
	}
}

func (p *console) open(id session.ID) {
	manager, ctx := p.talk.opts.Manager, p.talk.ctx
	p.load(func() (*live.Session, error) { return manager.Resume(ctx, id) })
}

// load gets a session in the background and switches to it.
func (p *console) load(get func() (*live.Session, error)) {
	p.talk.background(func() func() {
		s, err := get()
		return func() {
			if err != nil {
				p.talk.problem(err)
				return
			}
			p.show(s)
		}
	})
}

// fork lists the turns that a copy of the session can end with, or switches to such a copy.
func (p *console) fork(args string) bool {
	turns := p.talk.a.t.Turns
	switch {
	case !p.talk.opts.Manager.CanFork(p.talk.agent()):
		p.talk.print("note", p.talk.agent()+" can't fork sessions")
		return false
	case p.talk.a.running() != nil:
		p.talk.print("note", "A turn is running. Stop it with /stop, then fork")
		return false
	}
	n, err := strconv.Atoi(args)
	if err == nil && n >= 1 && n <= len(turns) && core.Answered(turns[n-1]) {
		fork, ctx, id, upTo := p.talk.opts.Manager.Fork, p.talk.ctx, p.talk.session.ID(), turns[n-1].ID
		p.talk.print("note", "copying the session")
		p.load(func() (*live.Session, error) { return fork(ctx, id, upTo) })
		return false
	}
	any := false
	for _, f := range core.ForkPoints(p.talk.a.t) {
		if !f.Answered || f.Number <= len(turns)-listed {
			continue
		}
		any = true
		text := style.OneLine(f.Turn.Prompt.Text)
		if !f.Turn.Started.IsZero() {
			text += ", " + human.Age(p.talk.opts.Now().Sub(f.Turn.Started))
		}
		p.talk.print(fmt.Sprintf("turn %d", f.Number), text)
	}
	if !any {
		p.talk.print("note", "no turns to fork from yet")
		return false
	}
	p.talk.print("note", "Continue from a turn in a copy with /fork NUMBER")
	return false
}

// rename gives the session a title.
func (p *console) rename(title string) bool {
	if strings.TrimSpace(title) == "" {
		p.talk.print("note", "type the title after the command: /rename Why the upload test flakes")
		return false
	}
	if err := p.talk.session.Rename(title); err != nil {
		p.talk.problem(err)
		return false
	}
	p.talk.print("note", "renamed to "+style.OneLine(p.talk.session.Meta().Title))
	return false
}

// export writes the conversation as markdown.
func (p *console) export(name string) bool {
	if len(p.talk.a.t.Turns) == 0 {
		p.talk.print("note", "nothing to export yet")
		return false
	}
	name = core.ExportPath(name, p.talk.a.dir, p.talk.look.Home, p.talk.opts.Now())
	write := core.Export(name, p.talk.session.Meta(), p.talk.a.t)
	p.talk.background(func() func() {
		err := write()
		return func() {
			if err != nil {
				p.talk.print("error", "not exported: "+style.OneLine(err.Error()))
				return
			}
			p.talk.print("note", "exported to "+style.ShortPath(name, p.talk.look.Home))
		}
	})
	return false
}
