package delegate

import (
	"context"
	"time"

	"parley/internal/handover"
	"parley/session"
	"parley/ui/core"
	"parley/ui/keymap"
	"parley/ui/panel"
	"parley/ui/style"
)

// Command hands work over to the agent that works at a service, and shows prompts for it before they are sent. The event loop
// owns it.
type Command struct {
	Manager core.Manager
	Local   handover.Local
	Look    *style.Look
	Keys    *keymap.Map
	// Demo reports that nothing can be handed over because the model is simulated.
	Demo bool
	// Current returns the session that is shown.
	Current func() core.Current

	kept  string    // the statement of a form that was closed
	asked time.Time // when the user tried to stop work at a service
}

// missing returns why nothing can be handed over.
func missing(m core.Manager, demo bool) string {
	if demo {
		return "The cloud agent isn't available in the demo"
	}
	return m.RemoteMissing()
}

// Offered reports whether work can be handed over.
func (c *Command) Offered() bool {
	return c.Manager != nil && c.Manager.RemoteName() != "" && c.Current().Session != nil
}

// OffersPlan reports whether a plan of the session can be handed over.
func (c *Command) OffersPlan() bool { return c.Offered() && c.Remote() == nil }

// Remote returns the agent of the session if it works at a service, else nil.
func (c *Command) Remote() session.RemoteAgent {
	now := c.Current()
	if c.Manager == nil || now.Session == nil {
		return nil
	}
	return c.Manager.Remote(now.Agent)
}

// Run opens the form for the conversation, with words of the user.
func (c *Command) Run(words string) panel.Effect {
	now := c.Current()
	switch {
	case !c.Offered():
		return panel.Notice{Text: missing(c.Manager, c.Demo), Warn: true}
	case c.Remote() != nil && now.Transcript.Remote != nil:
		return panel.Notice{Text: "This task already runs on GitHub. What you write goes there"}
	}
	text, ask := core.Statement(now.Transcript, now.Dir, words)
	if words == "" && c.kept != "" {
		text, ask = c.kept, ""
	}
	return c.form(options{Statement: text, Words: words, Stays: true, Beside: now.Running}, ask)
}

// Plan opens the form for a plan that is asked about; text is the plan as the user has it now.
func (c *Command) Plan(ask *session.Ask, text string) panel.Effect {
	return c.form(options{Statement: handover.WithPlan(text, ""), Stays: true, Plan: ask}, "")
}

// form opens a form. ask is the question whose answer is the statement, "" for none.
func (c *Command) form(o options, ask string) panel.Effect {
	now := c.Current()
	remote, dir := c.Manager.Remote(c.Manager.RemoteName()), now.Dir
	o.Look, o.Keys, o.Dir, o.Local = c.Look, c.Keys, dir, c.Local
	o.Suffix = c.Look.Now().Format("0102-1504")
	o.Target = func(ctx context.Context) (session.RemoteTarget, error) { return remote.Target(ctx, dir) }
	if ask != "" {
		o.Summarize = func(ctx context.Context, emit func(string)) error { return now.Session.AskAside(ctx, ask, emit) }
	}
	f, start := newForm(c, o)
	return panel.Push{Panel: f, Start: start}
}

// Submit shows what a prompt becomes at the service of the session's agent, before it is sent.
func (c *Command) Submit(p core.Prepared) panel.Effect {
	now := c.Current()
	remote, t := c.Remote(), now.Transcript
	if t.Remote == nil && len(t.Turns) == 0 && len(t.Queue) == 0 {
		return c.form(options{Statement: p.Prompt.Text, Prepared: &p}, "")
	}
	about := "a comment on the pull request"
	if t.Remote != nil && t.Remote.Pull != nil {
		about = "a comment on " + core.RemoteName(*t.Remote)
	}
	if now.Running {
		about += ", once the running work has ended"
	}
	text := remote.Message(session.Prompt{Text: p.Prompt.Text})
	return panel.Push{Panel: &comment{look: c.Look, prepared: p, about: about, text: text}}
}

// stopAgain is the time within which stopping has to be tried again to open the page of the work.
const stopAgain = 2 * time.Second

// Stop returns what trying to stop work at a service does; nil if the work is not at one, and can be stopped here. It goes on by
// itself: its page is opened on the second try.
func (c *Command) Stop() panel.Effect {
	r := c.Current().Transcript.Remote
	if c.Remote() == nil || r == nil || r.State.Ended() {
		return nil
	}
	if core.RemotePage(r) == "" {
		return panel.Notice{Text: "This task runs on GitHub and has no page yet"}
	}
	now := c.Look.Now()
	if c.asked.IsZero() || now.Sub(c.asked) >= stopAgain {
		c.asked = now
		return panel.Notice{Text: "This task runs on GitHub. Press again to open its page and stop it there", For: stopAgain}
	}
	c.asked = time.Time{}
	if r.URL != "" {
		return panel.OpenPage{URL: r.URL}
	}
	return panel.OpenPage{URL: core.RemotePage(r)}
}

// Browse opens the pull request of the session, else the page of its work.
func (c *Command) Browse() panel.Effect {
	page := core.RemotePage(c.Current().Transcript.Remote)
	if page == "" {
		return panel.Notice{Text: "This session has no page on GitHub"}
	}
	return panel.OpenPage{URL: page}
}
