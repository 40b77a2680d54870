package sessions

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
	"parley/ui/transcript"
)

// Run opens the list of stored sessions, filtered by some words.
func Run(l *style.Look, m core.Manager, now core.Current, filter string) panel.Effect {
	return run(Sessions{Dir: now.Dir, Home: l.Home, Now: now.Meta.ID, At: l.Now(), Look: l, Manager: m}, filter)
}

// Start opens the list that the program was started for: leaving it leaves the program.
func Start(l *style.Look, m core.Manager, now core.Current, filter string) panel.Effect {
	return run(Sessions{Dir: now.Dir, Home: l.Home, Now: now.Meta.ID, At: l.Now(), Look: l, Manager: m, Leaves: true}, filter)
}

func run(s Sessions, filter string) panel.Effect {
	next := Find(s.Manager, s)
	s.Loading = true
	return panel.Push{Panel: list.Open(s.Look, s, filter), Start: find(next), Of: "sessions"}
}

// Fork opens the list of the turns that a copy of the session can end with, at a turn or the newest.
func Fork(l *style.Look, t *session.Transcript, at session.TurnID) panel.Effect {
	turns := Turns{Points: core.ForkPoints(t), At: l.Now()}
	p, first := list.Open(l, turns, ""), string(turns.First(at))
	p.Picker.Select(func(r list.Row) bool { return r.ID == first })
	return panel.Push{Panel: p, Of: "fork"}
}

// find returns the command that gets sessions, nil for nothing.
func find(next func(context.Context) Found) panel.Cmd {
	if next == nil {
		return nil
	}
	return func(ctx context.Context) tea.Msg { return next(ctx) }
}

// Update fills the list with what was found.
func (l Sessions) Update(p *list.Panel, msg tea.Msg) (panel.Effect, panel.Cmd) {
	switch msg := msg.(type) {
	case Found:
		return l.found(p, msg)
	case foundMsg:
		return l.hit(p, msg)
	case removalMsg:
		return l.gotRemoval(msg), nil
	case removedMsg:
		p.Set(l.binned(msg.id))
		return nil, p.Wanted()
	case restoredMsg:
		p.Set(l.restored(msg.session))
		return nil, p.Wanted()
	case emptiedMsg:
		p.Set(l.emptied(msg.key))
		return nil, p.Wanted()
	case markedMsg:
		return l.marked(p, msg)
	case renamedMsg:
		p.Set(l.change(func(all []session.Meta) []session.Meta {
			for i := range all {
				if all[i].ID == msg.id && all[i].Deleted.IsZero() {
					all[i].Title = msg.title
				}
			}
			return all
		}))
		return nil, nil
	}
	return panel.Pass{}, nil
}

// found shows what was found.
func (l Sessions) found(p *list.Panel, found Found) (panel.Effect, panel.Cmd) {
	var notice panel.Effect
	if len(found.Problems) > 0 {
		var all []string
		for _, err := range found.Problems {
			all = append(all, session.ProblemOf(err, l.Look.Now()).What)
		}
		what := style.Visible(style.OneLine(strings.Join(all, " ")))
		if len(found.All) == 0 {
			p.Picker.Fail(what)
			return nil, nil
		}
		notice = panel.Notice{Text: "Some sessions aren't listed: " + what, Warn: true}
	}
	now := found.Sessions
	now.search, now.last = l.search, l.last
	p.Set(now)
	var look panel.Cmd
	if typed := p.Picker.Typed(); typed != "" {
		look = now.Find(p, typed)
	}
	return notice, panel.Batch(p.Wanted(), find(found.Next), look)
}

// Peek reads the end of a stored session.
func (l Sessions) Peek(row string, width, height int) panel.Effect {
	s, known := l.find(row)
	id := s.ID
	switch {
	case !known:
		id = session.ID(row)
	case !s.Deleted.IsZero():
		return panel.Tell{Msg: list.Preview{ID: row, Rows: []string{"In the bin. enter or alt+u brings it back, ctrl+x deletes it for good."}}}
	}
	look := *l.Look
	look.Width = width
	return panel.Run{Work: func(ctx context.Context) panel.Effect {
		show := func(rows []string) panel.Effect {
			lead, rest := l.lead(row, whole(rows, &look), &look)
			return panel.Tell{Msg: list.Preview{ID: row, Lead: lead, Rows: rest}}
		}
		if p, ok := l.Manager.Preview(ctx, id); ok {
			return show(transcript.Tail(p.Events, &look, 2*height))
		}
		s, err := l.Manager.Resume(ctx, id)
		if err != nil {
			return show([]string{"cannot be read: " + style.VisibleLine(err.Error())})
		}
		history, detach := s.Attach(func(session.Event) {})
		detach()
		return panel.All{show(transcript.Tail(history, &look, 2*height)), panel.Spare{Session: s}}
	}}
}

// whole returns rows without those that continue a line of code: a preview shows where the line begins.
func whole(rows []string, l *style.Look) (all []string) {
	for _, row := range rows {
		text := strings.TrimLeft(style.Unstyled(row), " ")
		if n := len(all); n > 0 && (strings.HasPrefix(text, "↪ ") || l.Ascii && strings.HasPrefix(text, `\ `)) {
			if !strings.HasSuffix(all[n-1], "…") {
				all[n-1] = l.Measure.Clip(strings.TrimRight(all[n-1], " ")+"…", max(1, l.Width-2))
			}
			continue
		}
		all = append(all, row)
	}
	return all
}

// leadRows is how many rows of the first prompt stand before the end of a session.
const leadRows = 2

// lead returns the first prompt of a session, with which its preview begins, and what follows of the rows at the end of the session.
func (l Sessions) lead(id string, rows []string, look *style.Look) (lead, rest []string) {
	s, known := l.find(id)
	if !known || s.First == "" {
		return nil, rows
	}
	for i, row := range look.Measure.Wrap(style.VisibleLine(s.First), look.Width-2) {
		if i == leadRows {
			lead[i-1] += " …"
			break
		}
		lead = append(lead, "  "+row)
	}
	lead[0] = "> " + lead[0][2:]
	if len(rows) > 0 && strings.HasPrefix(rows[0], "> ") && strings.HasPrefix(style.VisibleLine(s.First), strings.TrimSpace(rows[0][2:])) { // a short session
		end := slices.Index(rows, "")
		if end < 0 {
			end = len(rows) - 1
		}
		rows = rows[end+1:]
	}
	return lead, rows
}
