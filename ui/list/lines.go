package list

import (
	"strings"

	"parley/internal/human"
	"parley/ui/panel"
)

// Printed is the rows of a list as the chat in lines prints them for a command. Their numbers mean these rows until the command prints
// others.
type Printed struct {
	Source  Source
	Rows    []Row
	Command string
}

// Line is a line of a list in the chat in lines, behind its speaker.
type Line struct{ Who, Text string }

// listed is the most rows that are printed at once.
const listed = 20

// Lines returns the lines to print, with the number that chooses each row behind the command. The rows are those that words find, ""
// for all.
func (p *Printed) Lines(words string) (all []Line) {
	o, rows, command := p.Source.Options(), p.Rows, p.Command
	note := func(text string) { all = append(all, Line{"note", text}) }
	switch {
	case len(rows) > 0:
	case words != "":
		note("No " + o.One + ` matches "` + words + `". List them with /` + command)
		return all
	default:
		note(o.None)
		return all
	}
	if o.Text != "" {
		note(o.Text)
	}
	group := ""
	most := listed
	if o.Plain { // words find nothing in it
		most = len(rows)
	}
	for i, r := range rows[:min(len(rows), most)] {
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
			text = strings.TrimPrefix(strings.Join(r.Cells, ": "), ": ")
		}
		if o.Numbered {
			text = strings.TrimPrefix(text, human.Number(r.Called(i))+" ")
		}
		all = append(all, Line{who, text})
		for _, said := range r.Says {
			all = append(all, Line{"found", strings.TrimSpace(said)})
		}
	}
	if n := len(rows) - most; n > 0 {
		note(human.Number(n) + " more. Find them with /" + command + " WORDS")
	}
	if o.One != "" && o.Also != "" {
		note("Choose one with /" + command + " NUMBER or NAME. " + o.Also)
	} else if o.One != "" {
		note("Choose one with /" + command + " NUMBER or NAME")
	}
	return all
}

// Meant returns the effect of choosing the row that words name, or alone find, and whether there is such a row.
func (p *Printed) Meant(words string) (e panel.Effect, found bool) {
	if words == "" {
		return nil, false
	}
	for _, r := range p.Source.Rows() {
		if r.ID == words {
			return p.choose(&r), true
		}
	}
	if len(p.Rows) != 1 {
		return nil, false
	}
	return p.choose(&p.Rows[0]), true
}

// Choose returns the effect of choosing the row of a number.
func (p *Printed) Choose(number int) panel.Effect {
	for i := range p.Rows {
		if r := &p.Rows[i]; r.Called(i) == number {
			return p.choose(r)
		}
	}
	return panel.Notice{Text: "There is no " + p.Source.Options().One + " " + human.Number(number) + ". List them with /" + p.Command}
}

func (p *Printed) choose(r *Row) panel.Effect {
	if r.Off != "" {
		return panel.Notice{Text: r.Cells[0] + ": " + r.Off, Warn: true}
	}
	return p.Source.Choose(r.ID)
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
