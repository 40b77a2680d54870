package builtin

import (
	"context"
	"strings"
	"sync"
	"time"

	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/toolview"
)

// readersAtOnce bounds the read-only tools that run at the same time.
const readersAtOnce = 8

// runCalls runs the calls of one answer and emits their ends. Adjacent read-only calls run together; all others run
// alone and in order.
func (c *conversation) runCalls(ctx context.Context, calls []call) {
	for len(calls) > 0 {
		n := 0
		for n < len(calls) && onlyReads(calls[n]) {
			n++
		}
		if n < 2 {
			c.runCall(ctx, calls[0])
			calls = calls[1:]
			continue
		}
		var wg sync.WaitGroup
		slots := make(chan struct{}, readersAtOnce)
		for _, one := range calls[:n] {
			slots <- struct{}{}
			wg.Go(func() {
				defer func() { <-slots }()
				c.runCall(ctx, one)
			})
		}
		wg.Wait()
		calls = calls[n:]
	}
}

func onlyReads(c call) bool {
	t := toolNamed(c.name)
	return t != nil && (t.Kind == toolview.Read || t.Kind == toolview.Search)
}

// runCall runs one call, if necessary after asking, and emits its end exactly once.
func (c *conversation) runCall(ctx context.Context, one call) {
	began := c.o.Now()
	out := c.outcomeOf(ctx, one, &began)
	now := c.head()
	c.out.emit(session.ToolEnded{Head: now, Call: one.id, Outcome: out.How, Result: out.Result, Edits: out.Edits,
		Duration: now.At.Sub(began)})
}

// outcomeOf prepares a call, asks and runs it. After an ask it sets began to the time of the answer.
func (c *conversation) outcomeOf(ctx context.Context, one call, began *time.Time) (out tool.Outcome) {
	defer func() {
		if r := recover(); r != nil { // a bug in a tool must not end the session
			out = tool.Failed("parley made a mistake in %s: %v", one.name, r)
		}
	}()
	if ctx.Err() != nil {
		return tool.Cancelled
	}
	t := toolNamed(one.name)
	if t == nil {
		return tool.Failed("There is no tool %q. There are: %s.", one.name, strings.Join(toolNames(), ", "))
	}
	j, err := t.Prepare(c.ws, one.input)
	if err != nil {
		return c.unprepared(ctx, err)
	}
	j.Ask.Tool, j.Ask.Input = t.Name, one.input
	if refused, ok := c.permit(ctx, t.Kind, one.id, j); !ok {
		return refused
	}
	if j.Put != nil {
		out = c.putForm(ctx, one.id, j.Put)
		*began = c.o.Now()
		return out
	}
	c.keepImages(ctx, t, one, j)
	*began = c.o.Now()
	return j.WithMessage(j.Run(ctx, one.id, func(text string) {
		c.out.emit(session.ToolOutput{Head: c.head(), Call: one.id, Text: text})
	}))
}

func (c *conversation) unprepared(ctx context.Context, err error) tool.Outcome {
	if ctx.Err() != nil {
		return tool.Cancelled
	}
	return tool.Failed("%s", err)
}
