package lines

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"parley/internal/crash"
	"parley/session"
	"parley/session/live"
	"parley/ui/core"
	"parley/ui/style"
	"parley/ui/transcript/printed"
)

// talk is the session that the chat is in, what is printed about it, and what runs beside the chat for it.
type talk struct {
	opts    Options
	ctx     context.Context
	look    *style.Look
	human   bool // lines come from a keyboard, and so at any time
	session *live.Session
	a       *printed.Announcer

	prompted bool // the cursor is behind the mark that asks for a line
	spokeAt  time.Time

	working int         // functions in the background
	done    chan func() // their results
	wg      sync.WaitGroup
}

// face returns the chat as features see it.
func (t *talk) face() *core.Lines {
	return &core.Lines{Options: &t.opts.Options, Context: t.ctx, Look: t.look, Typed: t.human, Print: t.print, Out: t.out, Problem: t.problem,
		Background: t.background, Current: t.current}
}

// current returns the session that the chat is in.
func (t *talk) current() core.Current {
	meta := t.session.Meta()
	return core.Current{Session: t.session, Meta: meta, Dir: t.a.Dir, Agent: t.agent(), Settings: t.session.Settings(), Transcript: t.a.Transcript, Running: t.a.Running() != nil}
}

// out prints a line.
func (t *talk) out(line string) {
	if t.prompted {
		t.prompted = false
		fmt.Fprintln(t.opts.Output)
	}
	t.spokeAt = t.opts.Now()
	fmt.Fprintln(t.opts.Output, t.look.Plainly(line))
}

// prompt prints the mark that asks for a line.
func (t *talk) prompt() {
	t.prompted = true
	fmt.Fprint(t.opts.Output, "> ")
}

// print prints a text with its speaker.
func (t *talk) print(who, text string) { t.a.Print(who, text) }

// problem prints an error and what to do about it.
func (t *talk) problem(err error) {
	pr := session.ProblemOf(err, t.opts.Now())
	t.print("error", strings.TrimSpace(style.OneLine(pr.What+" "+pr.Next)))
}

// agent returns the name of the session's agent.
func (t *talk) agent() string {
	if agent := t.session.Meta().Agent; agent != "" {
		return agent
	}
	return t.opts.Agent
}

// background runs f beside the chat, and what f returns in the chat's loop.
func (t *talk) background(f func() func()) {
	t.working++
	t.wg.Go(crash.Guarded(func() {
		then := f()
		select {
		case t.done <- then:
		case <-t.ctx.Done():
		}
	}))
}
