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
	"parley/ui/style"
)

// talk is the session that the chat is in, what is printed about it, and what runs beside the chat for it.
type talk struct {
	opts    Options
	ctx     context.Context
	look    *style.Look
	human   bool // lines come from a keyboard, and so at any time
	session *live.Session
	a       *announcer

	prompted bool // the cursor is behind the mark that asks for a line
	spokeAt  time.Time

	working int         // functions in the background
	done    chan func() // their results
	wg      sync.WaitGroup
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
func (t *talk) print(who, text string) { t.a.print(who, text) }

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
