package plain

import (
	"context"
	"strings"

	"parley/internal/handover"
	"parley/session"
	"parley/session/live"
	"parley/ui/chat"
	"parley/ui/style"
)

// delegation is work that is about to be handed over to a service, and the prompt that waits for the user's word.
type delegation struct {
	draft *handover.Draft
	here  bool   // in this session, which is a new one of the agent at the service
	held  string // a further prompt, shown as what it becomes
}

// delegateHelp lists what can be written after /delegate.
const delegateHelp = "Hand it over with /delegate go. Change it with /delegate text WORDS, repository OWNER/NAME, base BRANCH, agent NAME, or push none, commits, changes or all. /delegate drop forgets it"

// remote returns the agent of the session if it works at a service, else nil.
func (p *console) remote() session.RemoteAgent { return p.talk.opts.Manager.Remote(p.talk.agent()) }

// say sends a line as a prompt. What goes to a service is shown first as what it becomes there.
func (p *console) say(line string) {
	remote, t := p.remote(), p.talk.a.t
	switch {
	case remote == nil:
		p.prompts.post(line)
	case t.Remote == nil && len(t.Turns) == 0 && len(t.Queue) == 0:
		p.delegation.here = true
		p.prepare(line, "", "")
	default:
		where := "the pull request"
		if t.Remote != nil && t.Remote.Pull != nil {
			where = chat.RemoteName(*t.Remote)
		}
		p.delegation.held = line
		p.talk.print("comment", remote.Message(session.Prompt{Text: line}))
		p.talk.print("note", "Post this on "+where+" with /post. Anything else you write replaces it")
	}
}

// postHeld sends the prompt that was shown.
func (p *console) postHeld(string) bool {
	if p.delegation.held == "" {
		p.talk.print("note", "no comment waits to be posted")
		return false
	}
	line := p.delegation.held
	p.delegation.held = ""
	p.prompts.post(line)
	return false
}

// browse prints the page of the session's work.
func (p *console) browse(string) bool {
	page := chat.RemotePage(p.talk.a.t.Remote)
	if page == "" {
		page = "This session has no page on GitHub"
	}
	p.talk.print("note", style.OneLine(page))
	return false
}

// delegate prepares work to hand over, changes it, or hands it over.
func (p *console) delegate(args string) bool {
	word, rest, _ := strings.Cut(args, " ")
	rest = strings.TrimSpace(rest)
	d := p.delegation.draft
	switch {
	case p.talk.opts.Manager.RemoteName() == "":
		p.talk.print("note", "No agent here works at a service")
	case d == nil:
		text, ask := chat.Statement(p.talk.a.t, p.talk.a.dir, args)
		p.delegation.here = false
		p.prepare(text, ask, args)
	case args == "go":
		p.handOver()
	case args == "drop":
		p.delegation.draft = nil
		p.talk.print("note", "nothing is handed over")
	case word == "push":
		p.choosePush(rest)
	case rest == "":
		p.showDraft()
	case word == "text":
		d.Statement = rest
		p.showDraft()
	case word == "repository":
		d.Target.Repository = rest
		p.showDraft()
	case word == "base":
		d.Target.Base = rest
		p.showDraft()
	case word == "agent":
		d.Target.Agent = rest
		p.showDraft()
	default:
		p.talk.print("note", delegateHelp)
	}
	return false
}

// prepare finds out what can be handed over, and shows it. ask is a question for the agent that has a better statement,
// which goes on from words.
func (p *console) prepare(text, ask, words string) {
	m, dir, ctx, local := p.talk.opts.Manager, p.talk.a.dir, p.talk.ctx, p.talk.opts.Local
	remote, asker := m.Remote(m.RemoteName()), p.talk.session
	d := &handover.Draft{Statement: text, Suffix: p.talk.opts.Now().Format("0102-1504")}
	p.talk.background(func() func() {
		var problem error
		d.Target, problem = remote.Target(ctx, dir)
		if local != nil {
			if w, err := local.Look(ctx, dir); err == nil {
				d.Take(w)
			}
		}
		if ask != "" {
			d.Statement = better(ctx, asker, ask, text, words)
		}
		return func() {
			p.delegation.draft = d
			if problem != nil {
				p.talk.problem(problem)
			}
			p.showDraft()
		}
	})
}

// better returns the statement that the agent writes beside the conversation, else the one there is.
func better(ctx context.Context, s *live.Session, ask, text, words string) string {
	var b strings.Builder
	if err := s.AskAside(ctx, ask, func(more string) { b.WriteString(more) }); err == nil && strings.TrimSpace(b.String()) != "" {
		return handover.WithContext(words, b.String())
	}
	return text
}

// showDraft prints what would be handed over.
func (p *console) showDraft() {
	d := p.delegation.draft
	p.talk.print("statement", d.Statement)
	p.talk.print("repository", style.OneLine(d.Target.Repository))
	base := d.Target.Base
	if branch := d.Branch(); branch != "" {
		base = branch + ", new, with your work"
	}
	p.talk.print("base", style.OneLine(base))
	if d.Target.Agent != "" {
		p.talk.print("agent", style.OneLine(d.Target.Agent))
	}
	if missing := d.Missing(); missing != "" {
		p.talk.print("not on GitHub", missing+": "+d.Choices()[d.At()].Label)
		for _, name := range d.Names() {
			p.talk.print("file", style.OneLine(name))
		}
	}
	p.talk.print("note", delegateHelp)
}

// choosePush chooses what is pushed first.
func (p *console) choosePush(word string) {
	d := p.delegation.draft
	all := map[string]handover.Include{"commits": handover.Commits, "changes": handover.Changes, "all": handover.Files}
	include, known := all[word]
	if word == "none" {
		d.Send = nil
		p.showDraft()
		return
	}
	for _, c := range d.Choices() {
		if known && c.Send != nil && *c.Send == include {
			d.Send = c.Send
			p.showDraft()
			return
		}
	}
	p.talk.print("note", "There is nothing like that to push. "+delegateHelp)
}

// handOver pushes what was chosen, and begins the work in a session that takes the place of this one.
func (p *console) handOver() {
	d, here := p.delegation.draft, p.delegation.here
	if _, problem := d.Problem(); problem != "" {
		p.talk.print("note", problem)
		return
	}
	if !here && p.talk.a.running() != nil {
		p.talk.print("note", "A turn is running. Stop it with /stop, then hand over")
		return
	}
	p.delegation.draft = nil
	m, dir, ctx, local := p.talk.opts.Manager, p.talk.a.dir, p.talk.ctx, p.talk.opts.Local
	push, pushes := d.Push()
	p.talk.print("note", "handing over to GitHub")
	p.talk.background(func() func() {
		base, err := "", error(nil)
		if pushes {
			var done handover.Pushed
			done, err = local.Push(ctx, *d.Work, push)
			base = done.Branch
		}
		return func() {
			if err != nil {
				p.delegation.draft = d
				p.talk.print("error", "not pushed, and not handed over: "+style.OneLine(err.Error()))
				return
			}
			p.begin(m, dir, d.Prompt(base), here)
		}
	})
}

// begin sends what is handed over.
func (p *console) begin(m chat.Manager, dir string, prompt session.Prompt, here bool) {
	if here {
		id, err := p.talk.session.Send(prompt)
		if err != nil {
			p.talk.problem(err)
			return
		}
		p.prompts.sent[id] = true
		return
	}
	s, err := chat.Begin(m, dir, prompt)
	if err != nil {
		p.talk.problem(err)
		return
	}
	p.attach(s)
	p.greet()
}
