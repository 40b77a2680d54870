package hooks

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"parley/internal/crash"
	"parley/internal/human"
	"parley/session"
	"parley/session/proc"
)

// Options configures a [Runner].
type Options struct {
	// Find returns the hooks that hold now.
	Find  func(ctx context.Context) Set
	About About
	// Processes starts commands; Environ returns the environment that they get now, and the one that headers may name variables of.
	Processes *proc.Group
	Environ   func() []string
	// Ask puts a question to a model, the default one for an empty name, and returns its answer. Nil: there are no questions.
	Ask func(ctx context.Context, model, system, question string) (string, error)
	// Notice reports something to the user.
	Notice func(severity session.Severity, text string)
	// Pass lets calls run although a hook that guards them took too long.
	Pass bool
	// Now is the clock; nil: time.Now.
	Now func() time.Time
}

// maxRuns bounds the runs that are remembered.
const maxRuns = 200

// Runner runs the hooks of one conversation. It is safe for concurrent use; a nil one has no hooks.
type Runner struct {
	o      Options
	client *http.Client
	life   context.Context
	end    context.CancelFunc
	behind sync.WaitGroup // hooks that nothing waits for

	mu     sync.Mutex
	closed bool
	found  bool // set is filled in
	set    Set
	once   map[string]bool // hooks that have run and do so once
	runs   []session.HookRun
	told   map[string]bool // faults that the user has read
	paths  watched
}

var _ session.HookKeeper = (*Runner)(nil)

// New returns a runner, which reads nothing before the first event.
func New(o Options) *Runner {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Notice == nil {
		o.Notice = func(session.Severity, string) {}
	}
	r := &Runner{o: o, client: newClient(), once: map[string]bool{}, told: map[string]bool{}}
	r.life, r.end = context.WithCancel(context.Background())
	return r
}

// Refresh reads the hooks again, and reports what is wrong with them, once.
func (r *Runner) Refresh(ctx context.Context) {
	if r == nil {
		return
	}
	set := r.o.Find(ctx)
	if ctx.Err() != nil {
		return
	}
	r.mu.Lock()
	r.set, r.found = set, true
	r.mu.Unlock()
	for _, fault := range set.Faults {
		r.warn(fault)
	}
	off := map[string]bool{}
	for _, h := range set.Hooks {
		if h.Why == disagreed && !off[h.From] {
			off[h.From] = true
			r.warn("Hooks in " + h.From + " are " + disagreed)
		} else if h.Why != "" && h.Scope != Project && h.Why == wrongMatcher(h.Matcher, h.Copilot) {
			r.warn("A hook in " + h.From + " is off: " + h.Why)
		}
	}
}

// warn reports something once.
func (r *Runner) warn(text string) {
	r.mu.Lock()
	told := r.told[text]
	r.told[text] = true
	r.mu.Unlock()
	if !told {
		r.o.Notice(session.Warning, text)
	}
}

// hooks returns the hooks, which it reads the first time.
func (r *Runner) hooks(ctx context.Context) Set {
	r.mu.Lock()
	set, found := r.set, r.found
	r.mu.Unlock()
	if !found {
		r.Refresh(ctx)
		r.mu.Lock()
		set = r.set
		r.mu.Unlock()
	}
	return set
}

// Fire runs the hooks of an event at the same time, and returns what they decide once the last has ended or its time is over. If
// ctx ends first they are ended, and decide nothing.
func (r *Runner) Fire(ctx context.Context, e Event) Outcome {
	if r == nil {
		return Outcome{}
	}
	all := r.pick(ctx, e)
	if len(all) == 0 {
		return Outcome{}
	}
	verdicts := make([]verdict, len(all))
	var wg sync.WaitGroup
	for i, h := range all {
		verdicts[i].hook = h
		if h.Async {
			r.runBehind(e, h)
			continue
		}
		wg.Go(crash.Guarded(func() { verdicts[i].answer = r.run(ctx, e, h) }))
	}
	wg.Wait()
	if ctx.Err() != nil {
		return Outcome{}
	}
	for _, v := range verdicts {
		r.mu.Lock()
		r.paths.add(v.answer.watch)
		r.mu.Unlock()
		if v.answer.message != "" {
			r.o.Notice(session.Info, e.Name+" says: "+v.answer.message)
		}
	}
	return merge(e, verdicts)
}

