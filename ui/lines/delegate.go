package lines

import (
	"context"
	"strings"

	"parley/internal/handover"
	"parley/session"
	"parley/session/live"
	"parley/ui/core"
	"parley/ui/style"
)

// delegation is work that is about to be handed over to a service, and the prompt that waits for the user's word.
type delegation struct {
	talk    *talk
	prompts *prompts
	show    func(*live.Session) // in place of the session that is shown

	draft *handover.Draft
	here  bool   // in this session, which is a new one of the agent at the service
	held  string // a further prompt, shown as what it becomes
}

// delegateHelp lists what can be written after /delegate.
const delegateHelp = "Hand it over with /delegate go. Change it with /delegate text WORDS, repository OWNER/NAME, base BRANCH, agent NAME, or push none, commits, changes or all. /delegate drop forgets it"

// remote returns the agent of the session if it works at a service, else nil.
func (g *delegation) remote() session.RemoteAgent { return g.talk.opts.Manager.Remote(g.talk.agent()) }

// say sends a line as a prompt. What goes to a service is shown first as what it becomes there.
func (g *delegation) say(line string) {
	remote, t := g.remote(), g.talk.a.t
	switch {
	case remote == nil:
		g.prompts.post(line)
	case t.Remote == nil && len(t.Turns) == 0 && len(t.Queue) == 0:
		g.here = true
		g.prepare(line, "", "")
	default:
		where := "the pull request"
		if t.Remote != nil && t.Remote.Pull != nil {
			where = core.RemoteName(*t.Remote)
		}
		g.held = line
		g.talk.print("comment", remote.Message(session.Prompt{Text: line}))
		g.talk.print("note", "Post this on "+where+" with /post. Anything else you write replaces it")
	}
}

// postHeld sends the prompt that was shown.
func (g *delegation) postHeld() {
	if g.held == "" {
		g.talk.print("note", "no comment waits to be posted")
		return
	}
	line := g.held
	g.held = ""
	g.prompts.post(line)
}

// browse prints the page of the session's work.
func (g *delegation) browse() {
	page := core.RemotePage(g.talk.a.t.Remote)
	if page == "" {
		page = "This session has no page on GitHub"
	}
	g.talk.print("note", style.OneLine(page))
}

// run prepares work to hand over, changes it, or hands it over.
func (g *delegation) run(args string) {
	word, rest, _ := strings.Cut(args, " ")
	rest = strings.TrimSpace(rest)
	d := g.draft
	switch {
	case g.talk.opts.Manager.RemoteName() == "":
		g.talk.print("note", style.OneLine(g.talk.opts.Manager.RemoteMissing()))
	case d == nil:
		text, ask := core.Statement(g.talk.a.t, g.talk.a.dir, args)
		g.here = false
		g.prepare(text, ask, args)
	case args == "go":
		g.handOver()
	case args == "drop":
		g.draft = nil
		g.talk.print("note", "nothing is handed over")
	case word == "push":
		g.choosePush(rest)
	case rest == "":
		g.showDraft()
	case word == "text":
		d.Statement = rest
		g.showDraft()
	case word == "repository":
		d.Target.Repository = rest
		g.showDraft()
	case word == "base":
		d.Target.Base = rest
		g.showDraft()
	case word == "agent":
		d.Target.Agent = rest
		g.showDraft()
	default:
		g.talk.print("note", delegateHelp)
	}
}

// prepare finds out what can be handed over, and shows it. ask is a question for the agent that has a better statement,
// which goes on from words.
func (g *delegation) prepare(text, ask, words string) {
	m, dir, ctx, local := g.talk.opts.Manager, g.talk.a.dir, g.talk.ctx, g.talk.opts.Local
	remote, asker := m.Remote(m.RemoteName()), g.talk.session
	d := &handover.Draft{Statement: text, Suffix: g.talk.opts.Now().Format("0102-1504")}
	g.talk.background(func() func() {
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
			g.draft = d
			if problem != nil {
				g.talk.problem(problem)
			}
			g.showDraft()
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
func (g *delegation) showDraft() {
	d := g.draft
	g.talk.print("statement", d.Statement)
	g.talk.print("repository", style.OneLine(d.Target.Repository))
	base := d.Target.Base
	if branch := d.Branch(); branch != "" {
		base = branch + ", new, with your work"
	}
	g.talk.print("base", style.OneLine(base))
	if d.Target.Agent != "" {
		g.talk.print("agent", style.OneLine(d.Target.Agent))
	}
	if missing := d.Missing(); missing != "" {
		g.talk.print("not on GitHub", missing+": "+d.Choices()[d.At()].Label)
		for _, name := range d.Names() {
			g.talk.print("file", style.OneLine(name))
		}
	}
	g.talk.print("note", delegateHelp)
}

// choosePush chooses what is pushed first.
func (g *delegation) choosePush(word string) {
	d := g.draft
	all := map[string]handover.Include{"commits": handover.Commits, "changes": handover.Changes, "all": handover.Files}
	include, known := all[word]
	if word == "none" {
		d.Send = nil
		g.showDraft()
		return
	}
	for _, c := range d.Choices() {
		if known && c.Send != nil && *c.Send == include {
			d.Send = c.Send
			g.showDraft()
			return
		}
	}
	g.talk.print("note", "There is nothing like that to push. "+delegateHelp)
}

// handOver pushes what was chosen, and begins the work in a session that takes the place of this one.
func (g *delegation) handOver() {
	d, here := g.draft, g.here
	if _, problem := d.Problem(); problem != "" {
		g.talk.print("note", problem)
		return
	}
	if !here && g.talk.a.running() != nil {
		g.talk.print("note", "A turn is running. Stop it with /stop, then hand over")
		return
	}
	g.draft = nil
	m, dir, ctx, local := g.talk.opts.Manager, g.talk.a.dir, g.talk.ctx, g.talk.opts.Local
	push, pushes := d.Push()
	g.talk.print("note", "handing over to GitHub")
	g.talk.background(func() func() {
		base, err := "", error(nil)
		if pushes {
			var done handover.Pushed
			done, err = local.Push(ctx, *d.Work, push)
			base = done.Branch
		}
		return func() {
			if err != nil {
				g.draft = d
				g.talk.print("error", "not pushed, and not handed over: "+style.OneLine(err.Error()))
				return
			}
			g.begin(m, dir, d.Prompt(base), here)
		}
	})
}

// begin sends what is handed over.
func (g *delegation) begin(m core.Manager, dir string, prompt session.Prompt, here bool) {
	if here {
		id, err := g.talk.session.Send(prompt)
		if err != nil {
			g.talk.problem(err)
			return
		}
		g.prompts.sent[id] = true
		return
	}
	s, err := core.Begin(m, dir, prompt)
	if err != nil {
		g.talk.problem(err)
		return
	}
	g.show(s)
}
