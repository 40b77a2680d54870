package chat

import (
	"cmp"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/core"
	"parley/ui/statusline"
	"parley/ui/style"
)

// statusRows are the rows of the user's status line, above the footer.
type statusRows struct {
	*parts

	current *current
	choices *choices

	line    *statusline.Line
	began   time.Time
	waiting bool // a statusDueMsg is to come
}

// statusDueMsg comes when the command may be due, statusRanMsg with what it wrote.
type (
	statusDueMsg struct{}
	statusRanMsg struct{ result statusline.Result }
)

// keep tells the line what changed, and returns the command that runs it if that is due.
func (s *statusRows) keep() tea.Cmd {
	if s.line == nil || s.current.session == nil || s.current.opening != nil {
		return nil
	}
	if s.began.IsZero() {
		s.began = s.look.Now()
	}
	s.line.Set(s.report())
	run, wait := s.line.Due(s.look.Now())
	switch {
	case run != nil:
		ctx := s.work.ctx
		return func() tea.Msg { return statusRanMsg{run(ctx)} }
	case wait > 0 && !s.waiting:
		s.waiting = true
		return s.work.after(wait, statusDueMsg{})
	}
	return nil
}

// ran takes what the command wrote.
func (s *statusRows) ran(r statusline.Result) {
	if s.line.Done(r) {
		s.screen.touch()
	}
}

// report returns the state of the session as the command is told it.
func (s *statusRows) report() statusline.Report {
	t, meta, settings := s.conv.Transcript(), s.current.meta(), s.current.settings()
	context := core.ContextOf(t, s.choices.models)
	model := cmp.Or(settings.Model, meta.Model)
	r := statusline.Report{Session: string(meta.ID), Title: cmp.Or(t.Title, meta.Title), Dir: s.current.dir(), ProjectDir: s.opts.Dir,
		Branch: cmp.Or(meta.Branch, s.opts.Branch), Model: model, ModelName: style.ShortModel(model), Effort: settings.Effort,
		Version: s.opts.Version, Used: context.Used, Window: context.Window, Duration: s.look.Now().Sub(s.began),
		Turns: len(t.Turns), Running: s.conv.Running() != nil}
	if m := s.choices.model(model); m != nil {
		r.Model, r.ModelName = m.ID, m.Name
	}
	if q, ok := core.PlanQuota(s.choices.quotas()); ok {
		r.Left, r.Of, r.Resets = int64(q.Remaining), int64(q.Entitlement), q.ResetsAt
	}
	return r
}

// rows returns the rows in w columns.
func (s *statusRows) rows(w int) []string {
	if s.line == nil {
		return nil
	}
	return s.line.Rows(s.look.Measure, w)
}
