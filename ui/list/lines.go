package list

import (
	"strings"

	"parley/internal/human"
)

// Line is a line of a list in the chat in lines, behind its speaker.
type Line struct{ Who, Text string }

// listed is the most rows that are printed at once.
const listed = 20

// Lines returns the rows of a list for the chat in lines, each under the number that chooses it behind a command.
func Lines(o Options, rows []Row, command string) (all []Line) {
	note := func(text string) { all = append(all, Line{"note", text}) }
	if o.Text != "" {
		note(o.Text)
	}
	group := ""
	for i, r := range rows[:min(len(rows), listed)] {
		if r.Group != group {
			group = r.Group
			all = append(all, Line{"in", strings.ReplaceAll(group, " · ", ", ")})
		}
		who := "note"
		if o.One != "" {
			who = o.One + " " + human.Number(r.Called(i))
		}
		text := r.text(o)
		if o.Plain {
			text = strings.Join(r.Cells, ": ")
		}
		all = append(all, Line{who, text})
		for _, said := range r.Says {
			all = append(all, Line{"found", strings.TrimSpace(said)})
		}
	}
	if n := len(rows) - listed; n > 0 {
		note(human.Number(n) + " more. Find them with /" + command + " WORDS")
	}
	if o.One != "" && o.Also != "" {
		note("Choose one with /" + command + " NUMBER or NAME. " + o.Also)
	} else if o.One != "" {
		note("Choose one with /" + command + " NUMBER or NAME")
	}
	return all
}

// Called returns the number by which the chat in lines calls a row that stands at a place, from 0.
func (r *Row) Called(place int) int {
	if r.Number > 0 {
		return r.Number
	}
	return place + 1
}

// text returns the cells of a row behind each other, each with the head of its column: a value with all that it could be, and the
// name alone, before which stands what it is.
func (r *Row) text(o Options) string {
	var all []string
	for i, c := range r.Cells {
		if c = strings.TrimSpace(c); c == "" {
			continue
		}
		if i > 0 && i == o.Value && len(r.Values) > 1 {
			c += " (" + strings.Join(r.Values, ", ") + ")"
		}
		if i > 0 && i < len(o.Heads) && o.Heads[i] != "" {
			c = o.Heads[i] + " " + c
		}
		all = append(all, c)
	}
	if r.Mark {
		all = append(all, "in use")
	}
	if r.Off != "" {
		all = append(all, r.Off)
	}
	return strings.Join(all, ", ")
}
