package rewind

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"parley/internal/human"
	"parley/session"
	"parley/session/changes"
	"parley/session/live"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// Log is the record of what the calls of a session changed in files.
type Log interface {
	// Changes returns all changes, oldest first.
	Changes(ctx context.Context) ([]changes.Change, error)
	// PlanUndo and PlanRedo plan to take changes back, and to bring them back. They change nothing.
	PlanUndo(ctx context.Context, s changes.Scope) (changes.Plan, error)
	PlanRedo(ctx context.Context, s changes.Scope) (changes.Plan, error)
	// Apply carries out a plan, but for files that it refuses, and for files with losses that accepted does not accept.
	Apply(ctx context.Context, p changes.Plan, accepted func(path string) bool) (changes.Outcome, error)
}

// Command rewinds the session that is shown. Each face has one, which only its event loop uses.
type Command struct {
	look    *style.Look
	manager core.Manager
	logs    func(session.ID) Log // nil: changes are not recorded

	last *done
}

// New returns the command of a face. logs returns the record of a session; nil where changes are not recorded.
func New[L Log](l *style.Look, m core.Manager, logs func(session.ID) L) *Command {
	c := &Command{look: l, manager: m}
	if logs != nil {
		c.logs = func(id session.ID) Log { return logs(id) }
	}
	return c
}

// done is a rewind that can be taken back.
type done struct {
	from  session.ID // the session as it was
	moved bool       // the conversation goes on in a copy
	copy  session.ID // that copy, "" for a new session
	at    time.Time  // before the copy was made
	made  []changes.ChangeID
}

// Offered reports whether anything of the session can go back.
func (c *Command) Offered(now core.Current) bool {
	return c != nil && len(now.Transcript.Turns) > 0 && (c.manager.CanFork(now.Agent) || c.logs != nil)
}

// Run opens the list of prompts; "undo" takes the last rewind back. A turn that runs is stopped once a prompt is chosen.
func (c *Command) Run(now core.Current, args string) panel.Effect {
	switch {
	case c == nil:
		return panel.Notice{Text: "Nothing to rewind here", Warn: true}
	case strings.TrimSpace(args) == "undo":
		return c.undo(now)
	}
	log, points, runs := c.log(now.Meta.ID), pointsOf(now.Transcript), stops(now)
	return panel.Run{Work: func(ctx context.Context) panel.Effect {
		if log != nil {
			all, err := recorded(ctx, now, log, !runs)
			if err != nil {
				return c.problem("Files can't go back: ", err)
			}
			for i := range points {
				count(&points[i], all)
			}
		}
		l := prompts{points: points, at: c.look.Now(), runs: runs, choose: func(p point) panel.Effect { return c.chosen(now, log, p) }}
		return panel.Push{Panel: list.Open(c.look, l, ""), Of: "rewind"}
	}}
}

func (c *Command) log(id session.ID) Log {
	if c.logs == nil {
		return nil
	}
	return c.logs(id)
}

// chosen stops the turn that runs, plans what becomes of the files, and asks what goes back.
func (c *Command) chosen(now core.Current, log Log, p point) panel.Effect {
	id, forks := now.Meta.ID, c.manager.CanFork(now.Agent)
	return panel.Run{Work: func(ctx context.Context) panel.Effect {
		stopped, err := atRest(ctx, now)
		if err != nil {
			return c.problem("", err)
		}
		if log != nil { // a turn that was stopped, or has just ended, may have changed more
			all, err := recorded(ctx, now, log, true)
			if err != nil {
				return c.problem("Files can't go back: ", err)
			}
			p.made = nil
			count(&p, all)
		}
		l := parts{point: p, look: c.look, dir: now.Dir, stopped: stopped, copies: p.after == "" || forks, forks: forks && p.answered}
		if log != nil && len(p.made) > 0 {
			if l.plan, err = log.PlanUndo(ctx, changes.Scope{Changes: p.made}); err != nil {
				return c.problem("Files can't go back: ", err)
			}
		}
		l.choose = func(what string) panel.Effect {
			if what == fork {
				return panel.Fork{Session: id, After: p.turn}
			}
			return c.act(now, log, l, what)
		}
		return panel.Push{Panel: list.Open(c.look, l, ""), Of: "rewind"}
	}}
}

