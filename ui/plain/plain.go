package plain

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"parley/session"
	"parley/session/live"
	"parley/ui/chat"
	"parley/ui/question"
	"parley/ui/style"
)

// stillEvery is how often it is said what runs, while nothing else is said.
const stillEvery = 30 * time.Second

// tooSoon is how soon after a question a line from a keyboard cannot be an answer to it: it was begun before.
const tooSoon = question.SettleTime

// leaveTime is how soon ctrl+c has to be pressed again to leave.
const leaveTime = 2 * time.Second

// console is a chat in lines. One goroutine owns it.
type console struct {
	opts   Options
	ctx    context.Context
	look   *style.Look
	human  bool // the lines come from a keyboard, so that they may come at any time
	result chat.Result

	session *live.Session
	a       *announcer
	inbox   *chat.Inbox
	detach  func()
	unpump  context.CancelFunc

	ask      *plainAsk
	answered map[session.AskID]bool // those that may not have been settled yet
	askedAt  time.Time
	prompted bool // the cursor stands behind the mark that asks for a line
	leaving  time.Time
	spokeAt  time.Time
	ended    bool                      // no more lines come
	sent     map[session.PromptID]bool // prompts that were sent and are in no turn yet
	working  int                       // things done in the background
	joined   string
	found    []session.ID // the sessions listed last
	trust    plainTrust

	outbox chat.Outbox          // prompts whose files are being read
	along  []session.Attachment // of the next prompt
	shell  chat.Shell

	lines chan string
	wake  chan *chat.Inbox
	done  chan func() // results of what was done in the background
	wg    sync.WaitGroup
}

// Options is what the chat in lines needs. Nothing in it is changed.
type Options struct {
	chat.Options
	// ASCII allows nothing but ASCII in what parley itself prints.
	ASCII bool
	// Typed treats lines as typed on a keyboard although Input is no terminal, in tests.
	Typed bool
}

