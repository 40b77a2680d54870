package builtin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"parley/session"
	"parley/session/builtin/shell"
	"parley/session/builtin/tool"
	"parley/session/builtin/wire"
	"parley/session/permission"
	"parley/session/proc"
)

// conversation is one session. Between turns it has no goroutines except those of its commands.
type conversation struct {
	o    Options
	open session.OpenOptions
	out  *outbox
	http *http.Transport
	// top is the loop of the conversation itself.
	top *loop
	// commands, if set, are processes of this conversation only, and end with it.
	commands *proc.Group
	// past is the conversation before it was opened.
	past []wire.Piece
	asks *askBook
	// git detects changes of the repository since the conversation was opened.
	git *permission.GitWatch
	// warned are the instruction files about which the user was warned. Only the running turn uses it.
	warned map[string]bool

	mu       sync.Mutex
	settings session.Settings
	told     session.Settings // as last reported by an event
	turn     session.TurnID   // of the running turn, empty otherwise
	cancel   context.CancelCauseFunc
	done     chan struct{} // closed when the running turn has ended
	closed   bool
	calls    map[session.CallID]bool // of the whole session
	quotas   map[string]session.Quota
}

// errAborted is the cause of a turn's context when the user interrupts the turn.
var errAborted = errors.New("interrupted by the user")

func newConversation(ctx context.Context, o Options, open session.OpenOptions) *conversation {
	c := &conversation{open: open, settings: open.Settings, out: newOutbox(open.Emit), http: newTransport(),
		calls: map[session.CallID]bool{}, quotas: map[string]session.Quota{}, warned: map[string]bool{},
		git: permission.WatchGit(ctx, open.Dir)}
	if o.Processes == nil {
		c.commands = proc.New(proc.Options{})
		o.Processes = c.commands
	}
	c.o = o
	c.top = newLoop(c, "", tools, newWorkspace(o, open))
	var rules []permission.Rule
	if h := open.History; h != nil {
		c.past = wire.Pieces(h.Turns, false)
		callsOf(h, c.calls)
		c.top.ws.Files.Restore(h, open.Dir)
		rules = permission.Granted(h)
		c.told, c.top.modes.last = h.Settings, lastMode(h)
	}
	c.asks = newAskBook(rules)
	c.open.History = nil
	return c
}

// head returns the head of an event of the running turn.
func (c *conversation) head() session.Head {
	c.mu.Lock()
	defer c.mu.Unlock()
	return session.Head{Session: c.open.Session, Turn: c.turn, Gen: c.open.Gen, At: c.o.Now()}
}

// callsOf adds the ids of all calls of a transcript to into.
func callsOf(t *session.Transcript, into map[session.CallID]bool) {
	for _, turn := range t.Turns {
		for _, e := range turn.Entries {
			if tool, ok := e.(*session.Tool); ok {
				into[tool.Call] = true
			}
		}
	}
}