// recordTimeout is the time for which the record of a call that has just ended is waited for: what a command changed is looked for.
const recordTimeout = 5 * time.Second

// recorded returns the changes of a session, at rest with those of the calls that have just ended.
func recorded(ctx context.Context, now core.Current, log Log, rests bool) ([]changes.Change, error) {
	if rests && now.Session != nil {
		wait, cancel := context.WithTimeout(ctx, recordTimeout)
		defer cancel()
		_ = now.Session.Recorded(wait) // what is known by then counts
	}
	return log.Changes(ctx)
}

// stopTimeout is the time for which a turn that was interrupted is waited for.
const stopTimeout = 20 * time.Second

// stops reports whether a turn runs that is stopped before anything goes back: not one at a service, nor in another window.
func stops(now core.Current) bool {
	if now.Session == nil || !now.Running || now.Transcript.Remote != nil {
		return false
	}
	_, elsewhere := now.Session.Elsewhere()
	return !elsewhere
}

// atRest interrupts the turn that runs, waits until it has ended, and reports whether one ran. Prompts that wait are held.
func atRest(ctx context.Context, now core.Current) (stopped bool, err error) {
	s := now.Session
	if s == nil || now.Transcript.Remote != nil {
		return false, nil
	}
	if _, elsewhere := s.Elsewhere(); elsewhere {
		return false, nil
	}
	ended := make(chan session.TurnID, 16)
	events, detach := s.Attach(func(e session.Event) {
		if end, is := e.(session.TurnEnded); is {
			select {
			case ended <- end.Turn:
			default:
			}
		}
	})
	defer detach()
	t := session.Transcript{Session: s.ID()}
	for _, e := range events {
		t.Apply(e)
	}
	i := slices.IndexFunc(t.Turns, (*session.Turn).Running)
	if i < 0 {
		return false, nil
	}
	ctx, cancel := context.WithTimeout(ctx, stopTimeout)
	defer cancel()
	s.Hold()
	s.Abort()
	for {
		select {
		case turn := <-ended:
			if turn == t.Turns[i].ID {
				return true, nil
			}
		case <-ctx.Done():
			return true, &session.Error{Op: "rewind", Kind: session.KindRuntime, Err: errors.New("the turn does not stop; try again once it has ended")}
		}
	}
}

// act goes back: the conversation first, in a copy, since nothing is lost if the files cannot follow.
func (c *Command) act(now core.Current, log Log, l parts, what string) panel.Effect {
	id, agent, p := now.Meta.ID, now.Agent, l.point
	o := live.DraftOptions{Agent: agent, Dir: now.Dir, Dirs: now.Meta.Dirs, Settings: core.NextSettings(now.Settings)}
	return panel.Run{Work: func(ctx context.Context) panel.Effect {
		past := &done{from: id, moved: what != only, at: c.look.Now()}
		said, all := "Rewound to before prompt "+human.Number(p.number), panel.All{}
		if past.moved {
			get := func() (*live.Session, error) { return c.manager.Fork(ctx, id, p.after) }
			if p.after == "" {
				get = func() (*live.Session, error) { return c.manager.Draft(o) }
			}
			s, err := get()
			if err != nil {
				return c.problem("", err)
			}
			if p.after != "" {
				past.copy = s.ID()
			}
			all = append(all, panel.Rewound{Session: s, Prompt: p.prompt})
		}
		if what != chat {
			out, err := log.Apply(ctx, l.plan, nil)
			if err != nil {
				all = append(all, c.problem("Files were left as they are: ", err))
			} else if left := l.left(out); left != "" {
				all = append(all, panel.Notice{Text: left, Warn: true})
			}
			switch n := len(out.Done); {
			case n > 0:
				past.made = p.made
				said += " · " + human.Count(n, "file", "files") + " put back"
			case !past.moved && len(all) == 0:
				return panel.Notice{Text: "No file went back: they are as they were", Warn: true}
			case !past.moved:
				return all
			}
		}
		all = append(all, panel.Then{Do: func() panel.Effect {
			c.last = past
			return panel.Notice{Text: said + " · /rewind undo takes it back"}
		}})
		return all
	}}
}

