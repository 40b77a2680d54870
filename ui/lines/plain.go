package lines

import (
	"cmp"
	"context"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"parley/internal/crash"
	"parley/session"
	"parley/session/live"
	"parley/session/permission"
	"parley/ui/background"
	"parley/ui/changes"
	"parley/ui/core"
	"parley/ui/delegate"
	"parley/ui/models"
	"parley/ui/panel"
	question "parley/ui/question/printed"
	"parley/ui/rules"
	"parley/ui/shell"
	"parley/ui/signin"
	"parley/ui/style"
	"parley/ui/tabs"
	"parley/ui/transcript/printed"
)

// stillEvery is the interval at which a long turn is reported while nothing else is printed.
const stillEvery = 30 * time.Second

// leaveTime is the time within which a second ctrl+c leaves.
const leaveTime = 2 * time.Second

// console is the chat in lines. One goroutine owns it.
type console struct {
	talk       *talk
	shared     *shared
	trust      *question.Trust
	background *background.Lines
	asks       *question.Asks
	prompts    prompts
	changes    *changes.Lines
	delegate   *delegate.Lines

	inbox  *core.Inbox
	unpump context.CancelFunc

	leaving time.Time // of the last ctrl+c
	ended   bool      // no more lines come
	joined  string    // lines that end with a backslash

	lines  chan string
	wake   chan *core.Inbox
	result core.Result
}

// Options are the settings of the chat in lines. They do not change.
type Options struct {
	core.Options
	// ASCII limits what parley itself prints to ASCII.
	ASCII bool
	// Typed treats lines as typed on a keyboard although Input is not a terminal, in tests.
	Typed bool
}

