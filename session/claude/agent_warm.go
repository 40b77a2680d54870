package claude

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"sync"
	"time"

	"parley/session"
	"parley/session/claude/driver"
	"parley/session/clienttools"
)

// runtime has the methods of [driver.Process] that a conversation needs.
type runtime interface {
	Init() driver.Init
	Send(ctx context.Context, m driver.UserMessage) error
	Interrupt(ctx context.Context, cancelQueued bool) error
	SetModel(ctx context.Context, model string) error
	SetMode(ctx context.Context, mode string) error
	SetEffort(ctx context.Context, effort string) (string, error)
	SetPermissions(ctx context.Context, list string, values []string) error
	CancelMessage(ctx context.Context, uuid string) (bool, error)
	StopTask(ctx context.Context, task string) error
	BackgroundTask(ctx context.Context, call string) (bool, error)
	AskAside(ctx context.Context, question string) (string, error)
	Control(ctx context.Context, subtype string, fields map[string]any) (json.RawMessage, error)
	Reply(requestID string, response any) error
	ReplyError(requestID, message string) error
	Done() <-chan struct{}
	Exit() driver.Exit
	Close(ctx context.Context) driver.Exit
}

var _ runtime = (*driver.Process)(nil)

// listener receives the output of a process.
type listener interface {
	line(data []byte)
	ask(r driver.Request) bool
	cancel(request string)
	quiet(silent time.Duration)
	call(ctx context.Context, t session.ClientTool, call session.ClientCall) (session.ToolResult, error)
}

// relay passes the output of a process to its conversation. Output before that is dropped: without a prompt, a runtime
// prints nothing that belongs to a conversation.
type relay struct {
	mu sync.Mutex
	to listener
}

func (r *relay) attach(to listener) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.to = to
}

func (r *relay) listener() listener {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.to
}

// started is a process after its handshake.
type started struct {
	launch  launch
	p       runtime
	relay   *relay
	tools   *clienttools.Server
	foreign *foreignLines // used by one goroutine at a time
}

// errNoConversation is the error of a call for which nobody has prompted the runtime.
var errNoConversation = errors.New("there is no conversation")

// startProcess starts a process and returns after its handshake.
func (a *Agent) startProcess(ctx context.Context, l launch) (*started, error) {
	r, foreign := &relay{}, a.foreignLines(l.Session)
	tools := clienttools.NewServer(a.o.Version, l.tools)
	p, err := a.spawn(ctx, driver.Options{
		Launch: l.Launch, Log: a.o.Log, Processes: a.o.Processes, Start: a.o.Start, Limits: a.o.Limits,
		Line: func(data []byte) {
			if to := r.listener(); to != nil {
				to.line(data)
			}
		},
		Ask: func(req driver.Request) bool {
			to := r.listener()
			return to != nil && to.ask(req)
		},
		Cancel: func(id string) {
			if to := r.listener(); to != nil {
				to.cancel(id)
			}
		},
		Message: func(ctx context.Context, message json.RawMessage) (any, func() any) {
			return tools.Handle(ctx, message, func(ctx context.Context, t session.ClientTool, call session.ClientCall) (session.ToolResult, error) {
				if to := r.listener(); to != nil {
					return to.call(ctx, t, call)
				}
				return session.ToolResult{}, errNoConversation
			})
		},
		Quiet: func(silent time.Duration) {
			if to := r.listener(); to != nil {
				to.quiet(silent)
			}
		},
	})
	if err != nil {
		a.Slash.Learn(l.Dir, nil, err)
		return nil, err
	}
	a.Slash.Learn(l.Dir, commandsOf(p.Init().Commands), nil)
	return &started{launch: l, p: p, relay: r, tools: tools, foreign: foreign}, nil
}

// warmed is a process that is started before its conversation is opened.
type warmed struct {
	launch  launch
	ready   chan struct{} // closed when the start is over
	started *started      // after ready; nil if the start failed
	cancel  context.CancelFunc
	gone    chan struct{} // closed when the process was taken or has ended
	once    sync.Once
}

// Warm starts a process for the conversation that o would open, and returns when it is ready. [Agent.Open] takes it for the
// same options. At most one is warm: another one is discarded first. release discards this one unless it was taken, and
// returns when it has ended.
func (a *Agent) Warm(ctx context.Context, o session.OpenOptions) (release func(), err error) {
	if err := a.checkOpen(ctx, o); err != nil {
		return nil, err
	}
	a.moveEmpty(o.Session)
	l, err := a.launch(ctx, o, o.Session, o.Settings)
	if err != nil {
		return nil, err
	}
	w := &warmed{launch: l, ready: make(chan struct{}), gone: make(chan struct{})}
	startCtx, cancel := context.WithCancel(ctx)
	w.cancel = cancel
	a.mu.Lock()
	old := a.warm
	a.warm = w
	a.mu.Unlock()
	if old != nil {
		a.discard(old)
	}
	w.started, err = a.startProcess(startCtx, w.launch)
	close(w.ready)
	if err != nil {
		a.discard(w)
		return nil, err
	}
	return func() { a.discard(w) }, nil
}

// discard ends a warm process unless it was taken, and returns when it has ended.
func (a *Agent) discard(w *warmed) {
	a.mu.Lock()
	if a.warm == w {
		a.warm = nil
	}
	a.mu.Unlock()
	w.once.Do(func() {
		defer close(w.gone)
		w.cancel()
		<-w.ready
		if w.started != nil {
			w.started.p.Close(context.Background())
		}
	})
	<-w.gone
}

// takeWarm returns the warm process after its handshake, nil if none was started for this launch. A warm process of the
// same session with another launch has ended when it returns.
func (a *Agent) takeWarm(ctx context.Context, l launch) *started {
	a.mu.Lock()
	w := a.warm
	a.mu.Unlock()
	if w == nil {
		return nil
	}
	if w.launch.extends != l.extends || !reflect.DeepEqual(w.launch.Launch, l.Launch) || !session.SameTools(w.launch.tools, l.tools) {
		if w.launch.Session == l.Session {
			a.discard(w)
		}
		return nil
	}
	select {
	case <-w.ready:
	case <-ctx.Done():
		return nil
	}
	taken := false
	w.once.Do(func() {
		taken = true
		close(w.gone)
	})
	a.mu.Lock()
	if a.warm == w {
		a.warm = nil
	}
	a.mu.Unlock()
	if !taken || w.started == nil {
		return nil
	}
	select {
	case <-w.started.p.Done():
		return nil // it ended while it waited
	default:
		w.started.tools.SetTools(l.tools) // of this conversation
		return w.started
	}
}
