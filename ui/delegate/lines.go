package delegate

import (
	"context"
	"strings"

	"parley/internal/handover"
	"parley/session"
	"parley/session/live"
	"parley/ui/core"
	"parley/ui/style"
)

// Lines is work that is about to be handed over to a service, and the prompt that waits for the user's word.
type Lines struct {
	talk *core.Lines
	post func(text string)
	sent func(session.PromptID)
	show func(*live.Session) // in place of the session that is shown

	draft *handover.Draft
	here  bool   // in this session, which is a new one of the agent at the service
	held  string // a further prompt, shown as what it becomes
}

// InLines returns the command for the chat in lines. post sends a prompt, sent reports one that was sent otherwise, and show
// switches to a session.
func InLines(talk *core.Lines, post func(string), sent func(session.PromptID), show func(*live.Session)) *Lines {
	return &Lines{talk: talk, post: post, sent: sent, show: show}
}

// Forget forgets what was prepared: it belongs to a session that is left.
func (g *Lines) Forget() { g.draft, g.held = nil, "" }

// delegateHelp lists what can be written after /delegate.
const delegateHelp = "Hand it over with /delegate go. Change it with /delegate text WORDS, repository OWNER/NAME, base BRANCH, agent NAME, or push none, commits, changes or all. /delegate drop forgets it"

// remote returns the agent of the session if it works at a service, else nil.
func (g *Lines) remote() session.RemoteAgent {
	return g.talk.Options.Manager.Remote(g.talk.Current().Agent)
}

// Say sends a line as a prompt. What goes to a service is shown first as what it becomes there.
func (g *Lines) Say(line string) {
	remote, t := g.remote(), g.talk.Current().Transcript
	switch {
	case remote == nil:
		g.post(line)
	case t.Remote == nil && len(t.Turns) == 0 && len(t.Queue) == 0:
		g.here = true
		g.prepare(line, "", "")
	default:
		where := "the pull request"
		if t.Remote != nil && t.Remote.Pull != nil {
			where = core.RemoteName(*t.Remote)
		}
		g.held = line
		g.talk.Print("comment", remote.Message(session.Prompt{Text: line}))
		g.talk.Print("note", "Post this on "+where+" with /post. Anything else you write replaces it")
	}
}

// PostHeld sends the prompt that was shown.
func (g *Lines) PostHeld() {
	if g.held == "" {
		g.talk.Print("note", "no comment waits to be posted")
		return
	}
	line := g.held
	g.held = ""
	g.post(line)
}

// Browse prints the page of the session's work.
func (g *Lines) Browse() {
	page := core.RemotePage(g.talk.Current().Transcript.Remote)
	if page == "" {
		page = "This session has no page on GitHub"
	}
	g.talk.Print("note", style.OneLine(page))
}

// Run prepares work to hand over, changes it, or hands it over.
func (g *Lines) Run(args string) {
	word, rest, _ := strings.Cut(args, " ")
	rest = strings.TrimSpace(rest)
	d := g.draft
	switch {
	case g.talk.Options.Manager.RemoteName() == "":
		g.talk.Print("note", style.OneLine(missing(g.talk.Options.Manager, g.talk.Options.Demo)))
	case d == nil:
		text, ask := core.Statement(g.talk.Current().Transcript, g.talk.Current().Dir, args)
		g.here = false
		g.prepare(text, ask, args)
	case args == "go":
		g.handOver()
	case args == "drop":
		g.draft = nil
		g.talk.Print("note", "nothing is handed over")
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
		g.talk.Print("note", delegateHelp)
	}
}

// prepare finds out what can be handed over, and shows it. ask is a question for the agent that has a better statement,
// which goes on from words.
func (g *Lines) prepare(text, ask, words string) {
	m, dir, ctx, local := g.talk.Options.Manager, g.talk.Current().Dir, g.talk.Context, g.talk.Options.Local
	remote, asker := m.Remote(m.RemoteName()), g.talk.Current().Session
	d := &handover.Draft{Statement: text, Suffix: g.talk.Options.Now().Format("0102-1504")}
	g.talk.Background(func() func() {
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
				g.talk.Problem(problem)
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
func (g *Lines) showDraft() {
	d := g.draft
	g.talk.Print("statement", d.Statement)
	g.talk.Print("repository", style.OneLine(d.Target.Repository))
	base := d.Target.Base
	if branch := d.Branch(); branch != "" {
		base = branch + ", new, with your work"
	}
	g.talk.Print("base", style.OneLine(base))
	if d.Target.Agent != "" {
		g.talk.Print("agent", style.OneLine(d.Target.Agent))
	}
	if missing := d.Missing(); missing != "" {
		g.talk.Print("not on GitHub", missing+": "+d.Choices()[d.At()].Label)
		for _, name := range d.Names() {
			g.talk.Print("file", style.OneLine(name))
		}
	}
	g.talk.Print("note", delegateHelp)
}

// choosePush chooses what is pushed first.
func (g *Lines) choosePush(word string) {
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
	g.talk.Print("note", "There is nothing like that to push. "+delegateHelp)
}

// handOver pushes what was chosen, and begins the work in a session that takes the place of this one.
func (g *Lines) handOver() {
	d, here := g.draft, g.here
	if _, problem := d.Problem(); problem != "" {
		g.talk.Print("note", problem)
		return
	}
	if !here && g.talk.Current().Running {
		g.talk.Print("note", "A turn is running. Stop it with /stop, then hand over")
		return
	}
	g.draft = nil
	m, dir, ctx, local := g.talk.Options.Manager, g.talk.Current().Dir, g.talk.Context, g.talk.Options.Local
	push, pushes := d.Push()
	g.talk.Print("note", "handing over to GitHub")
	g.talk.Background(func() func() {
		base, err := "", error(nil)
		if pushes {
			var done handover.Pushed
			done, err = local.Push(ctx, *d.Work, push)
			base = done.Branch
		}
		return func() {
			if err != nil {
				g.draft = d
				g.talk.Print("error", "not pushed, and not handed over: "+style.OneLine(err.Error()))
				return
			}
			g.begin(m, dir, d.Prompt(base), here)
		}
	})
}

// begin sends what is handed over.
func (g *Lines) begin(m core.Manager, dir string, prompt session.Prompt, here bool) {
	if here {
		id, err := g.talk.Current().Session.Send(prompt)
		if err != nil {
			g.talk.Problem(err)
			return
		}
		g.sent(id)
		return
	}
	s, err := core.Begin(m, dir, prompt)
	if err != nil {
		g.talk.Problem(err)
		return
	}
	g.show(s)
}
