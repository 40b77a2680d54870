package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"parley/internal/cli/headless"
	"parley/internal/crash"
	"parley/session"
	"parley/session/live"
	"parley/session/proc"
)

// Opened is a new session for one run.
type Opened struct {
	Session *live.Session
	// Figures returns what the requests of the session have used; Settle waits until all of them count.
	Figures func() headless.Figures
	Settle  func(ctx context.Context)
	// KeepsLimits reports whether the session itself keeps to its limits.
	KeepsLimits bool
	// Close ends the session and removes what it stored.
	Close func(ctx context.Context) error
}

// Options holds the tasks to run, the agents and models, and the bounds.
type Options struct {
	Tasks  []Task
	Agents []string
	Models []string // "" is the agent's own choice
	Runs   int      // of each task with each agent and model
	Jobs   int      // at once
	// MaxNanoAIU is the cost of all runs together after which no other begins; 0: any.
	MaxNanoAIU int64
	// Open begins a session that may do everything in a directory.
	Open func(ctx context.Context, agent, model, dir string) (*Opened, error)
	// Temp holds the directories of the runs, which are removed.
	Temp    string
	Group   *proc.Group // starts the commands of checks
	Environ []string
	// Out gets the transcripts of runs that fail; "": nothing is kept.
	Out string
	// Done is called after each run, one at a time; optional.
	Done func(Run)
}

// job is one run to be made.
type job struct {
	task         Task
	agent, model string
	number       int
}

// Evaluate makes all runs and returns the report. When ctx ends, the runs so far are reported with the error of ctx.
func Evaluate(ctx context.Context, o Options) (Report, error) {
	var jobs []job
	for _, agent := range o.Agents {
		for _, model := range o.Models {
			for n := range max(o.Runs, 1) {
				for _, t := range o.Tasks {
					jobs = append(jobs, job{t, agent, model, n + 1})
				}
			}
		}
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	runs := make([]*Run, len(jobs))
	next, spent := 0, int64(0)
	for range max(o.Jobs, 1) {
		wg.Go(crash.Guarded(func() {
			for {
				mu.Lock()
				i := next
				next++
				over := i >= len(jobs) || ctx.Err() != nil
				broke := o.MaxNanoAIU > 0 && spent >= o.MaxNanoAIU
				mu.Unlock()
				if over {
					return
				}
				r := o.make(ctx, jobs[i], broke)
				mu.Lock()
				spent += r.NanoAIU
				runs[i] = &r
				if o.Done != nil {
					o.Done(r)
				}
				mu.Unlock()
			}
		}))
	}
	wg.Wait()
	return newReport(runs), ctx.Err()
}

// closeTime bounds the end of one session.
const closeTime = 20 * time.Second

// make makes one run.
func (o Options) make(ctx context.Context, j job, broke bool) Run {
	r := Run{Task: j.task.Name, Category: j.task.Category, Agent: j.agent, Model: j.model, Run: j.number}
	if name := j.task.missing(); name != "" {
		r.Skipped = name + " is not installed"
		return r
	}
	if broke {
		r.Skipped = "the credits are used up"
		return r
	}
	w, err := newWorkspace(o.Temp, j.task)
	if err != nil {
		r.Wrong = []string{err.Error()}
		return r
	}
	defer os.RemoveAll(w.dir)
	opened, err := o.Open(ctx, j.agent, j.model, w.dir)
	if err != nil {
		r.Wrong = []string{"the session could not be opened: " + session.ProblemOf(err, time.Now()).What}
		return r
	}
	defer func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
		defer cancel()
		if err := opened.Close(end); err != nil && r.Problem == "" {
			r.Problem = fmt.Sprintf("the session was not removed: %v", err)
		}
	}()
	o.converse(ctx, j.task, opened, w, &r)
	return r
}