// Run holds the chat in lines until the user leaves it, the context ends or a signal comes. The options must be filled.
// The error is always nil. Sessions are left open: the caller closes them.
func Run(parent context.Context, o Options) (chat.Result, error) {
	ctx, cancel := context.WithCancel(parent)
	p := &console{opts: o, ctx: ctx, shell: chat.NewShell(o.Shell), human: o.Typed || isTerminal(o.Input), look: &style.Look{Now: o.Now, Home: o.Getenv("HOME"), Ascii: o.ASCII},
		lines: make(chan string), wake: make(chan *chat.Inbox, 1), done: make(chan func())}
	p.result.Reason = chat.LeftQuit
	defer p.wg.Wait()
	defer cancel()
	sigs := o.Signals
	if sigs == nil {
		ch := make(chan os.Signal, 1)
		signal.Notify(ch, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
		defer signal.Stop(ch)
		sigs = ch
	}
	go p.read(o.Input) // a read cannot be called off; it ends with its input or with the program
	if o.SignIn != nil {
		p.signIn(sigs)
		return p.result, nil
	}
	p.attach(o.Session)
	p.greet()
	if o.Resume != nil {
		p.list(*o.Resume)
	}
	if o.First != "" {
		p.post(o.First)
	}
	p.loop(sigs)
	p.detach()
	p.unpump()
	p.result.Session, p.result.Begun = p.session.ID(), !p.session.Draft()
	if p.result.Begun && !o.Demo {
		p.say("note", "parley -r "+string(p.session.ID())+" goes on from here")
	}
	if parent.Err() != nil && p.result.Signal == nil {
		p.result.Reason = chat.LeftCanceled
	}
	return p.result, nil
}

// loop runs until the user leaves.
func (p *console) loop(sigs <-chan os.Signal) {
	still := time.NewTimer(time.Hour)
	defer still.Stop()
	for p.ctx.Err() == nil {
		if p.ended && !p.busy() {
			return
		}
		if p.a.running() != nil {
			still.Reset(time.Second)
		} else {
			still.Stop()
		}
		p.mark()
		select {
		case <-p.ctx.Done():
		case inbox := <-p.wake:
			p.take(inbox)
		case f := <-p.done:
			p.working--
			f()
		case line, ok := <-p.wanted():
			if p.prompted = false; !ok {
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

// tick says which calls take their time, and now and then what still runs.
func (p *console) tick() {
	now := p.opts.Now()
	p.a.begun(now)
	if t := p.a.running(); t != nil && p.ask == nil && now.Sub(p.spokeAt) >= stillEvery {
		p.a.still(t, now)
	}
}

// busy reports whether something runs or is about to.
func (p *console) busy() bool {
	return p.a.running() != nil || len(p.a.t.Queue) > 0 || len(p.sent) > 0 || p.working > 0
}

// wanted is where the next line comes from: from a keyboard at any time, from anything else when it is its turn.
func (p *console) wanted() <-chan string {
	if p.ended || !p.human && p.ask == nil && p.busy() {
		return nil
	}
	return p.lines
}

// mark asks for a line, where somebody sees it.
func (p *console) mark() {
	if !p.human || p.prompted || p.ended || p.ask == nil && p.busy() {
		return
	}
	p.prompted = true
	fmt.Fprint(p.opts.Output, "> ")
}

// out writes a line.
func (p *console) out(line string) {
	if p.prompted {
		p.prompted = false
		fmt.Fprintln(p.opts.Output)
	}
	p.spokeAt = p.opts.Now()
	fmt.Fprintln(p.opts.Output, p.look.Plainly(line))
}

// say says one thing of somebody's.
func (p *console) say(who, text string) { p.a.say(who, text) }

// attach takes up a session and everything that comes in it.
func (p *console) attach(s *live.Session) {
	if p.detach != nil {
		p.detach()
		p.unpump()
	}
	p.session, p.inbox, p.ask, p.sent = s, chat.NewInbox(), nil, map[session.PromptID]bool{}
	p.answered = map[session.AskID]bool{}
	dir := s.Meta().Dir
	if dir == "" {
		dir = p.opts.Dir
	}
	p.a = newAnnouncer(s.ID(), dir, func(string) {}) // what was said is not said again
	history, detach := s.Attach(p.inbox.Put)
	p.detach = detach
	for _, e := range history {
		p.a.apply(e)
	}
	p.a.out, p.a.echoes, p.a.known = p.out, p.human, s.Settings()
	p.look.Dir = dir
	ctx, cancel := context.WithCancel(p.ctx)
	p.unpump = cancel
	inbox := p.inbox
	p.wg.Go(func() {
		inbox.Pump(ctx, func() {
			select {
			case p.wake <- inbox:
			case <-ctx.Done():
			}
		})
	})
	p.next()
}

// greet says where the user is, and what was said last in a session that is picked up again.
func (p *console) greet() {
	s := p.session.Settings()
	parts := []string{"parley " + p.opts.Version, "agent " + p.agent()}
	if s.Model != "" {
		parts = append(parts, "model "+style.ShortModel(s.Model))
	}
	if p.opts.Demo {
		parts = append(parts, "the model is simulated")
	}
	parts = append(parts, chat.ModeName(s.Mode)+" mode", "in "+style.ShortPath(p.a.dir, p.look.Home))
	p.say("note", strings.Join(parts, ", ")+". /help lists the commands")
	if p.opts.Notice != "" {
		p.say("note", style.OneLine(p.opts.Notice))
	}
	p.recap()
	p.askTrust()
	p.checkSettings()
}

// checkSettings says what is wrong with the model or the effort that was chosen, as soon as it is known.
func (p *console) checkSettings() {
	v, ctx, agent := p.session.Settings(), p.ctx, p.agent()
	check, ok := p.opts.Catalog.(session.SettingsChecker)
	if !ok || v.Model == "" && v.Effort == "" {
		return
	}
	p.background(func() func() {
		problem := check.SettingsProblem(ctx, agent, v)
		return func() {
			if problem != "" && p.session.Settings() == v {
				p.say("warning", style.OneLine(problem))
			}
		}
	})
}

// agent is the name of the session's agent.
func (p *console) agent() string {
	if agent := p.session.Meta().Agent; agent != "" {
		return agent
	}
	return p.opts.Agent
}

// recap says what was said last.
func (p *console) recap() {
	var last *session.Turn
	n := 0
	for _, t := range p.a.t.Turns {
		if t.Prompt.Text != "" || chat.Answered(t) { // others only say what was set
			n, last = n+1, t
		}
	}
	if last == nil {
		return
	}
	p.say("note", style.Count(n, "turn", "turns")+" so far; the last one:")
	if last.Prompt.Text != "" {
		p.say("you", last.Prompt.Text)
	}
	for i := len(last.Entries) - 1; i >= 0; i-- {
		if part, ok := last.Entries[i].(*session.Part); ok && part.Kind == session.PartText && part.Len() > 0 {
			p.say("assistant", part.Text())
			return
		}
	}
}

// take announces what came.
func (p *console) take(inbox *chat.Inbox) {
	if inbox != p.inbox {
		return
	}
	for _, e := range inbox.Take() {
		switch e := e.(type) {
		case session.TurnStarted:
			delete(p.sent, e.Prompt.ID)
		case session.Steered:
			delete(p.sent, e.Prompt)
		}
		p.a.apply(e)
	}
	p.next()
}

func (p *console) problem(err error) {
	pr := session.ProblemOf(err, p.opts.Now())
	p.say("error", strings.TrimSpace(style.OneLine(pr.What+" "+pr.Next)))
}

// endOfInput leaves, or if the lines were no keyboard's, sees to the end what they began.
func (p *console) endOfInput() {
	p.ended = true
	if p.human {
		p.out("")
		if p.a.running() != nil {
			p.session.Abort()
		}
		return
	}
	if p.ask != nil {
		p.answer(question.Declined())
	}
}

// signal stops what runs, or leaves.
func (p *console) signal(s os.Signal) (leaves bool) {
	if s != syscall.SIGINT {
		p.result.Reason, p.result.Signal = chat.LeftSignal, s
		return true
	}
	now := p.opts.Now()
	if !p.leaving.IsZero() && now.Sub(p.leaving) < leaveTime {
		return true
	}
	p.leaving = now
	if p.stop() {
		p.say("note", "stopping; ctrl+c again leaves")
		return false
	}
	p.say("note", "ctrl+c again leaves")
	return false
}

// background does something that may take its time, and hands what follows back to the loop.
func (p *console) background(f func() func()) {
	p.working++
	p.wg.Go(func() {
		then := f()
		select {
		case p.done <- then:
		case <-p.ctx.Done():
		}
	})
}