// Run runs the chat in lines until the user leaves it, the context ends or a signal arrives. The caller closes the
// sessions. The error is always nil.
func Run(parent context.Context, o Options) (core.Result, error) {
	ctx, cancel := context.WithCancel(parent)
	t := &talk{opts: o, ctx: ctx, human: o.Typed || isTerminal(o.Input), look: &style.Look{Now: o.Now, Home: o.Getenv("HOME"), Ascii: o.ASCII}, done: make(chan func())}
	face := t.face()
	p := &console{talk: t, trust: question.NewTrust(face), background: background.InLines(face), asks: question.NewAsks(face, func(r permission.Rule, call *session.PermissionAsk) bool { return rules.CoversInLines(face, r, call) }),
		prompts: prompts{talk: t}, changes: changes.InLines(face), lines: make(chan string), wake: make(chan *core.Inbox, 1)}
	p.shared, p.prompts.show = newShared(t, p.show), p.show
	p.shared.post = p.prompts.post
	p.prompts.shell = shell.InLines(face, p.prompts.attach)
	p.delegate = delegate.InLines(face, p.prompts.post, func(id session.PromptID) { p.prompts.sent[id] = true }, p.show)
	if p.result.Reason = core.LeftQuit; o.Outlives {
		p.result.Reason = core.LeftDetached // nothing warns here of what quitting stops
	}
	defer t.wg.Wait()
	defer cancel()
	sigs := o.Signals
	if sigs == nil {
		ch := make(chan os.Signal, 1)
		signal.Notify(ch, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
		defer signal.Stop(ch)
		sigs = ch
	}
	crash.Go(func() { p.read(o.Input) }) // a read cannot be canceled; it ends with its input or with the program
	if o.SignIn != nil {
		t.a = printed.New("", o.Dir, t.out)
		var sig os.Signal
		if p.result.Choice, sig = signin.InLines(face, p.lines, sigs); sig != nil {
			p.result.Reason, p.result.Signal = core.LeftSignal, sig
		}
		return p.result, nil
	}
	p.attach(o.Session)
	p.greet()
	if o.Resume != nil {
		p.shared.run("resume", *o.Resume)
	}
	if o.First != "" {
		p.delegate.Say(o.First)
	}
	p.loop(sigs)
	p.shared.tabs.End(p.talk.session, t.a.Running() != nil, p.result.Reason == core.LeftQuit)
	p.inbox.Close()
	p.unpump()
	p.result.Session, p.result.Begun = p.talk.session.ID(), !p.talk.session.Draft()
	if p.result.Begun && !o.Demo {
		t.print("note", "Resume with: parley -r "+string(t.session.ID()))
	}
	if parent.Err() != nil && p.result.Signal == nil {
		p.result.Reason = core.LeftCanceled
	}
	return p.result, nil
}

// loop runs until the user leaves.
func (p *console) loop(sigs <-chan os.Signal) {
	still := time.NewTimer(time.Hour)
	defer still.Stop()
	for p.talk.ctx.Err() == nil {
		if p.ended && !p.busy() {
			return
		}
		if p.talk.a.Running() != nil {
			still.Reset(time.Second)
		} else {
			still.Stop()
		}
		p.mark()
		p.shared.tabs.Save(p.talk.session)
		select {
		case <-p.talk.ctx.Done():
		case inbox := <-p.wake:
			p.take(inbox)
		case f := <-p.talk.done:
			p.talk.working--
			f()
		case line, ok := <-p.wanted():
			if p.talk.prompted = false; !ok {
				p.endOfInput()
			} else if p.line(line) {
				return
			}
		case s := <-sigs:
			if p.signal(s) {
				return
			}
		case <-still.C:
			p.tick()
		}
	}
}

// tick reports calls that take long, and from time to time the turn.
func (p *console) tick() {
	now := p.talk.opts.Now()
	p.talk.a.Begun(now)
	if t := p.talk.a.Running(); t != nil && !p.asks.Open() && now.Sub(p.talk.spokeAt) >= stillEvery {
		p.talk.a.Still(t, now)
	}
}

// busy reports whether something runs or will. Prompts that are held wait for the user.
func (p *console) busy() bool {
	return p.talk.a.Running() != nil || len(p.talk.a.Transcript.Queue) > len(p.talk.session.Held()) || len(p.prompts.sent) > 0 || p.talk.working > 0
}

// wanted returns where the next line comes from: from a keyboard at any time, from anything else once nothing runs.
func (p *console) wanted() <-chan string {
	if p.ended || !p.talk.human && !p.asks.Open() && p.busy() {
		return nil
	}
	return p.lines
}

// mark prints the mark that asks for a line, if the chat waits for one from a keyboard.
func (p *console) mark() {
	if !p.talk.human || p.talk.prompted || p.ended || !p.asks.Open() && p.busy() {
		return
	}
	p.talk.prompt()
}

// attach makes a session the chat's, and follows its events.
func (p *console) attach(s *live.Session) {
	if p.inbox != nil && s != p.talk.session && tabs.Busy(p.talk.a.Transcript) {
		p.shared.tabs.Keep(p.talk.session, p.talk.a.Transcript, p.inbox, "")
	} else if p.inbox != nil {
		p.inbox.Close()
		p.unpump()
	}
	p.shared.tabs.Show(s)
	p.talk.session, p.prompts.sent = s, map[session.PromptID]bool{}
	p.asks.Forget()
	p.changes.Forget()
	p.delegate.Forget()
	dir := cmp.Or(s.Meta().Dir, p.talk.opts.Dir)
	p.talk.a = printed.New(s.ID(), dir, func(string) {}) // the history is not printed
	history, inbox := core.NewInbox(s)
	p.inbox = inbox
	for _, e := range history {
		p.talk.a.Apply(e)
	}
	p.talk.a.Out, p.talk.a.Echoes, p.talk.a.Known = p.talk.out, p.talk.human, s.Settings()
	p.talk.look.Dir = dir
	ctx, cancel := context.WithCancel(p.talk.ctx)
	p.unpump = cancel
	p.talk.wg.Go(crash.Guarded(func() {
		inbox.Pump(ctx, func() {
			select {
			case p.wake <- inbox:
			case <-ctx.Done():
			}
		})
	}))
	p.asks.Next()
}

// show switches to a session.
func (p *console) show(s *live.Session) {
	p.attach(s)
	p.greet()
}

// greet prints the agent, the settings and the directory, and the last turn of a resumed session.
func (p *console) greet() {
	s := p.talk.session.Settings()
	parts := []string{"parley " + p.talk.opts.Version, "agent " + core.AgentTitle(p.talk.agent())}
	if s.Model != "" {
		parts = append(parts, "model "+style.ShortModel(s.Model))
	}
	if p.talk.opts.Demo {
		parts = append(parts, "the model is simulated")
	}
	parts = append(parts, core.ModeName(s.Mode)+" mode", "in "+style.Place(p.talk.a.Dir, p.talk.look.Home))
	p.talk.print("note", strings.Join(parts, ", ")+". List the commands with /help")
	if p.talk.opts.Notice != "" {
		p.talk.print("note", style.OneLine(p.talk.opts.Notice))
	}
	p.talk.a.Recap()
	p.talk.warnElsewhere()
	p.trust.Look()
	models.CheckInLines(p.talk.face())
}

// take prints the events of the inbox.
func (p *console) take(inbox *core.Inbox) {
	if p.shared.tabs.Take(inbox) {
		p.shared.do(panel.Notice{Text: p.shared.tabs.Said().Text, Warn: p.shared.tabs.Said().Warn})
	}
	if inbox != p.inbox {
		return
	}
	for _, e := range inbox.Take() {
		switch e := e.(type) {
		case session.TurnStarted:
			delete(p.prompts.sent, e.Prompt.ID)
		case session.Steered:
			delete(p.prompts.sent, e.Prompt)
		}
		p.talk.a.Apply(e)
	}
	p.asks.Next()
}

// endOfInput stops the turn if the lines came from a keyboard. Otherwise the chat ends once nothing runs.
func (p *console) endOfInput() {
	p.ended = true
	p.asks.End()
	if p.talk.human {
		p.talk.out("")
		if p.talk.a.Running() != nil {
			p.prompts.halt()
		}
	}
}

// signal handles a signal: an interrupt stops what runs, and a second one leaves, as any other signal does.
func (p *console) signal(s os.Signal) (leaves bool) {
	if s != syscall.SIGINT {
		p.result.Reason, p.result.Signal = core.LeftSignal, s
		return true
	}
	now := p.talk.opts.Now()
	if !p.leaving.IsZero() && now.Sub(p.leaving) < leaveTime {
		return true
	}
	p.leaving = now
	if p.prompts.stop() {
		p.talk.print("note", "Stopping. Press ctrl+c again to leave")
		return false
	}
	p.talk.print("note", "Press ctrl+c again to leave")
	return false
}
