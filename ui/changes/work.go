package changes

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"parley/session/edits"
	"parley/session/edits/image"
	"parley/ui/changes/listing"
	"parley/ui/style"
)

// Msg is the result of a command of a panel. The root passes it to Update of the panel that Of returns, which may have been
// closed meanwhile.
type Msg interface{ Of() *Model }

type (
	// loadedMsg carries the changes of the log.
	loadedMsg struct {
		of  *Model
		all []edits.Change
		err error
	}
	// comparedMsg carries differences.
	comparedMsg struct {
		of    *Model
		spans []listing.Span
		diffs []*diff
	}
	// plannedMsg carries the plan of a step, which was carried out if nothing stood against it.
	plannedMsg struct {
		of      *Model
		called  string
		plan    edits.Plan
		applied bool
		out     edits.Outcome
		err     error
	}
	// acceptedMsg reports how many files were accepted.
	acceptedMsg struct {
		of     *Model
		called string
		files  int
		err    error
	}
)

// Of returns the panel whose command it was.
func (m loadedMsg) Of() *Model { return m.of }

// Of returns the panel whose command it was.
func (m comparedMsg) Of() *Model { return m.of }

// Of returns the panel whose command it was.
func (m plannedMsg) Of() *Model { return m.of }

// Of returns the panel whose command it was.
func (m acceptedMsg) Of() *Model { return m.of }

// Refresh reads the log, now or when it was read: something may have been added to it.
func (m *Model) Refresh() tea.Cmd {
	if m.loading {
		m.again = true
		return nil
	}
	m.loading = true
	log, ctx := m.o.Log, m.o.Context
	return func() tea.Msg {
		all, err := log.Changes(ctx)
		return loadedMsg{m, all, err}
	}
}

// Work returns a command that compares what the last frame lacked, nil if that is nothing or one is running. It is called
// once after each frame.
func (m *Model) Work() tea.Cmd {
	if m.comparing {
		return nil
	}
	spans := m.diffs.next(m.shows)
	if len(spans) == 0 {
		return nil
	}
	m.comparing = true
	log, ctx := m.o.Log, m.o.Context
	return func() tea.Msg {
		all := make([]*diff, len(spans))
		for i, s := range spans {
			all[i] = compare(ctx, log, s)
		}
		return comparedMsg{m, spans, all}
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
func (m *Model) step(k edits.StepKind, called string, s edits.Scope) tea.Cmd {
	m.busy = listing.Verbing(k) + "…"
	log, ctx := m.o.Log, m.o.Context
	return func() tea.Msg {
		plan := log.PlanUndo
		if k == edits.StepRedo {
			plan = log.PlanRedo
		}
		p, err := plan(ctx, s)
		msg := plannedMsg{of: m, called: called, plan: p, err: err}
		if err != nil || !listing.Sort(p).Clear() {
			return msg
		}
		msg.applied = true
		msg.out, msg.err = log.Apply(ctx, p, func(string) bool { return false })
		return msg
	}
}

// apply carries out a plan, for files with losses only if lose is set.
func (m *Model) apply(p edits.Plan, called string, lose bool) tea.Cmd {
	m.busy = listing.Verbing(p.Kind) + "…"
	takes := listing.Sort(p).Takes(lose)
	log, ctx := m.o.Log, m.o.Context
	return func() tea.Msg {
		out, err := log.Apply(ctx, p, takes)
		return plannedMsg{of: m, called: called, plan: p, applied: true, out: out, err: err}
	}
}

// accept accepts what is open of a scope.
func (m *Model) accept(called string, s edits.Scope) tea.Cmd {
	m.busy = "accepting…"
	log, ctx := m.o.Log, m.o.Context
	return func() tea.Msg {
		n, err := log.Accept(ctx, s)
		return acceptedMsg{m, called, n, err}
	}
}

// reason returns what an error means, as a line.
func reason(err error) string {
	if errors.Is(err, image.ErrUnkept) {
		return image.ErrUnkept.Error()
	}
	return style.OneLine(err.Error())
}
