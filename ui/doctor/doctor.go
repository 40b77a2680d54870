package doctor

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/internal/crash"
	"parley/internal/human"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// Run opens the list of checks, which fills as they end. setup may be nil.
func Run(look *style.Look, setup core.Setup) panel.Effect {
	if setup == nil {
		return panel.Notice{Text: "Nothing can be checked here. Run parley doctor in a shell", Warn: true}
	}
	return panel.Push{Panel: list.Open(look, checks{}, ""), Start: begin(setup), Of: "doctor"}
}

// checks are those that have ended.
type checks struct {
	all  []core.Check
	done bool
}

// checkMsg carries a check that has ended, nil for the end of all, and next what waits for the one after it.
type checkMsg struct {
	check *core.Check
	next  panel.Cmd
}

// begin returns the command that starts the checks and waits for the first.
func begin(setup core.Setup) panel.Cmd {
	return func(ctx context.Context) tea.Msg {
		ended := make(chan core.Check)
		crash.Go(func() {
			defer close(ended)
			setup.Examine(ctx, func(c core.Check) {
				select {
				case ended <- c:
				case <-ctx.Done():
				}
			})
		})
		return wait(ended)(ctx)
	}
}

// wait returns the command that waits for the next check.
func wait(ended <-chan core.Check) panel.Cmd {
	return func(ctx context.Context) tea.Msg {
		select {
		case c, more := <-ended:
			if more {
				return checkMsg{&c, wait(ended)}
			}
		case <-ctx.Done():
		}
		return checkMsg{}
	}
}

// Update adds a check.
func (l checks) Update(p *list.Panel, msg tea.Msg) (panel.Effect, panel.Cmd) {
	m, is := msg.(checkMsg)
	if !is {
		return panel.Pass{}, nil
	}
	if l.done = m.check == nil; !l.done {
		l.all = append(slices.Clip(l.all), *m.check)
	}
	p.Set(l)
	return nil, m.next
}

// More reports whether checks are still running.
func (l checks) More() bool { return !l.done }

// Options returns the texts of the list.
func (l checks) Options() list.Options {
	o := list.Options{Title: "Doctor", Keys: "↑↓ scroll · esc back", Plain: true, Prose: 1}
	if !l.done {
		o.Right = "checking…"
	}
	if len(l.all) == 0 && !l.done {
		o.Wait = "Checking your setup…"
	}
	return o
}

// Rows returns a row for each check, and at the end how many found a problem.
func (l checks) Rows() (rows []list.Row) {
	bad := 0
	for i, c := range l.all {
		mark, text := "✓ ", c.Found
		if c.Problem != "" {
			mark, text = "! ", c.Problem
			bad++
		}
		rows = append(rows, list.Row{ID: human.Number(i), Cells: []string{mark + style.VisibleLine(c.Name), style.VisibleLine(text)}})
	}
	switch {
	case l.done && bad == 0:
		rows = append(rows, list.Row{ID: "end", Cells: []string{"", "No problems found."}})
	case l.done:
		rows = append(rows, list.Row{ID: "end", Cells: []string{"", human.Count(bad, "problem", "problems") + " found."}})
	}
	return rows
}

// Choose does nothing.
func (l checks) Choose(string) panel.Effect { return nil }
