package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"parley/internal/crash"
	"parley/session"
	"parley/session/form"
)

// Caller is who makes a call. Its functions are called from any goroutine until the call has ended.
type Caller struct {
	// Live gets what the server says of its progress.
	Live func(text string)
	// Ask puts a question of the server to the user and returns the answer, whose decision is [session.Cancel] if nobody answers.
	Ask func(ctx context.Context, ask session.ElicitationAsk) session.Answer
	// Sample lets a model answer the server, after the user if need be. Nil refuses; an error is what the server reads.
	Sample func(ctx context.Context, s Sampling) (Sampled, error)
}

// Result is what a call returned.
type Result struct {
	// Text is for the model and the user, Media are images after it.
	Text  string
	Media []session.Media
	// Failed means that the tool says so itself.
	Failed bool
}

// Call calls a tool. Its error is for the model: the server is away, was silent for too long, or refused.
func (p *Pool) Call(ctx context.Context, t *Tool, input json.RawMessage, by Caller) (Result, error) {
	s, conn, err := p.connection(t.Server)
	if err != nil {
		return Result{}, err
	}
	bounded, cancel := context.WithCancelCause(ctx)
	one := s.calls.add(bounded, by, p.o.Bounds.Silence, time.Now().Add(p.o.Bounds.Call), func() { cancel(errSilent) })
	defer func() {
		s.calls.remove(one)
		cancel(nil)
		one.asks.Wait()
	}()
	params := &sdk.CallToolParams{Name: t.Own, Arguments: input}
	params.SetProgressToken(one.token)
	r, err := conn.CallTool(bounded, params)
	switch {
	case err == nil:
		return resultOf(r), nil
	case ctx.Err() != nil:
		return Result{}, ctx.Err()
	case errors.Is(context.Cause(bounded), errSilent) && s.calls.endless(one):
		return Result{}, fmt.Errorf("the MCP server %s worked on the call for %s and it was given up; what it has done is unknown", t.Server, p.o.Bounds.Call)
	case errors.Is(context.Cause(bounded), errSilent):
		return Result{}, fmt.Errorf("the MCP server %s said nothing for %s and the call was given up; what it has done is unknown", t.Server, p.o.Bounds.Silence)
	}
	return Result{}, fmt.Errorf("the MCP server %s failed: %s", t.Server, cut(err.Error(), 500))
}

var errSilent = errors.New("silent for too long")

// calls are the running calls of a server. It is safe for concurrent use.
type calls struct {
	mu   sync.Mutex
	last int
	now  []*running // in the order of their starts
}

// running is a call that has not ended.
type running struct {
	token   string
	life    context.Context // ends with it, and with that all that the server asks
	asks    sync.WaitGroup  // in each pause
	by      Caller
	silence time.Duration
	over    time.Time // after which no progress lets it go on
	timer   *time.Timer
	asking  int // open questions, while which the call may be silent
}

// endless reports whether a call has run for as long as any may.
func (c *calls) endless(one *running) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !time.Now().Before(one.over)
}

// patience returns how long the call may now be silent.
func (r *running) patience() time.Duration { return max(0, min(r.silence, time.Until(r.over))) }

// add begins a call, which is given up after a silence, and in the end whatever it says.
func (c *calls) add(life context.Context, by Caller, silence time.Duration, over time.Time, giveUp func()) *running {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	one := &running{token: strconv.Itoa(c.last), life: life, by: by, silence: silence, over: over, timer: time.AfterFunc(min(silence, time.Until(over)), crash.Guarded(giveUp))}
	c.now = append(c.now, one)
	return one
}

// remove ends a call.
func (c *calls) remove(one *running) {
	c.mu.Lock()
	defer c.mu.Unlock()
	one.timer.Stop()
	for i, r := range c.now {
		if r == one {
			c.now = append(c.now[:i:i], c.now[i+1:]...)
			return
		}
	}
}

// progress passes on what a server says of a call.
func (c *calls) progress(p *sdk.ProgressNotificationParams) {
	c.mu.Lock()
	var live func(string)
	for _, r := range c.now {
		if fmt.Sprint(p.ProgressToken) == r.token {
			if r.asking == 0 {
				r.timer.Reset(r.patience())
			}
			live = r.by.Live
		}
	}
	c.mu.Unlock()
	if live == nil {
		return
	}
	text := p.Message
	if p.Total > 0 {
		text = fmt.Sprintf("%.0f of %.0f %s", p.Progress, p.Total, text)
	}
	if text != "" {
		live(cut(text, 500) + "\n")
	}
}

// pause returns the newest call, which may be silent until goOn is called, and a context for what the server asks, which ends with the call:
// a server need not end it. A nil call is none.
func (c *calls) pause(ctx context.Context) (one *running, asking context.Context, goOn func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.now) == 0 {
		return nil, ctx, func() {}
	}
	one, began := c.now[len(c.now)-1], time.Now()
	one.asking++
	one.asks.Add(1)
	one.timer.Stop()
	asking, cancel := context.WithCancel(ctx)
	apart := context.AfterFunc(one.life, crash.Guarded(cancel))
	return one, asking, func() {
		apart()
		cancel()
		c.mu.Lock()
		defer c.mu.Unlock()
		defer one.asks.Done()
		if one.asking--; one.asking == 0 && one.life.Err() == nil {
			one.over = one.over.Add(time.Since(began))
			one.timer.Reset(one.patience())
		}
	}
}

// elicit puts a question of the server to the user in the name of the newest call. Without a call nobody is asked: a server may
// not begin to speak by itself.
func (c *calls) elicit(ctx context.Context, ask session.ElicitationAsk) (*sdk.ElicitResult, error) {
	one, ctx, goOn := c.pause(ctx)
	if one == nil {
		return &sdk.ElicitResult{Action: "cancel"}, nil
	}
	a := one.by.Ask(ctx, ask)
	goOn()
	switch a.Decision {
	case session.Allow:
		if ask.URL != "" {
			return &sdk.ElicitResult{Action: "accept"}, nil
		}
		return &sdk.ElicitResult{Action: "accept", Content: form.Content(ask.Schema, a.Choices)}, nil
	case session.Deny:
		return &sdk.ElicitResult{Action: "decline"}, nil
	}
	return &sdk.ElicitResult{Action: "cancel"}, nil
}
