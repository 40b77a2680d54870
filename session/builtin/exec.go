package builtin

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"parley/session"
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
	return t != nil && (t.kind == toolview.Read || t.kind == toolview.Search)
}

// runCall runs one call, if necessary after asking, and emits its end exactly once.
func (c *conversation) runCall(ctx context.Context, one call) {
	began := c.o.Now()
	out := c.outcomeOf(ctx, one, &began)
	now := c.head()
	c.out.emit(session.ToolEnded{Head: now, Call: one.id, Outcome: out.outcome, Result: out.result, Edits: out.edits,
		Duration: now.At.Sub(began)})
}

// outcome is the end of a call.
type outcome struct {
	outcome session.ToolOutcome
	result  session.ToolResult
	edits   []session.FileEdit
}

func failed(format string, args ...any) outcome {
	return outcome{outcome: session.ToolFailed, result: session.ToolResult{Text: fmt.Sprintf(format, args...)}}
}

var cancelled = outcome{outcome: session.ToolCancelled, result: session.ToolResult{Text: interruptedResult}}

// outcomeOf prepares a call, asks and runs it. After an ask it sets began to the time of the answer.
func (c *conversation) outcomeOf(ctx context.Context, one call, began *time.Time) (out outcome) {
	defer func() {
		if r := recover(); r != nil { // a bug in a tool must not end the session
			out = failed("parley made a mistake in %s: %v", one.name, r)
		}
	}()
	if ctx.Err() != nil {
		return cancelled
	}
	t := toolNamed(one.name)
	if t == nil {
		return failed("There is no tool %q. There are: %s.", one.name, strings.Join(toolNames(), ", "))
	}
	j, err := t.prepare(c.ws, one.input)
	if err != nil {
		return c.unprepared(ctx, err)
	}
	j.ask.Tool, j.ask.Input = t.name, one.input
	if refused, ok := c.permit(ctx, t.kind, one.id, j); !ok {
		return refused
	}
	if j.put != nil {
		out = c.putForm(ctx, one.id, j.put)
		*began = c.o.Now()
		return out
	}
	c.keepImages(ctx, t, one, j)
	*began = c.o.Now()
	return j.withMessage(j.run(ctx, one.id, func(text string) {
		c.out.emit(session.ToolOutput{Head: c.head(), Call: one.id, Text: text})
	}))
}

func (c *conversation) unprepared(ctx context.Context, err error) outcome {
	if ctx.Err() != nil {
		return cancelled
	}
	return failed("%s", err)
}

// errTool returns an error that the model reads unchanged.
func errTool(format string, args ...any) error { return fmt.Errorf(format, args...) }