// undo takes the last rewind back: the files as they were, and the session that it left. What runs by now is stopped.
func (c *Command) undo(now core.Current) panel.Effect {
	past := c.last
	if past == nil {
		return panel.Notice{Text: "No rewind to take back. /resume has the sessions that were rewound", Warn: true}
	}
	c.last = nil
	log := c.log(past.from)
	return panel.Run{Work: func(ctx context.Context) panel.Effect {
		all, said := panel.All{}, ""
		failed := func(lead string, err error) panel.Effect {
			return panel.All{panel.Then{Do: func() panel.Effect { c.last = past; return nil }}, c.problem(lead, err)}
		}
		if _, err := atRest(ctx, now); err != nil {
			return failed("", err)
		}
		if past.moved { // it can be shown before the copy goes
			if _, err := c.manager.Resume(ctx, past.from); err != nil {
				return failed("", err)
			}
		}
		if log != nil && len(past.made) > 0 {
			plan, err := log.PlanRedo(ctx, changes.Scope{Changes: past.made})
			var out changes.Outcome
			if err == nil {
				out, err = log.Apply(ctx, plan, nil)
			}
			if err != nil {
				return failed("Files were left as they are: ", err)
			}
			if left := (parts{}).left(out); left != "" {
				all = append(all, panel.Notice{Text: left, Warn: true})
			}
			said = ", with " + human.Count(len(out.Done), "file", "files")
		}
		if past.moved {
			all = append(all, panel.Resume{ID: past.from})
		}
		if past.copy != "" {
			all = append(all, panel.Run{Work: func(ctx context.Context) panel.Effect { return c.discard(ctx, past) }})
		}
		return append(all, panel.Notice{Text: "The rewind is taken back" + said})
	}}
}

// discardTimeout is the time for which a copy that is still being closed is waited for, discardEvery the time between two tries.
const (
	discardTimeout = 10 * time.Second
	discardEvery   = 20 * time.Millisecond
)

// discard moves the copy of a rewind that was taken back into the bin, unless something was said in it.
func (c *Command) discard(ctx context.Context, past *done) panel.Effect {
	_, events, err := c.manager.Read(ctx, past.copy)
	if err != nil || slices.ContainsFunc(events, func(e session.Event) bool { return said(e) && e.Header().At.After(past.at) }) {
		return nil // it is gone, or stays
	}
	ctx, cancel := context.WithTimeout(ctx, discardTimeout)
	defer cancel()
	retry := time.NewTicker(discardEvery)
	defer retry.Stop()
	for {
		switch err = c.manager.Discard(ctx, past.copy, true); session.KindOf(err) {
		case session.KindLocked:
		case "", session.KindUnsupported, session.KindNotFound:
			return nil
		default:
			return c.problem("The copy stays in /resume: ", err)
		}
		select {
		case <-retry.C:
		case <-ctx.Done():
			return c.problem("The copy stays in /resume: ", err)
		}
	}
}

// said reports whether an event is a prompt, or the beginning of another turn.
func said(e session.Event) bool {
	switch e.(type) {
	case session.TurnStarted, session.Queued:
		return true
	}
	return false
}

// problem returns the notice of an error.
func (c *Command) problem(lead string, err error) panel.Effect {
	return panel.Notice{Text: lead + style.VisibleLine(session.ProblemOf(err, c.look.Now()).What), Warn: true}
}
