package ui

import (
	"cmp"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/chat"
	"parley/ui/statusline"
	"parley/ui/style"
	"parley/ui/transcript"
)

// statusRows are the rows of the user's status line, above the footer.
type statusRows struct {
	opts    *Options
	work    background
	look    *style.Look
	conv    *transcript.Model
	screen  *screen
	current *current
	choices *choices

	line    *statusline.Line
	last    state // that the line was told
	began   time.Time
	waiting bool // a statusDueMsg is to come
}

// state is what of a session the command is run again for.
type state struct {
	session, dir, title, model, effort string
	used                               int64
	turns                              int
	running                            bool
	left                               string
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
	t, meta, settings := s.conv.Transcript(), s.current.meta(), s.current.settings()
	context := chat.ContextOf(t, s.choices.models)
	now := state{session: string(meta.ID), dir: s.current.dir(), title: cmp.Or(t.Title, meta.Title), model: cmp.Or(settings.Model, meta.Model),
		effort: settings.Effort, used: context.Used, turns: len(t.Turns), running: s.conv.Running() != nil, left: chat.QuotaLeft(s.choices.quotas())}
	if now != s.last {
		s.last = now
		r := statusline.Report{Session: now.session, Title: now.title, Dir: now.dir, ProjectDir: s.opts.Dir, Branch: cmp.Or(meta.Branch, s.opts.Branch),
			Model: now.model, ModelName: style.ShortModel(now.model), Effort: now.effort, Version: s.opts.Version,
			Used: context.Used, Window: context.Window, Duration: s.look.Now().Sub(s.began)}
		if m := s.choices.model(now.model); m != nil {
			r.Model, r.ModelName = m.ID, m.Name
		}
		if q, ok := chat.PlanQuota(s.choices.quotas()); ok {
			r.Left, r.Of, r.Resets = int64(q.Remaining), int64(q.Entitlement), q.ResetsAt
		}
		s.line.Set(r)
	}
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

// rows returns the rows in w columns.
func (s *statusRows) rows(w int) []string {
	if s.line == nil {
		return nil
	}
	all, padding := s.line.Rows()
	out := make([]string, len(all))
	for i, row := range all {
		pad := strings.Repeat(" ", min(2+padding, w/4))
		out[i] = pad + s.look.Measure.Clip(row, w-2*len(pad))
	}
	return out
}