// converse sends the prompt, and judges and records what came of it.
func (o Options) converse(ctx context.Context, t Task, opened *Opened, w *workspace, r *Run) {
	limits := session.Limits{Rounds: t.Limits.Requests, Time: t.Limits.Time}
	printing := headless.Options{Limits: limits}
	if !opened.KeepsLimits {
		printing.Figures = opened.Figures
	}
	opened.Session.Bound(limits)
	p := headless.NewPrinter(printing)
	detach := p.Begin(opened.Session)
	defer detach()
	began := time.Now()
	ended, err := play(ctx, t, opened.Session, p)
	r.MS = time.Since(began).Milliseconds()
	opened.Settle(ctx)
	f := p.Used(opened.Figures())
	r.Requests, r.Usage, r.NanoAIU = f.Requests, f.Usage, f.NanoAIU
	s := said{last: p.Words()}
	p.Read(func(transcript *session.Transcript) { r.count(transcript, &s) })
	r.Outcome = ended.Outcome
	if ended.Problem != nil {
		r.Problem = ended.Problem.What
	}
	if err = errors.Join(err, ctx.Err()); err != nil {
		r.Wrong = []string{err.Error()}
		return
	}
	r.Wrong = checker{o.Group, o.Environ}.judge(ctx, t, w, s)
	switch ended.Outcome {
	case session.TurnFailed, session.TurnCancelled, session.TurnLimit:
		r.Wrong = append(r.Wrong, "the turn ended as "+string(ended.Outcome)+": "+r.Problem)
	}
	r.Passed = len(r.Wrong) == 0
	if !r.Passed && o.Out != "" {
		if r.Transcript, err = keep(o.Out, opened.Session, *r); err != nil {
			r.Wrong = append(r.Wrong, "the transcript was not kept: "+err.Error())
		}
	}
}

// play sends the prompts of a task, one after another, and returns how the last turn ended, or the first that did not complete.
func play(ctx context.Context, t Task, s *live.Session, p *headless.Printer) (ended session.TurnEnded, err error) {
	allowed := s.Settings().Mode
	steered := steering(t.Steer, s)
	defer steered(false)
	for _, step := range t.steps() {
		settings := s.Settings()
		if settings.Mode = cmp.Or(step.Mode, allowed); settings.Mode != s.Settings().Mode {
			if err := s.Configure(settings); err != nil {
				return ended, err
			}
		}
		if ended, _, err = headless.Ask(ctx, s, p, nil, step.Prompt); err != nil || ended.Outcome != session.TurnCompleted {
			return ended, err
		}
		steered(true)
		if err := s.Wait(ctx); err != nil { // what came too late to steer has a turn of its own
			return ended, err
		}
	}
	return ended, nil
}

// steering sends the prompt that steers once its calls have ended, or at the latest when finish is called, if that wants it sent.
func steering(steer *Steer, s *live.Session) (finish func(send bool)) {
	if steer == nil {
		return func(bool) {}
	}
	due, over := make(chan bool, 1), make(chan struct{})
	decide := func(send bool) {
		select {
		case due <- send:
		default: // it was decided before
		}
	}
	calls := 0 // of the listener, which is called by one goroutine at a time
	_, detach := s.Attach(func(e session.Event) {
		if _, ok := e.(session.ToolEnded); ok {
			if calls++; calls == steer.After {
				decide(true)
			}
		}
	})
	crash.Go(func() {
		defer close(over)
		if <-due {
			_, _ = s.Steer(session.Prompt{Text: steer.Prompt}) // a session that has ended says so to whoever waits for its turn
		}
	})
	return func(send bool) { decide(send); <-over; detach() }
}

// count counts turns and calls, and collects what the agent said.
func (r *Run) count(t *session.Transcript, s *said) {
	var all strings.Builder
	r.Turns = len(t.Turns)
	for _, turn := range t.Turns {
		if turn.Model != "" {
			r.Used = turn.Model
		}
		for _, e := range turn.Entries {
			switch e := e.(type) {
			case *session.Part:
				if e.Kind == session.PartText && !e.Retracted {
					all.WriteString(e.Text() + "\n")
				}
			case *session.Tool:
				r.Calls++
				s.calls = append(s.calls, e.Name)
				if e.Outcome == session.ToolFailed {
					r.FailedCalls++
				}
			}
		}
	}
	s.all = all.String()
}
