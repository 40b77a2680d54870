package ui

import (
	"fmt"
	"strings"

	"parley/session"
)

// plainCommand is a command of the plain chat. It reports whether the user leaves.
type plainCommand struct {
	name, args, help string
	run              func(p *lineChat, args string) (leaves bool)
}

// plainCommands are the commands of the plain chat. It is filled by init because one of them lists them.
var plainCommands []plainCommand

func init() {
	plainCommands = []plainCommand{
		{"help", "", "these commands", (*lineChat).help},
		{"stop", "", "stop what runs, as ctrl+c does", func(p *lineChat, _ string) bool { p.session.Abort(); return false }},
		{"status", "", "what runs, which model and mode, what waits", (*lineChat).status},
		{"model", "[name]", "list the models, or choose one", (*lineChat).model},
		{"effort", "[level]", "choose how hard it thinks", (*lineChat).effort},
		{"mode", "[name]", "choose what needs permission: default, acceptEdits, plan, bypassPermissions", (*lineChat).mode},
		{"resume", "[words or id]", "list the sessions, or go on in one", (*lineChat).resume},
		{"new", "", "begin a new session", (*lineChat).fresh},
		{"again", "", "read the last answer again", func(p *lineChat, _ string) bool { p.recap(); return false }},
		{"quit", "", "leave", func(*lineChat, string) bool { return true }},
	}
}

func (p *lineChat) command(name, args string) (leaves bool) {
	for _, c := range plainCommands {
		if c.name == name {
			return c.run(p, args)
		}
	}
	p.say("note", "no command /"+name+": /help lists them, // sends a slash")
	return false
}

func (p *lineChat) help(string) bool {
	for _, c := range plainCommands {
		p.out(strings.TrimSpace("/"+c.name+" "+c.args) + ": " + c.help)
	}
	p.out("A line is sent as it is; one that ends with a backslash goes on in the next. While something runs, it waits.")
	return false
}

func (p *lineChat) status(string) bool {
	s := p.session.Settings()
	p.say("note", "model "+shortModel(s.Model)+" "+s.Effort+", "+modeName(s.Mode)+" mode, "+count(len(p.a.t.Queue), "prompt waits", "prompts wait"))
	if t := p.a.running(); t != nil {
		p.a.still(t, p.opts.Now())
	} else {
		p.say("note", "nothing runs")
	}
	return false
}

func (p *lineChat) configure(s session.Settings, done string) {
	if err := p.session.Configure(s); err != nil {
		p.problem(err)
		return
	}
	p.say("note", done)
}

func (p *lineChat) effort(args string) bool {
	s := p.session.Settings()
	if args == "" {
		p.say("note", "the effort is "+s.Effort+"; /effort and a level changes it")
		return false
	}
	s.Effort = args
	p.configure(s, "effort "+args)
	return false
}

func (p *lineChat) mode(args string) bool {
	s := p.session.Settings()
	for _, m := range []session.Mode{session.ModeDefault, session.ModeAcceptEdits, session.ModePlan, session.ModeBypass} {
		if !strings.EqualFold(string(m), args) && !strings.EqualFold(modeName(m), args) {
			continue
		}
		if problem := p.opts.ModeProblem; problem != nil {
			if why := problem(p.session.Meta().Agent, m); why != "" {
				p.say("note", why)
				return false
			}
		}
		s.Mode = m
		p.configure(s, modeName(m)+" mode")
		return false
	}
	p.say("note", "the mode is "+modeName(s.Mode)+"; there are default, acceptEdits, plan and bypassPermissions")
	return false
}

// model lists the models, or chooses one.
func (p *lineChat) model(args string) bool {
	if p.opts.Catalog == nil {
		p.say("note", "the models cannot be listed")
		return false
	}
	catalog, ctx := p.opts.Catalog, p.ctx
	p.background(func() func() {
		models, err := catalog.Models(ctx)
		return func() { p.gotModels(models, err, args) }
	})
	return false
}

func (p *lineChat) gotModels(models []session.Model, err error, args string) {
	if err != nil {
		p.problem(err)
		return
	}
	for _, m := range models {
		switch {
		case args == "" && m.Unusable == "":
			p.say("model", m.ID)
		case args != "" && (strings.EqualFold(m.ID, args) || strings.EqualFold(shortModel(m.ID), args)):
			s := p.session.Settings()
			s.Model = m.ID
			p.configure(s, "model "+shortModel(m.ID))
			return
		}
	}
	if args != "" {
		p.say("note", "there is no model "+args)
	}
}

func (p *lineChat) fresh(string) bool {
	s, err := p.opts.Manager.Draft(session.DraftOptions{Agent: p.session.Meta().Agent, Dir: p.a.dir, Settings: p.session.Settings()})
	if err != nil {
		p.problem(err)
		return false
	}
	p.attach(s)
	p.greet()
	return false
}

// listed is how many sessions are listed at most.
const listed = 20

func (p *lineChat) resume(args string) bool {
	p.list(args)
	return false
}

// list lists the sessions that words are about, or goes on in the only one.
func (p *lineChat) list(words string) {
	manager, ctx := p.opts.Manager, p.ctx
	p.background(func() func() {
		metas, err := manager.List(ctx)
		return func() {
			if err != nil {
				p.problem(err)
				return
			}
			p.choose(metas, words)
		}
	})
}

func (p *lineChat) choose(metas []session.Meta, words string) {
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
		for i, m := range found[:min(len(found), listed)] {
			title := m.Title
			if title == "" {
				title = m.First
			}
			p.say(fmt.Sprintf("session %d", i+1), oneLine(title)+", "+age(p.opts.Now().Sub(m.Updated))+", "+string(m.ID))
		}
		p.say("note", "/resume and an id, or words that only one has, goes on in it")
	}
}

func (p *lineChat) open(id session.ID) {
	manager, ctx := p.opts.Manager, p.ctx
	p.background(func() func() {
		s, err := manager.Resume(ctx, id)
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
