package usage

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"strings"

	tea "charm.land/bubbletea/v2"

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

// Run opens the list with what is known, and reads the rest beside the chat.
func (c Command) Run() panel.Effect {
	l := List{Lines: c.Lines, open: map[string]bool{}}
	var reads []panel.Cmd
	for _, part := range []struct {
		name string
		on   bool
		read func(context.Context) []list.Row
	}{{own, c.Events != nil, c.own}, {every, c.Report != nil, c.every}} {
		if !part.on {
			continue
		}
		l.open[part.name] = true
		reads = append(reads, func(ctx context.Context) tea.Msg { return read{part.name, part.read(ctx)} })
	}
	return panel.Push{Panel: list.Open(c.Look, l, ""), Start: panel.Batch(reads...)}
}

// The parts of the list that are read, and the headings of their first rows.
const (
	own, every       = "own", "every"
	inSession, inAll = "In this session", "All sessions on this machine"
)

// read brings a part of the list.
type read struct {
	part string
	rows []list.Row
}

// own reads what the session's credits went for.
func (c Command) own(context.Context) []list.Row {
	var r rows
	r.add(own, inSession, c.parts(spending.PartsOf(c.Events()))...)
	return r
}

// every reads what all sessions cost.
func (c Command) every(ctx context.Context) []list.Row {
	var all rows
	r, err := c.Report(ctx)
	if err != nil {
		all.add(every, inAll, [2]string{"Unknown", style.VisibleLine(session.ProblemOf(err, c.Look.Now()).What)})
		return all
	}
	c.sums(&all, r)
	return all
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

// dirColumns is the most columns of a directory: the figures of all rows stand behind the longest name.
const dirColumns = 40

// sums adds what all sessions cost.
func (c Command) sums(all *rows, r spending.Report) {
	all.add(every, inAll, [2]string{"Today", credits(r.Today)}, [2]string{"7 days", credits(r.Week)},
		[2]string{"30 days", credits(r.Month) + "  " + spending.Chart(r.Days)})
	if r.Subagents > 0 {
		all.add(every, inAll, [2]string{"Of it subagents", credits(r.Subagents)})
	}
	for _, of := range []struct {
		group  string
		shares []spending.Share
		name   func(string) string
	}{
		{"By model, 30 days", r.Models, style.VisibleLine}, {"By agent", r.Agents, session.AgentTitle},
		{"By directory", r.Dirs, func(dir string) string {
			return c.Look.Measure.ClipLeft(style.VisibleLine(style.Place(dir, c.Look.Home)), dirColumns)
		}},
	} {
		var lines [][2]string
		for _, s := range of.shares[:min(most, len(of.shares))] {
			lines = append(lines, [2]string{cmp.Or(of.name(s.Name), "unknown"), credits(s.Credits)})
		}
		if n := len(of.shares) - most; n > 0 {
			lines = append(lines, [2]string{fmt.Sprintf("%d more", n), "`parley usage` lists all"})
		}
		all.add(every, of.group, lines...)
	}
}

// credits words a cost.
func credits(n float64) string { return cmp.Or(core.Credits(int64(n*1e9)), "0 credits") }

// rows are rows of figures.
type rows []list.Row

// add adds lines of a part under a heading.
func (r *rows) add(part, group string, lines ...[2]string) {
	for _, line := range lines {
		*r = append(*r, list.Row{ID: fmt.Sprint(part, " ", len(*r)), Group: group, Cells: []string{line[0], line[1]}})
	}
}

// List lists names with their figures. There is nothing to choose.
type List struct {
	// Lines stand first.
	Lines [][2]string
	// found are the parts that have been read, open those that are being read.
	found map[string][]list.Row
	open  map[string]bool
}

// Options returns the texts of the list.
func (l List) Options() list.Options {
	return list.Options{Title: "Usage", Keys: "esc back", None: "Nothing is known yet", Plain: true, Prose: 1}
}

// Rows returns the figures, with a row in the place of what is being read.
func (l List) Rows() []list.Row {
	var all rows
	for _, line := range l.Lines {
		all = append(all, list.Row{ID: "plan " + line[0], Cells: []string{line[0], line[1]}})
	}
	all = append(all, l.found[own]...)
	if l.open[every] {
		all.add("reading", inAll, [2]string{"Reading their costs", "…"})
	}
	return append(all, l.found[every]...)
}

// More reports whether something is still being read. The chat in lines prints the list when all is there.
func (l List) More() bool { return len(l.open) > 0 }

// Update shows a part that has been read.
func (l List) Update(p *list.Panel, msg tea.Msg) (panel.Effect, panel.Cmd) {
	part, is := msg.(read)
	if !is {
		return panel.Pass{}, nil
	}
	l.found, l.open = maps.Clone(l.found), maps.Clone(l.open)
	if l.found == nil {
		l.found = map[string][]list.Row{}
	}
	l.found[part.part] = part.rows
	delete(l.open, part.part)
	p.Set(l)
	return nil, nil
}

// Choose does nothing.
func (l List) Choose(string) panel.Effect { return nil }
