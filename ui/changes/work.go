package changes

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"parley/session/changes"
	"parley/session/changes/snapshot"
	"parley/ui/changes/listing"
	"parley/ui/panel"
	"parley/ui/style"
)

type (
	// loadedMsg carries the changes of the log.
	loadedMsg struct {
		all []changes.Change
		err error
	}
	// comparedMsg carries differences.
	comparedMsg struct {
		spans []listing.Span
		diffs []*diff
	}
	// plannedMsg carries the plan of a step, which was carried out if nothing stood against it.
	plannedMsg struct {
		called  string
		plan    changes.Plan
		applied bool
		out     changes.Outcome
		err     error
	}
	// acceptedMsg reports how many files were accepted.
	acceptedMsg struct {
		called string
		files  int
		err    error
	}
)

// refresh reads the log, now or when it was read: something may have been added to it.
func (m *model) refresh() panel.Cmd {
	if m.loading {
		m.again = true
		return nil
	}
	m.loading = true
	log := m.o.Log
	return func(ctx context.Context) tea.Msg {
		all, err := log.Changes(ctx)
		return loadedMsg{all, err}
	}
}

// work returns a command that compares what the last frame lacked, nil if that is nothing or one is running. It is called
// once after each frame.
func (m *model) work() panel.Cmd {
	if m.comparing {
		return nil
	}
	spans := m.diffs.next(m.shows)
	if len(spans) == 0 {
		return nil
	}
	m.comparing = true
	log := m.o.Log
	return func(ctx context.Context) tea.Msg {
		all := make([]*diff, len(spans))
		for i, s := range spans {
			all[i] = compare(ctx, log, s)
		}
		return comparedMsg{spans, all}
	}
}

// compare compares the two states of a span.
func compare(ctx context.Context, log listing.Log, s listing.Span) *diff {
	d := &diff{}
	if s.From.Same(s.To) {
		return d
	}
	var err error
	if d.edit, err = log.Diff(ctx, s.Path, s.From, s.To); err != nil {
		d.trouble = reason(err)
		return d
	}
	if d.edit.Patch != "" {
		d.whole, d.digits = cut(d.edit.Patch, false)
		d.halves, _ = cut(d.edit.Patch, true)
	}
	return d
}

// step plans a step, and carries it out at once if nothing stands against it.
func (m *model) step(k changes.StepKind, called string, s changes.Scope) panel.Cmd {
	m.busy = listing.Verbing(k) + "…"
	log := m.o.Log
	return func(ctx context.Context) tea.Msg {
		plan := log.PlanUndo
		if k == changes.StepRedo {
			plan = log.PlanRedo
		}
		p, err := plan(ctx, s)
		msg := plannedMsg{called: called, plan: p, err: err}
		if err != nil || !listing.Sort(p).Clear() {
			return msg
		}
		msg.applied = true
		msg.out, msg.err = log.Apply(ctx, p, func(string) bool { return false })
		return msg
	}
}

// apply carries out a plan, for files with losses only if lose is set.
func (m *model) apply(p changes.Plan, called string, lose bool) panel.Cmd {
	m.busy = listing.Verbing(p.Kind) + "…"
	takes := listing.Sort(p).Takes(lose)
	log := m.o.Log
	return func(ctx context.Context) tea.Msg {
		out, err := log.Apply(ctx, p, takes)
		return plannedMsg{called: called, plan: p, applied: true, out: out, err: err}
	}
}

// accept accepts what is open of a scope.
func (m *model) accept(called string, s changes.Scope) panel.Cmd {
	m.busy = "keeping…"
	log := m.o.Log
	return func(ctx context.Context) tea.Msg {
		n, err := log.Accept(ctx, s)
		return acceptedMsg{called, n, err}
	}
}

// reason returns what an error means, as a line.
func reason(err error) string {
	if errors.Is(err, snapshot.ErrUnkept) {
		return snapshot.ErrUnkept.Error()
	}
	return style.OneLine(err.Error())
}
