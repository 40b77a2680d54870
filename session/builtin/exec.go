package builtin

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"parley/internal/crash"
	"parley/session"
	"parley/session/builtin/mapper"
	"parley/session/builtin/tool"
	"parley/session/toolview"
)

// changing are the kinds of tools after whose calls others may find something new.
var changing = []toolview.Kind{toolview.Edit, toolview.Command, toolview.Agent, toolview.MCP, toolview.Other}

// atOnce bounds the calls of one agent that run at the same time.
const atOnce = 8

// runCalls runs the calls of one answer and emits their ends. Adjacent calls that only read or start a child run together; all
// others run alone and in order.
func (l *loop) runCalls(ctx context.Context, calls []mapper.Call) {
	for len(calls) > 0 {
		n := 0
		for n < len(calls) && l.part.Load().besideOthers(calls[n]) {
			n++
		}
		if n < 2 {
			l.runCall(ctx, calls[0])
			calls = calls[1:]
			continue
		}
		var wg sync.WaitGroup
		slots := make(chan struct{}, atOnce)
		var begin order
		for _, one := range calls[:n] {
			slots <- struct{}{}
			ctx, passed := ctx, func() {}
			if l.part.Load().named(one.Name).Kind == toolview.Agent { // children appear in the order of their calls
				ctx, passed = begin.add(ctx)
			}
			wg.Go(crash.Guarded(func() {
				defer func() { <-slots }()
				defer passed()
				l.runCall(ctx, one)
			}))
		}
		wg.Wait()
		calls = calls[n:]
	}
}

// grace is the time that an interrupted call has to report what it did. Then it is given up.
const grace = 20 * time.Millisecond

// done is the end of a call that ran: its outcome, and when it began after any ask.
type done struct {
	out   tool.Outcome
	began time.Time
}

// runCall runs one mapper.Call, if necessary after asking, and emits its end exactly once. It waits for no call that does not react
// to an interrupt: the later output and end of such a call are dropped.
func (l *loop) runCall(ctx context.Context, one mapper.Call) {
	live := &output{emit: func(text string) { l.c.out.emit(session.ToolOutput{Head: l.head(), Call: one.ID, Text: text}) }}
	began, ends := l.c.o.Now(), make(chan done, 1)
	crash.Go(func() {
		began := began
		out := l.outcomeOf(ctx, one, live.add, &began)
		ends <- done{out, began}
	})
	var end done
	select {
	case end = <-ends:
	case <-ctx.Done():
		end = l.interrupted(one, ends, live, began)
	}
	now := l.head()
	t := l.part.Load().named(one.Name)
	l.vain.Note(one.Name, one.Input, t != nil && slices.Contains(changing, t.Kind), end.out)
	l.c.out.emit(session.ToolEnded{Head: now, Call: one.ID, Outcome: end.out.How, Result: end.out.Result, Edits: end.out.Edits,
		Duration: now.At.Sub(end.began)})
	reported(end.out)
}

// interrupted returns the end of a call that was interrupted. A child gives up what it waits for itself.
func (l *loop) interrupted(one mapper.Call, ends <-chan done, live *output, began time.Time) done {
	if t := l.part.Load().named(one.Name); t != nil && t.Kind == toolview.Agent {
		return <-ends
	}
	l.c.asks.settled(one.ID, false)
	wait := time.NewTimer(grace)
	defer wait.Stop()
	select {
	case end := <-ends:
		return end
	case <-wait.C:
		l.c.asks.settled(one.ID, true)
		crash.Go(func() {
			reported((<-ends).out)
			l.c.asks.forget(one.ID)
		})
		return done{live.drop(), began}
	}
}

// maxTail bounds what is left of the output of a call that is given up, in bytes.
const maxTail = 8 << 10

// output passes on the live output of a call until the call is given up. It is safe for concurrent use.
type output struct {
	emit func(text string)

	mu      sync.Mutex
	dropped bool
	tail    []byte
}

func (o *output) add(text string) {
	o.mu.Lock()
	if o.dropped {
		o.mu.Unlock()
		return
	}
	o.tail = append(o.tail, text...)
	if n := len(o.tail) - maxTail; n > maxTail {
		o.tail = append([]byte(nil), o.tail[n:]...)
	}
	o.mu.Unlock()
	o.emit(text)
}

// drop drops all later output and returns the outcome of the call, with the end of its output.
func (o *output) drop() tool.Outcome {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.dropped = true
	out := tool.Cancelled
	if len(o.tail) > 0 {
		text := strings.ToValidUTF8(string(o.tail[max(len(o.tail)-maxTail, 0):]), "")
		out.Result = session.ToolResult{Text: text, Sent: text + "\n\n" + tool.Interrupted}
	}
	return out
}

// reported calls what waits for the end of a call to be emitted.
func reported(out tool.Outcome) {
	if out.Reported != nil {
		out.Reported()
	}
}

// outcomeOf prepares a call, asks and runs it. After an ask it sets began to the time of the answer.
func (l *loop) outcomeOf(ctx context.Context, one mapper.Call, live func(text string), began *time.Time) (out tool.Outcome) {
	defer func() {
		if r := recover(); r != nil { // a bug in a tool must not end the session
			out = tool.Failed("Something went wrong inside parley in %s: %v", one.Name, r)
		}
	}()
	if ctx.Err() != nil {
		return tool.Cancelled
	}
	t := l.part.Load().named(one.Name)
	if t == nil {
		t = l.notLoaded(l.part.Load(), one.Name)
	}
	if t == nil {
		model, _ := l.asked.Load().(string)
		names := toolNames(offered(l.tools(), model, l.c.searches.Load()))
		if len(names) == 0 {
			return tool.Failed("There is no tool %q: you have none. Answer without.", one.Name)
		}
		return tool.Failed("There is no tool %q.%s There are: %s.", one.Name, meant(one.Name, names), strings.Join(names, ", "))
	}
	h, out, ok := l.hooks.Before(ctx, t, one.ID, one.Input)
	if !ok {
		return out
	}
	j, refused := prepare(ctx, l, t, h, one.ID)
	if j == nil {
		return h.With(refused)
	}
	one.Input = h.Input
	if j.Put != nil {
		out = l.putForm(ctx, one.ID, j.Put)
		*began = l.c.o.Now()
		return out
	}
	l.keepImages(ctx, t, one, j)
	l.c.servers.BeforeCall(ctx, t, j)
	*began = l.c.o.Now()
	out = j.Run(ctx, one.ID, live)
	out = l.instructed(ctx, t, j, l.c.servers.AfterCall(ctx, t, out))
	return j.WithMessage(h.After(ctx, out, l.c.o.Now().Sub(*began)))
}
