package usage

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/session/spending"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// Command is /usage of a session.
type Command struct {
	Look *style.Look
	// Lines say what the session cost and what is left of the plan, as names with their figures.
	Lines [][2]string
	// Events returns the session's events; it may block. nil: there is no session.
	Events func() []session.Event
	// Report reads what all sessions cost; it blocks. nil: nothing is known of others.
	Report func(ctx context.Context) (spending.Report, error)
}

// Run opens the list, read in the background.
func (c Command) Run() panel.Effect {
	return panel.Run{Work: func(ctx context.Context) panel.Effect { return panel.Push{Panel: list.Open(c.Look, c.read(ctx), "")} }}
}

// read makes the list.
func (c Command) read(ctx context.Context) List {
	l := List{Lines: c.Lines}
	if c.Events != nil {
		l.add("In this session", c.parts(spending.PartsOf(c.Events()))...)
	}
	if c.Report == nil {
		return l
	}
	r, err := c.Report(ctx)
	if err != nil {
		l.add("All sessions", [2]string{"Unknown", style.VisibleLine(session.ProblemOf(err, c.Look.Now()).What)})
		return l
	}
	c.sums(&l, r)
	return l
}

// parts describe what the session's credits were spent on. What is no part of them is left out.
func (c Command) parts(p spending.Parts) (lines [][2]string) {
	add := func(name, figure string) { lines = append(lines, [2]string{name, figure}) }
	if n := len(p.Prompts); n > 0 {
		last := p.Prompts[n-1]
		add("Last prompt", core.Credits(last.NanoAIU)+requests(last.Requests))
		most := p.Prompts[0]
		for _, one := range p.Prompts {
			if one.NanoAIU > most.NanoAIU {
				most = one
			}
		}
		if n > 1 {
			add("Costliest prompt", core.Credits(most.NanoAIU)+requests(most.Requests)+": "+style.VisibleLine(session.Subject(most.Text)))
		}
	}
	if own := p.Total - p.Children - p.Compaction; p.Requests > 1 && own > 0 {
		add("Each request", core.Credits(own/int64(p.Requests))+" on average, of "+human.Number(p.Requests))
	}
	if p.Children > 0 {
		var kinds []string
		for _, a := range p.Agents {
			kinds = append(kinds, cmp.Or(style.VisibleLine(a.Name), "unnamed")+" "+strings.TrimSuffix(core.Credits(a.NanoAIU), " credits"))
		}
		add("Subagents", core.Credits(p.Children)+": "+strings.Join(kinds, ", "))
	}
	if p.Compaction > 0 {
		add("Summaries", core.Credits(p.Compaction))
	}
	return lines
}

// requests words how many requests a prompt took.
func requests(n int) string {
	if n <= 0 {
		return ""
	}
	return " in " + human.Count(n, "request", "requests")
}

// most is how many models, agents and directories are listed each; `parley usage` has all.
const most = 5

// sums adds what all sessions cost.
func (c Command) sums(l *List, r spending.Report) {
	const all = "All sessions on this machine"
	l.add(all, [2]string{"Today", credits(r.Today)}, [2]string{"7 days", credits(r.Week)},
		[2]string{"30 days", credits(r.Month) + "  " + spending.Chart(r.Days)})
	if r.Subagents > 0 {
		l.add(all, [2]string{"Of it subagents", credits(r.Subagents)})
	}
	for _, of := range []struct {
		group string
		all   []spending.Share
		name  func(string) string
	}{
		{"By model, 30 days", r.Models, style.VisibleLine}, {"By agent", r.Agents, session.AgentTitle},
		{"By directory", r.Dirs, func(dir string) string { return style.VisibleLine(style.ShortPath(dir, c.Look.Home)) }},
	} {
		var lines [][2]string
		for _, s := range of.all[:min(most, len(of.all))] {
			lines = append(lines, [2]string{cmp.Or(of.name(s.Name), "unknown"), credits(s.Credits)})
		}
		if n := len(of.all) - most; n > 0 {
			lines = append(lines, [2]string{fmt.Sprintf("%d more", n), "`parley usage` lists all"})
		}
		l.add(of.group, lines...)
	}
}

// credits words a cost.
func credits(n float64) string { return cmp.Or(core.Credits(int64(n*1e9)), "0 credits") }

// List lists names with their figures. There is nothing to choose.
type List struct {
	// Lines stand first.
	Lines [][2]string
	more  []list.Row
}

// add adds lines under a heading.
func (l *List) add(group string, lines ...[2]string) {
	for _, line := range lines {
		l.more = append(l.more, list.Row{ID: fmt.Sprint(len(l.more)), Group: group, Cells: []string{line[0], line[1]}})
	}
}

// Options returns the texts of the list.
func (l List) Options() list.Options {
	return list.Options{Title: "Usage", Keys: "esc back", None: "Nothing is known yet", Plain: true, Prose: 1}
}

// Rows returns the figures.
func (l List) Rows() []list.Row {
	var rows []list.Row
	for _, line := range l.Lines {
		rows = append(rows, list.Row{ID: "plan " + line[0], Cells: []string{line[0], line[1]}})
	}
	return append(rows, l.more...)
}

// Choose does nothing.
func (l List) Choose(string) panel.Effect { return nil }
