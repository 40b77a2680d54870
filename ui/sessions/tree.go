package sessions

import (
	"strings"

	"parley/session"
	"parley/ui/list"
)

// deepest is the most levels by which copies of copies are indented.
const deepest = 4

// parents have what each session is a copy of, by the keys of rows; nil if there is no copy.
type parents map[string]string

// parentsOf returns the parents of sessions.
func parentsOf(all []session.Meta) parents {
	var ps parents
	for i := range all {
		if s := &all[i]; s.Parent != "" && s.Parent != s.ID {
			if ps == nil {
				ps = parents{}
			}
			ps[keyOf(*s)] = string(s.Parent)
		}
	}
	return ps
}

// order returns rows with each copy below its original, if that is among them. The family stands where its newest member was.
func (ps parents) order(rows []list.Row) []list.Row {
	if ps == nil || len(rows) < 2 {
		return rows
	}
	at := make(map[string]int, len(rows))
	for i := range rows {
		at[rows[i].ID] = i
	}
	parent := func(i int) int {
		if p, known := at[ps[rows[i].ID]]; known {
			return p
		}
		return -1
	}
	below := map[int][]int{}
	for i := range rows {
		if p := parent(i); p >= 0 {
			below[p] = append(below[p], i)
		}
	}
	out, done := make([]list.Row, 0, len(rows)), make([]bool, len(rows))
	var add func(i, depth int, group string)
	add = func(i, depth int, group string) {
		if done[i] {
			return
		}
		done[i] = true
		r := rows[i]
		if r.Group = group; depth > 0 {
			r.Cells = append([]string{strings.Repeat("  ", min(depth, deepest)-1) + "└ " + r.Cells[0]}, r.Cells[1:]...)
		}
		out = append(out, r)
		for _, child := range below[i] {
			add(child, depth+1, group)
		}
	}
	for i := range rows {
		root := i
		for range rows { // a file that was changed by hand may have a circle
			p := parent(root)
			if p < 0 {
				break
			}
			root = p
		}
		add(root, 0, rows[i].Group)
		add(i, 0, rows[i].Group)
	}
	return out
}
