package help

import (
	"slices"
	"strings"

	"parley/internal/human"
	"parley/ui/style"
)

// columnGap is the room between two columns, keyGap that between a key and its description.
const columnGap, keyGap = 3, 2

// fewOfAgent is how many commands of an agent that has many stand in the columns.
const fewOfAgent = 5

// agentName and agentAbout bound the name and the description of an agent's command in brief columns.
const agentName, agentAbout = 13, 22

// columns returns the rows of all entries beside each other, nil where they do not fit into width and height: with their whole
// descriptions, else with brief ones, else without most of what the agent adds.
func (m *Model) columns(width, height int) []string {
	list := m.entries()
	if len(list) == 0 {
		return nil
	}
	if rows := m.flow(whole(list), width, height); rows != nil {
		return rows
	}
	if rows := m.flow(m.joined(list), width, height); rows != nil {
		return rows
	}
	return m.flow(m.joined(withoutMost(list)), width, height)
}

// withoutMost leaves out what an agent adds beyond a few commands, and counts it.
func withoutMost(list []entry) (all []entry) {
	n := 0
	for i, e := range list {
		last := i+1 == len(list) || list[i+1].group != agentGroup
		if e.group == agentGroup {
			n++
		}
		switch {
		case e.group != agentGroup, n < fewOfAgent:
			all = append(all, e)
		case last && n > fewOfAgent:
			all = append(all, entry{group: agentGroup, one: human.Number(n-fewOfAgent+1) + " more", right: "type to filter"})
		case last:
			all = append(all, e)
		}
	}
	return all
}

// cell is a row of a column: a heading, or a key with its description; empty between sections.
type cell struct {
	heading, left, right string
	quiet                bool // the description steps back
}

// whole returns the cells of entries with all that is known of them.
func whole(list []entry) []cell {
	return cells(list, func(e entry) cell { return cell{left: e.left, right: e.right} })
}

// joined returns the cells of entries in brief. Neighbors and commands with the same words are one. What is among the keys of every
// day is nowhere else: its words name the command. The first key of a command stands behind its words.
func (m *Model) joined(list []entry) []cell {
	var all []entry
	daily := map[string]int{}    // the rows of every day by their words
	commands := map[string]int{} // those of commands, and the keys of these
	keys := map[int]string{}
	for _, e := range list {
		e.right = e.brief()
		if at, said := daily[e.right]; said && e.group != everyday { // once is enough
			if !strings.HasPrefix(e.one, "/") {
				all[at].one = join(all[at].one, e.one)
			}
			continue
		}
		if at, said := commands[e.right]; said {
			switch {
			case strings.HasPrefix(e.one, "/"):
				all[at].one = join(all[at].one, e.one)
			case keys[at] == "":
				keys[at] = "  " + e.one
			}
			continue
		}
		switch e.group {
		case everyday:
			daily[e.right] = len(all)
		case commandGroup:
			commands[e.right] = len(all)
		}
		if e.group == agentGroup { // these words are not ours
			e.one, e.right = m.look.Measure.Clip(e.one, agentName), m.look.Measure.Clip(e.right, agentAbout)
			all = append(all, e)
			continue
		}
		if last := len(all) - 1; last >= 0 && all[last].group == e.group && all[last].right == e.right {
			all[last].one = join(all[last].one, e.one)
			continue
		}
		all = append(all, e)
	}
	for at, key := range keys {
		all[at].right += key
	}
	return cells(all, func(e entry) cell { return cell{left: e.one, right: e.right} })
}

// join writes two keys as one: "ctrl+up/down".
func join(a, b string) string {
	modifier, _, _ := strings.Cut(b, "+")
	if rest, same := strings.CutPrefix(b, modifier+"+"); same && rest != "" && strings.HasPrefix(a, modifier+"+") {
		return a + "/" + rest
	}
	return a + " " + b
}

// cells returns what list is made of, with headings.
func cells(list []entry, of func(entry) cell) (all []cell) {
	for i, e := range list {
		if i == 0 || list[i-1].group != e.group {
			if i > 0 {
				all = append(all, cell{})
			}
			all = append(all, cell{heading: style.Capital(e.group)})
		}
		c := of(e)
		c.quiet = !basic(e.group)
		all = append(all, c)
	}
	return all
}

// flow returns cells in as many columns as they need; nil if they do not fit.
func (m *Model) flow(all []cell, width, height int) []string {
	if height < 1 {
		return nil
	}
	parts := packed(all, height)
	var rows []string
	used := 0
	for i, part := range parts {
		column, wide := m.column(part)
		if i > 0 {
			used += columnGap
		}
		if used+wide > width-4 {
			return nil
		}
		for y, row := range column {
			if y == len(rows) {
				rows = append(rows, "  "+strings.Repeat(" ", used))
			}
			rows[y] = m.look.Measure.Pad(rows[y], 2+used) + row
		}
		used += wide
	}
	for i, row := range rows {
		rows[i] = strings.TrimRight(row, " ")
	}
	return rows
}

// described returns a description, dim where it steps back.
func described(th style.Theme, text string, quiet bool) string {
	if quiet {
		return th.Dim.Of(text)
	}
	return text
}

// packed shares sections out among columns of a height: each goes whole into the first one that has room for it. One that is higher
// goes on in further columns.
func packed(all []cell, height int) (parts [][]cell) {
	for len(all) > 0 {
		n := slices.Index(all, cell{})
		if n < 0 {
			n = len(all)
		}
		section := all[:n]
		all = all[min(n+1, len(all)):]
		at := slices.IndexFunc(parts, func(part []cell) bool { return len(part)+1+n <= height })
		if at >= 0 {
			parts[at] = append(append(parts[at], cell{}), section...)
			continue
		}
		for part := range slices.Chunk(section, height) {
			parts = append(parts, slices.Clone(part))
		}
	}
	return parts
}

// column returns the rows of a column and its width.
func (m *Model) column(part []cell) (rows []string, wide int) {
	th, ms := m.look.Theme, m.look.Measure
	left := 0
	for _, c := range part {
		left = max(left, ms.Width(c.left))
	}
	for _, c := range part {
		row := ""
		switch {
		case c.heading != "":
			row = th.Bold.Of(c.heading)
		case c.left != "":
			row = th.Accent.Of(ms.Pad(c.left, left)) + strings.Repeat(" ", keyGap) + described(th, c.right, c.quiet)
		}
		rows = append(rows, row)
	}
	return rows, slices.Max(append([]int{0}, widths(ms, rows)...))
}

// widths returns how wide rows are.
func widths(ms style.Measure, rows []string) []int {
	all := make([]int, len(rows))
	for i, row := range rows {
		all[i] = ms.Width(row)
	}
	return all
}
