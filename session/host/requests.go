package host

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"parley/internal/crash"
	"parley/session"
	"parley/session/caps"
	"parley/session/live"
)

// handler answers one kind of request. One in order never waits; another is answered beside those that follow.
type handler struct {
	inOrder bool
	call    func(ctx context.Context, l *link, r request) (any, error)
}

// The arguments and results of requests that have more than one.
type (
	sending struct {
		Prompt session.Prompt `json:"prompt"`
		Steer  bool           `json:"steer,omitempty"`
		// Again is set for a prompt that may be here already.
		Again bool `json:"again,omitempty"`
	}
	moving struct {
		ID   session.PromptID `json:"id"`
		Step int              `json:"step"`
	}
	answering struct {
		Ask    session.AskID  `json:"ask"`
		Answer session.Answer `json:"answer"`
	}
	revoking struct {
		Rule session.Rule    `json:"rule"`
		Asks []session.AskID `json:"asks"`
	}
	childPrompt struct {
		Child  session.ChildID `json:"child"`
		Prompt session.Prompt  `json:"prompt"`
	}
	taken struct {
		Prompt session.Prompt `json:"prompt"`
		OK     bool           `json:"ok"`
	}
	forking struct {
		Session session.ID     `json:"session"`
		UpTo    session.TurnID `json:"upTo"`
	}
	renaming struct {
		Session session.ID `json:"session"`
		Title   string     `json:"title"`
	}
	trusting struct {
		Agent string `json:"agent"`
		Dir   string `json:"dir"`
	}
)

var errNotAttached = &session.Error{Op: "ask the session host", Kind: session.KindInvalid, Err: errors.New("the connection has no session")}

// on returns a handler with arguments that concerns the session of the connection.
func on[A any](inOrder bool, f func(ctx context.Context, l *link, a A) (any, error)) handler {
	return of(inOrder, func(ctx context.Context, l *link, a A) (any, error) {
		if l.s == nil {
			return nil, errNotAttached
		}
		return f(ctx, l, a)
	})
}

// of returns a handler with arguments.
func of[A any](inOrder bool, f func(ctx context.Context, l *link, a A) (any, error)) handler {
	return handler{inOrder, func(ctx context.Context, l *link, r request) (any, error) {
		var a A
		if len(r.Args) > 0 {
			if err := json.Unmarshal(r.Args, &a); err != nil {
				return nil, &session.Error{Op: r.Do, Kind: session.KindInvalid, Err: err}
			}
		}
		return f(ctx, l, a)
	}}
}

// requests are what clients may ask for.
var requests map[string]handler

func init() { // the handlers refer to links, which refer to this
	requests = map[string]handler{
		"attach": {true, attachTo},
		"send":   on(true, send),
		"unqueue": on(true, func(_ context.Context, l *link, id session.PromptID) (any, error) {
			p, ok := l.s.s.Unqueue(id)
			return taken{p, ok}, nil
		}),
		"move":      on(true, func(_ context.Context, l *link, m moving) (any, error) { return l.s.s.Move(m.ID, m.Step), nil }),
		"hold":      on(true, func(_ context.Context, l *link, _ struct{}) (any, error) { return l.s.s.Hold(), nil }),
		"release":   on(true, func(_ context.Context, l *link, _ struct{}) (any, error) { return l.s.s.Release(), nil }),
		"configure": on(true, func(_ context.Context, l *link, v session.Settings) (any, error) { return nil, l.s.s.Configure(v) }),
		"retitle":   on(true, func(_ context.Context, l *link, title string) (any, error) { return nil, l.s.s.Rename(title) }),
		"bound": on(true, func(_ context.Context, l *link, v session.Limits) (any, error) {
			l.s.s.Bound(v)
			return nil, nil
		}),
		"shape": on(true, func(_ context.Context, l *link, schema string) (any, error) {
			l.s.s.Shape(schema)
			return nil, nil
		}),
		"cap": on(true, func(_ context.Context, l *link, c caps.Caps) (any, error) {
			live.CapsOf(l.s.s).Cap(c)
			return nil, nil
		}),
		"standing": on(false, func(ctx context.Context, l *link, _ struct{}) (any, error) { return live.CapsOf(l.s.s).Standing(ctx) }),
		"warm": on(true, func(_ context.Context, l *link, _ struct{}) (any, error) {
			l.s.s.Warm()
			return nil, nil
		}),
		"abort": on(true, func(_ context.Context, l *link, _ struct{}) (any, error) {
			l.s.s.Abort()
			return nil, nil
		}),
		"answer": on(false, func(_ context.Context, l *link, a answering) (any, error) {
			l.h.o.Screens.use(l)
			return nil, l.s.s.Answer(a.Ask, a.Answer)
		}),
		"opened": on(true, func(_ context.Context, l *link, a opened) (any, error) {
			l.answered(a)
			return nil, nil
		}),
		"revoke": on(false, func(_ context.Context, l *link, a revoking) (any, error) {
			return nil, l.s.s.RevokeRule(a.Rule, a.Asks)
		}),
		"stored":   on(false, func(ctx context.Context, l *link, _ struct{}) (any, error) { return nil, l.s.s.Stored(ctx) }),
		"wait":     on(false, func(ctx context.Context, l *link, _ struct{}) (any, error) { return nil, l.s.s.Wait(ctx) }),
		"settle":   on(false, func(ctx context.Context, l *link, _ struct{}) (any, error) { return nil, l.s.s.Settle(ctx) }),
		"recorded": on(false, func(ctx context.Context, l *link, _ struct{}) (any, error) { return nil, l.s.s.Recorded(ctx) }),
		"ask": on(false, func(ctx context.Context, l *link, p session.Prompt) (any, error) {
			l.prompts()
			return l.s.s.Ask(ctx, p)
		}),
		"aside":     {false, aside},
		"stop call": on(false, func(ctx context.Context, l *link, c session.CallID) (any, error) { return nil, l.s.s.StopCall(ctx, c) }),
		"to background": on(false, func(ctx context.Context, l *link, c session.CallID) (any, error) {
			return nil, l.s.s.ToBackground(ctx, c)
		}),
		"steer child": on(false, func(ctx context.Context, l *link, c childPrompt) (any, error) {
			l.prompts()
			return nil, l.s.s.SteerChild(ctx, c.Child, c.Prompt)
		}),
		"resume child": on(false, func(ctx context.Context, l *link, c childPrompt) (any, error) {
			l.prompts()
			return nil, l.s.s.ResumeChild(ctx, c.Child, c.Prompt)
		}),
		"follow": on(false, func(ctx context.Context, l *link, c session.CallID) (any, error) {
			l.s.s.Follow(ctx, c)
			<-ctx.Done() // the client no longer wants it
			return nil, nil
		}),
		"rejoin": on(false, func(ctx context.Context, l *link, _ struct{}) (any, error) { return l.s.s.Rejoin(ctx) }),

		"list": of(false, func(_ context.Context, l *link, _ struct{}) (any, error) { return l.h.list(), nil }),
		"stop": of(false, func(_ context.Context, l *link, id session.ID) (any, error) { return nil, l.h.stop(id) }),
		"fork": of(false, func(ctx context.Context, l *link, f forking) (any, error) {
			s, err := l.h.o.Manager.Fork(ctx, f.Session, f.UpTo)
			if err != nil {
				return nil, err
			}
			return s.ID(), nil
		}),
		"rename": of(false, func(ctx context.Context, l *link, n renaming) (any, error) {
			return l.h.o.Manager.Rename(ctx, n.Session, n.Title)
		}),
		"trusted": of(false, func(ctx context.Context, l *link, t trusting) (any, error) {
			live.Renew(ctx, l.h.o.Manager, t.Agent, t.Dir)
			return nil, nil
		}),
	}
	maps.Copy(requests, ofExtensions())
}