// Begin runs the hooks of an event without waiting for them.
func (r *Runner) Begin(e Event) {
	if r == nil {
		return
	}
	for _, h := range r.pick(r.life, e) {
		r.runBehind(e, h)
	}
}

// pick returns the hooks of an event, but for those that have run and do so once.
func (r *Runner) pick(ctx context.Context, e Event) []Hook {
	all := r.hooks(ctx).selected(e)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil
	}
	return slices.DeleteFunc(all, func(h Hook) bool {
		if !h.Once {
			return false
		}
		ran := r.once[h.key()]
		r.once[h.key()] = true
		return ran
	})
}

// runBehind runs a hook that nothing waits for.
func (r *Runner) runBehind(e Event, h Hook) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	r.behind.Go(crash.Guarded(func() {
		h.Async, h.OnFailure = true, "continue"
		if a := r.run(r.life, e, h); a.message != "" {
			r.o.Notice(session.Info, e.Name+" says: "+a.message)
		}
	}))
}

// run runs a hook to its end, and remembers the run.
func (r *Runner) run(ctx context.Context, e Event, h Hook) answer {
	began := r.o.Now()
	limited, cancel := context.WithTimeout(ctx, h.limit())
	defer cancel()
	in := e.encode(r.o.About, h, began)
	var got result
	switch h.Kind {
	case HTTP:
		got = r.post(limited, h, in)
	case Prompt:
		got = r.ask(limited, h, in)
	default:
		if h.writesEnv(e) {
			got = r.setting(limited, h, in)
		} else {
			got = r.command(limited, h, in, "")
		}
	}
	got.took = r.o.Now().Sub(began)
	if ctx.Err() == nil && errors.Is(limited.Err(), context.DeadlineExceeded) && got.failed != "" {
		got.failed, got.timed = "it timed out after "+human.Spent(h.limit()), true
	}
	a := judge(e, h, got, !r.o.Pass)
	if a.environ = got.environ; got.odd != "" {
		r.warn("Hook " + e.label() + " (" + cut(h.runs(), 80) + ") wrote a line into " + envVariable + " that is not NAME=VALUE and was left out: " + cut(got.odd, 80))
	}
	outcome := "ok"
	switch {
	case ctx.Err() != nil:
		outcome, a = "interrupted", answer{}
	case a.failed != "" && a.block:
		outcome = "blocked: " + a.failed
	case a.failed != "":
		outcome = "failed: " + a.failed
	case a.block:
		outcome = "blocked"
	case a.verdict != "":
		outcome = a.verdict
	case h.Async:
		outcome = "ok, nothing waited for it"
	}
	if a.failed != "" {
		text := "Hook " + e.label() + " (" + cut(h.runs(), 80) + ") gave no verdict: " + a.failed
		switch {
		case a.block && e.Name == PreToolUse:
			text += ". The call was blocked"
		case e.guards():
			text += ". It went ahead without it"
		}
		r.o.Notice(session.Warning, text)
	}
	r.note(session.HookRun{At: began, Event: e.label(), Runs: h.runs(), From: h.From, Took: got.took, Outcome: outcome,
		Said: cut(strings.TrimSpace(got.stdout+"\n"+got.stderr), maxSaid)})
	return a
}

// note remembers a run.
func (r *Runner) note(run session.HookRun) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.runs = append(r.runs, run); len(r.runs) > maxRuns {
		r.runs = slices.Delete(r.runs, 0, len(r.runs)-maxRuns)
	}
}

// Hooks reports the hooks and their last runs. It reads the files again.
func (r *Runner) Hooks(ctx context.Context) session.HookReport {
	report := r.o.Find(ctx).report()
	r.mu.Lock()
	defer r.mu.Unlock()
	report.Runs = slices.Clone(r.runs)
	return report
}

// report returns the hooks as reports have them.
func (s Set) report() session.HookReport {
	report := session.HookReport{Faults: s.Faults}
	for _, h := range s.Hooks {
		report.Hooks = append(report.Hooks, h.Shown())
	}
	return report
}

// Close ends the hooks that nothing waits for, and returns once they have ended. No hook runs afterwards.
func (r *Runner) Close() {
	if r == nil {
		return
	}
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.end()
	r.behind.Wait()
	r.client.CloseIdleConnections()
}

// Described reports hooks of which none runs here.
type Described struct{ Find func(ctx context.Context) Set }

var _ session.HookKeeper = Described{}

// Hooks reports the hooks as files describe them.
func (d Described) Hooks(ctx context.Context) session.HookReport { return d.Find(ctx).report() }
