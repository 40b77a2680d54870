package builtin

import (
	"context"
	"strings"
	"sync"
	"time"

	"parley/session"
	"parley/session/builtin/tool"
)

// readersAtOnce bounds the read-only tools that run at the same time.
const readersAtOnce = 8

// runCalls runs the calls of one answer and emits their ends. Adjacent read-only calls run together; all others run
// alone and in order.
func (l *loop) runCalls(ctx context.Context, calls []call) {
	for len(calls) > 0 {
		n := 0
		for n < len(calls) && l.onlyReads(calls[n]) {
			n++
		}
		if n < 2 {
			l.runCall(ctx, calls[0])
			calls = calls[1:]
			continue
		}
		var wg sync.WaitGroup
		slots := make(chan struct{}, readersAtOnce)
		for _, one := range calls[:n] {
			slots <- struct{}{}
			wg.Go(func() {
				defer func() { <-slots }()
				l.runCall(ctx, one)
			})
		}
		wg.Wait()
		calls = calls[n:]
	}
}

// runCall runs one call, if necessary after asking, and emits its end exactly once.
func (l *loop) runCall(ctx context.Context, one call) {
	began := l.c.o.Now()
	out := l.outcomeOf(ctx, one, &began)
	now := l.head()
	l.c.out.emit(session.ToolEnded{Head: now, Call: one.id, Outcome: out.How, Result: out.Result, Edits: out.Edits,
		Duration: now.At.Sub(began)})
	if out.Reported != nil {
		out.Reported()
	}
}

// outcomeOf prepares a call, asks and runs it. After an ask it sets began to the time of the answer.
func (l *loop) outcomeOf(ctx context.Context, one call, began *time.Time) (out tool.Outcome) {
	defer func() {
		if r := recover(); r != nil { // a bug in a tool must not end the session
			out = tool.Failed("parley made a mistake in %s: %v", one.name, r)
		}
	}()
	if ctx.Err() != nil {
		return tool.Cancelled
	}
	t := l.toolNamed(one.name)
	if t == nil {
		return tool.Failed("There is no tool %q. There are: %s.", one.name, strings.Join(toolNames(l.tools), ", "))
	}
	j, err := t.Prepare(l.ws, one.input)
	if err != nil {
		return l.unprepared(ctx, err)
	}
	j.Ask.Tool, j.Ask.Input = t.Name, one.input
	if refused, ok := l.permit(ctx, t.Kind, one.id, j); !ok {
		return refused
	}
	if j.Put != nil {
		out = l.putForm(ctx, one.id, j.Put)
		*began = l.c.o.Now()
		return out
	}
	l.keepImages(ctx, t, one, j)
	*began = l.c.o.Now()
	out = j.Run(ctx, one.id, func(text string) {
		l.c.out.emit(session.ToolOutput{Head: l.head(), Call: one.id, Text: text})
	})
	return j.WithMessage(l.finish(ctx, t, out))
}

func (l *loop) unprepared(ctx context.Context, err error) tool.Outcome {
	if ctx.Err() != nil {
		return tool.Cancelled
	}
	return tool.Failed("%s", err)
}