// attachTo gives the connection its session. The writer answers: the events so far follow.
func attachTo(ctx context.Context, l *link, r request) (any, error) {
	var a attach
	if err := json.Unmarshal(r.Args, &a); err != nil || l.s != nil {
		return nil, &session.Error{Op: "attach", Kind: session.KindInvalid, Err: errors.New("a connection has one session")}
	}
	s, made, err := l.h.join(ctx, a)
	if err != nil {
		return nil, err
	}
	l.s, l.environ, l.opens = s, a.Environ, a.Opens
	l.h.o.Screens.use(l)
	past, reader := s.s.Read(l.wake)
	past, goesOn := a.Since.missing(s.epoch, past)
	l.begin <- begun{r.ID, s, reader, past, made, goesOn}
	return noReply, nil
}

// send sends a prompt, once: one that is sent again after a break may have arrived before it. That it is on disk is reported later.
func send(_ context.Context, l *link, a sending) (any, error) {
	id := a.Prompt.ID
	if !a.Again || !l.has(id) {
		l.prompts()
		do := l.s.s.Send
		if a.Steer {
			do = l.s.s.Steer
		}
		var err error
		if id, err = do(a.Prompt); err != nil {
			return nil, err
		}
	}
	l.work.Go(crash.Guarded(func() { l.kept(a.Prompt.ID) }))
	return id, nil
}

// storeAgain is after how long a host asks again for a prompt to be stored that the disk refused.
const storeAgain = 500 * time.Millisecond

// kept reports that a prompt is on disk, once it is: a disk that was full may have room later.
func (l *link) kept(id session.PromptID) {
	for {
		err := l.s.s.Stored(l.life)
		if err == nil {
			l.put(line(tagKept, id))
		}
		if err == nil || session.KindOf(err) == session.KindInvalid { // the session was closed
			return
		}
		select {
		case <-time.After(storeAgain):
		case <-l.life.Done():
			return
		}
	}
}

// prompts notes that the session works for the terminal of the client from now on.
func (l *link) prompts() {
	l.h.mu.Lock()
	l.s.stopped = false
	l.h.mu.Unlock()
	l.h.o.Terminals.Prompted(l.s.id, l.environ)
	l.h.o.Screens.use(l)
}

// has reports whether the session has a prompt, or had it in its queue.
func (l *link) has(id session.PromptID) bool {
	past, forget := l.s.s.Attach(func(session.Event) {})
	forget()
	return slices.ContainsFunc(past, func(e session.Event) bool {
		switch e := e.(type) {
		case session.TurnStarted:
			return e.Prompt.ID == id
		case session.Queued:
			return e.Prompt.ID == id
		case session.Steered:
			return e.Prompt == id
		}
		return false
	})
}

// aside asks beside the conversation. The answer goes to the client as it comes.
func aside(ctx context.Context, l *link, r request) (any, error) {
	var question string
	if err := json.Unmarshal(r.Args, &question); err != nil || l.s == nil {
		return nil, errNotAttached
	}
	return nil, l.s.s.AskAside(ctx, question, func(text string) { l.put(line(tagPiece, piece{r.ID, text})) })
}