// Send delivers one prompt and runs its turn.
func (c *conversation) Send(ctx context.Context, turn session.TurnID, p session.Prompt, o session.Origin) error {
	const op = "send prompt"
	if turn == "" {
		return invalid(op, errors.New("the turn has no id"))
	}
	if err := ctx.Err(); err != nil {
		return &session.Error{Op: op, Kind: session.KindCancelled, Err: err}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	done := make(chan struct{})
	c.mu.Lock()
	switch {
	case c.closed:
		c.mu.Unlock()
		return &session.Error{Op: op, Kind: session.KindRuntime, Err: errors.New("the conversation is closed")}
	case c.turn != "":
		c.mu.Unlock()
		return &session.Error{Op: op, Kind: session.KindInternal, Err: errors.New("a turn is running")}
	}
	c.turn, c.cancel, c.done = turn, cancel, done
	c.mu.Unlock()

	began := c.o.Now()
	c.out.emit(session.TurnStarted{Head: c.head(), Prompt: p, Origin: o})
	outcome, problem := c.top.runTurn(ctx)
	head := c.head()
	c.out.emit(session.TurnEnded{Head: head, Outcome: outcome, Problem: problem, Duration: head.At.Sub(began)})
	c.out.drain()

	c.mu.Lock()
	c.turn, c.cancel = "", nil
	c.mu.Unlock()
	close(done)
	return nil
}

// Abort stops the running turn.
func (c *conversation) Abort() {
	c.mu.Lock()
	cancel := c.cancel
	c.mu.Unlock()
	if cancel != nil {
		cancel(errAborted)
	}
}

// Answer answers an open ask.
func (c *conversation) Answer(ask session.AskID, a session.Answer) error {
	if !c.asks.answer(ask, verdict{answer: a}) {
		return &session.Error{Op: "answer", Kind: session.KindNotFound, Err: errors.New("nothing is asked under this id any more")}
	}
	return nil
}

// Configure changes model, effort and mode. It settles open asks about which the new mode would not have asked.
func (c *conversation) Configure(ctx context.Context, s session.Settings) error {
	if s.Mode == "" {
		s.Mode = session.ModeDefault
	}
	if !slices.Contains(session.Modes, s.Mode) {
		return invalid("configure", fmt.Errorf("there is no permission mode %q", s.Mode))
	}
	c.mu.Lock()
	c.settings = s
	c.mu.Unlock()
	c.tell(s)
	c.asks.reconsider(c.policy(ctx))
	return nil
}

// tell reports changed settings. It reports an empty model once the turn has chosen one.
func (c *conversation) tell(s session.Settings) {
	head := c.head()
	c.mu.Lock()
	before := c.told
	if s.Model == "" {
		s.Model, s.Effort = before.Model, before.Effort
	}
	c.told = s
	c.mu.Unlock()
	if s.Model != before.Model || s.Effort != before.Effort {
		c.out.emit(session.ModelChanged{Head: head, Model: s.Model, Effort: s.Effort})
	}
	if s.Mode != before.Mode && (before.Mode != "" || s.Mode != session.ModeDefault) {
		c.out.emit(session.ModeChanged{Head: head, Mode: s.Mode})
	}
}

func (c *conversation) current() session.Settings {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.settings
}

// policy returns the current policy about tool calls.
func (c *conversation) policy(ctx context.Context) permission.Policy {
	kept := c.o.Rules(c.open.Dir)
	return permission.Policy{
		Mode: c.current().Mode, Dirs: append([]string{c.open.Dir}, c.open.Dirs...), Home: c.o.Home,
		Rules: slices.Concat(kept.Rules, c.asks.rulesNow()), Locked: kept.Locked,
		Base: c.open.Dir, Shell: shell.Name(c.top.ws), Git: func() bool { return c.git.Quiet(ctx) },
	}.OnDisk(c.o.Environ)
}

// Close stops a running turn, waits for its end, and drops all later events.
func (c *conversation) Close(ctx context.Context) error {
	c.mu.Lock()
	c.closed = true
	cancel, done := c.cancel, c.done
	c.mu.Unlock()
	if cancel != nil {
		cancel(errAborted)
		select {
		case <-done:
		case <-ctx.Done():
			return &session.Error{Op: "close conversation", Kind: session.KindStalled, Err: ctx.Err()}
		}
	}
	c.out.stop()
	c.http.CloseIdleConnections()
	if c.commands != nil {
		if err := c.commands.Close(); err != nil {
			return &session.Error{Op: "close conversation", Kind: session.KindStalled, Err: err}
		}
	}
	return nil
}

// seconds returns a Retry-After of so many seconds, bounded because services sometimes send nonsense.
func seconds(n float64) time.Duration {
	const most = 24 * time.Hour
	if n <= 0 || n != n {
		return 0
	}
	if n >= most.Seconds() {
		return most
	}
	return time.Duration(n * float64(time.Second))
}

// newWorkspace returns the place of work of a conversation's tools.
func newWorkspace(o Options, open session.OpenOptions) *tool.Workspace {
	return &tool.Workspace{Dir: filepath.Clean(open.Dir), Dirs: open.Dirs, Home: o.Home, OutputDir: o.OutputDir,
		BashTimeout: o.BashTimeout, Environ: o.Environ, BashPath: shell.FindBash(), Processes: o.Processes,
		Session: open.Session, Now: o.Now, Files: tool.NewFileLog()}
}
