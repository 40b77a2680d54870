package hook

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"parley/session"
	"parley/session/hooks"
	"parley/session/proc"
)

// Options configures a [Session].
type Options struct {
	// Find returns the hooks that hold now; nil: there are none.
	Find    func(ctx context.Context) hooks.Set
	Session session.ID
	Dir     string
	// Processes starts commands with the environment that Environ returns then.
	Processes *proc.Group
	Environ   func() []string
	// Export sets variables for the commands of the conversation's own agent, each as NAME=VALUE.
	Export func(environ []string)
	// Ask puts a question to a model, a cheap one for an empty name.
	Ask func(ctx context.Context, model, system, question string) (string, error)
	// Notice reports something to the user; Mode returns the permission mode.
	Notice func(severity session.Severity, text string)
	Mode   func() session.Mode
	// Pass lets calls run although a hook before them took too long. Resumed means that the session has turns already; Unattended that
	// nobody answers.
	Pass, Resumed, Unattended bool
}

// Session is the hooks of one conversation. A nil one has none. Only the running turn calls Begin, Later and Failed; the rest is safe
// for concurrent use.
type Session struct {
	runner     *hooks.Runner
	mode       func() session.Mode
	unattended bool
	top        *Agent
	// source is how the session starts, empty once its hooks have run; started means that those of its end have to.
	source  string
	started bool
	// later are texts for the model that wait for a turn that goes on.
	later []string

	export  func(environ []string)
	mu      sync.Mutex
	environ []string // what hooks have set
}

// Open prepares the hooks of a conversation, which are read with its first turn. It returns nil where there are none.
func Open(o Options) *Session {
	if o.Find == nil {
		return nil
	}
	s := &Session{mode: o.Mode, export: o.Export, unattended: o.Unattended, source: "startup"}
	if o.Resumed {
		s.source = "resume"
	}
	s.runner = hooks.New(hooks.Options{Find: o.Find, About: hooks.About{Session: string(o.Session), Dir: o.Dir}, Processes: o.Processes,
		Environ: o.Environ, Ask: o.Ask, Notice: o.Notice, Pass: o.Pass, Now: time.Now})
	s.top = &Agent{s: s}
	return s
}

// Environ returns the variables that hooks have set for commands, for those of a child that begins.
func (s *Session) Environ() []string {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.environ)
}

// take takes over variables that hooks have set.
func (s *Session) take(environ []string) {
	if len(environ) == 0 || s.export == nil {
		return
	}
	s.mu.Lock()
	s.environ = append(s.environ, environ...)
	s.environ = s.environ[max(0, len(s.environ)-maxEnviron):]
	s.mu.Unlock()
	s.export(environ)
}

// maxEnviron bounds the variables that hooks have set.
const maxEnviron = 1000

// Keeper returns what reports the hooks, nil for none.
func (s *Session) Keeper() session.HookKeeper {
	if s == nil {
		return nil
	}
	return s.runner
}

// Begin runs the hooks of a turn that begins, and returns the texts that they put before the model, or why the turn does not go on. no
// prompt means that the agent began the turn itself or does what was asked without a model.
func (s *Session) Begin(ctx context.Context, prompt string, model string) ([]string, *session.Problem) {
	if s == nil {
		return nil, nil
	}
	s.runner.Refresh(ctx)
	if s.source != "" {
		o := s.top.fire(ctx, hooks.Event{Name: hooks.SessionStart, Why: s.source, Model: model})
		if ctx.Err() != nil {
			return nil, nil
		}
		s.source, s.started, s.later = "", true, append(s.later, o.Context...)
	}
	if prompt == "" {
		return nil, nil
	}
	said, problem := s.Prompt(ctx, prompt)
	if problem != nil {
		return nil, problem
	}
	said, s.later = append(s.later, said...), nil
	return said, nil
}

// Prompt runs the hooks of a prompt, and returns the texts that they put before the model, or why it must not go there.
func (s *Session) Prompt(ctx context.Context, prompt string) ([]string, *session.Problem) {
	if s == nil {
		return nil, nil
	}
	o := s.top.fire(ctx, hooks.Event{Name: hooks.UserPromptSubmit, Prompt: prompt})
	switch {
	case o.Blocked:
		return nil, &session.Problem{Kind: session.KindRefused, What: "A hook blocked the prompt: " + o.Why, Next: "Change the prompt and send it again."}
	case o.Stop:
		return nil, stopped(o.StopWhy)
	}
	return o.Context, nil
}

// Later keeps texts for the next turn that goes to the model.
func (s *Session) Later(texts []string) {
	if s != nil {
		s.later = append(s.later, texts...)
	}
}

// Look runs the hooks of watched files that have changed.
func (s *Session) Look(ctx context.Context) {
	if s != nil {
		s.runner.Look(ctx)
	}
}

// stopped returns the problem of a turn that a hook has ended.
func stopped(why string) *session.Problem {
	what := "A hook stopped the turn"
	if why != "" {
		what += ": " + why
	}
	return &session.Problem{Kind: session.KindRefused, What: strings.TrimSuffix(what, ".") + ".", Next: "/hooks shows which one."}
}

// Notify runs the hooks of something that waits for the user. Nothing waits for them.
func (s *Session) Notify(kind, words string) {
	if s != nil && !s.unattended {
		s.runner.Begin(hooks.Event{Name: hooks.Notification, Why: kind, Words: words})
	}
}

// Failed runs the hooks of a turn that failed.
func (s *Session) Failed(ctx context.Context, p *session.Problem) {
	if s != nil && p != nil {
		s.top.fire(ctx, hooks.Event{Name: hooks.StopFailure, Why: cmp.Or(errorWords[p.Kind], "unknown"), Words: p.What})
	}
}

// errorWords are what Claude Code calls kinds of errors.
var errorWords = map[session.Kind]string{session.KindAuth: "authentication_failed", session.KindRateLimit: "rate_limit", session.KindQuota: "billing_error",
	session.KindBadRequest: "invalid_request", session.KindTooLong: "invalid_request", session.KindServer: "server_error", session.KindOverloaded: "server_error"}

// Close runs the hooks of the end of a conversation that has begun, and ends those that nothing waits for. No turn runs any more.
func (s *Session) Close(ctx context.Context) {
	if s == nil {
		return
	}
	if s.started {
		s.started = false
		s.runner.Fire(ctx, hooks.Event{Name: hooks.SessionEnd, Why: "other"})
	}
	s.runner.Close()
}
