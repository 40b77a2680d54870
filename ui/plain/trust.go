package plain

import (
	"strings"

	"parley/session"
	"parley/ui/chat"
	"parley/ui/question"
	"parley/ui/style"
)

// plainTrust is what is known in lines about what the session's directory would bring along.
type plainTrust struct {
	question.Directory // the items are those not decided about

	who  session.RepositoryTruster
	read bool // the list was printed
}

// askTrust looks what the session's directory would bring along, and says that there is something to decide about.
func (p *console) askTrust() {
	agent, dir := p.agent(), p.a.dir
	if p.trust.Agent == agent && p.trust.Dir == dir {
		return
	}
	p.trust = plainTrust{Directory: question.Directory{Agent: agent, Dir: dir}, who: p.opts.Manager.Truster(agent)}
	who, ctx := p.trust.who, p.ctx
	if who == nil {
		return
	}
	p.background(func() func() {
		items, err := who.Untrusted(ctx, dir)
		return func() {
			if p.trust.Agent != agent || p.trust.Dir != dir {
				return
			}
			switch p.trust.Items = items; {
			case err != nil:
				p.say("warning", "what this directory brings along cannot be read, and is not loaded: "+style.OneLine(err.Error()))
			case len(items) > 0:
				p.say("note", "this directory brings "+style.Count(len(items), "thing", "things")+" along, such as settings or hooks. Nothing of it is loaded; "+
					"/trust lists it")
			}
		}
	})
}

// decide lists what the directory brings along, or keeps what the user says about it once they have heard the list.
func (p *console) decide(args string) bool {
	t := &p.trust
	yes := strings.EqualFold(args, "yes")
	switch {
	case len(t.Items) == 0:
		p.say("note", "there is nothing to decide about in this directory")
	case !yes && !strings.EqualFold(args, "no") || !t.read:
		t.read = true
		p.say("brings", strings.Join(t.Rows(p.look.Home), "\n"))
		p.say("answer", "/trust yes loads all of it, /trust no never asks about this list again. Until then nothing of it is loaded")
	default:
		who, dir, items, ctx := t.who, t.Dir, t.Items, p.ctx
		t.Items = nil
		p.background(func() func() {
			err := chat.DecideTrust(ctx, who, dir, items, yes)
			return func() {
				who := "note"
				if err != nil {
					who = "warning"
				}
				p.say(who, question.TrustOutcome(err, yes, p.session.Draft()))
			}
		})
	}
	return false
}
