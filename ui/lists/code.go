package lists

import (
	"strings"

	"parley/internal/human"
	"parley/ui/chat"
	"parley/ui/list"
	"parley/ui/md"
	"parley/ui/panel"
	"parley/ui/style"
)

// Code lists the code blocks of an answer.
type Code struct{ Blocks []md.CodeBlock }

// Options returns the texts of the list.
func (l Code) Options() list.Options {
	return list.Options{Title: "Copy a code block", Keys: "enter copies · esc goes back", None: "no code block"}
}

// Rows returns the first line, the language and the size of each block.
func (l Code) Rows() []list.Row {
	rows := make([]list.Row, len(l.Blocks))
	for i, b := range l.Blocks {
		first, _, _ := strings.Cut(strings.TrimLeft(b.Text, "\n"), "\n")
		lang, _, _ := strings.Cut(b.Lang, " ")
		rows[i] = list.Row{ID: indexID(i), Cells: []string{visible(strings.TrimSpace(first)), visible(lang), human.Count(style.Lines(b.Text), "line", "lines")}}
	}
	return rows
}

// Choose copies a block.
func (l Code) Choose(id string) panel.Effect {
	if i, ok := indexOf(id, len(l.Blocks)); ok {
		return panel.Copy{What: "code", Text: l.Blocks[i].Text}
	}
	return nil
}

// Offer asks whether to install a runtime.
type Offer struct{ Runtime chat.RuntimeOffer }

// Options returns the texts of the list.
func (l Offer) Options() list.Options {
	return list.Options{Title: "Install " + visible(l.Runtime.Title) + "?", Keys: list.ChooseKeys}
}

// Rows returns yes and no.
func (l Offer) Rows() []list.Row {
	return []list.Row{{ID: "yes", Cells: []string{"install it now" + l.Runtime.Size()}}, {ID: "no", Cells: []string{"not now"}}}
}

// Choose installs the runtime for yes.
func (l Offer) Choose(id string) panel.Effect {
	if id != "yes" {
		return nil
	}
	return panel.Install{}
}

// Usage lists what the session cost and what is left of the plan: names with their figures, in rows of at most Width columns.
// There is nothing to choose.
type Usage struct {
	Lines   [][2]string
	Measure style.Measure
	Width   int
}

// Options returns the texts of the list.
func (l Usage) Options() list.Options {
	return list.Options{Title: "Usage", Keys: "esc goes back", None: "nothing is known"}
}

// Rows returns the figures.
func (l Usage) Rows() []list.Row {
	var rows []list.Row
	for _, line := range l.Lines {
		for i, s := range l.Measure.Wrap(line[0]+": "+line[1], max(20, l.Width)) {
			if i > 0 {
				s = "  " + s
			}
			rows = append(rows, list.Row{ID: line[0] + human.Number(i), Cells: []string{s}})
		}
	}
	return rows
}

// Choose does nothing.
func (l Usage) Choose(string) panel.Effect { return nil }
