package lists

import (
	"strings"

	"parley/internal/human"
	"parley/ui/chat"
	"parley/ui/md"
	"parley/ui/picker"
	"parley/ui/style"
)

// Code lists the code blocks of an answer.
type Code struct{ Blocks []md.CodeBlock }

// Options returns the texts of the list.
func (l Code) Options() picker.Options {
	return picker.Options{Title: "Copy a code block", Keys: "enter copies · esc goes back", None: "no code block"}
}

// Rows returns the first line, the language and the size of each block.
func (l Code) Rows() []picker.Row {
	rows := make([]picker.Row, len(l.Blocks))
	for i, b := range l.Blocks {
		first, _, _ := strings.Cut(strings.TrimLeft(b.Text, "\n"), "\n")
		lang, _, _ := strings.Cut(b.Lang, " ")
		rows[i] = picker.Row{ID: indexID(i), Cells: []string{visible(strings.TrimSpace(first)), visible(lang), human.Count(style.Lines(b.Text), "line", "lines")}}
	}
	return rows
}

// Choose copies a block.
func (l Code) Choose(id string) Action {
	if i, ok := indexOf(id, len(l.Blocks)); ok {
		return Copy{"code", l.Blocks[i].Text}
	}
	return nil
}

// Offer asks whether to install a runtime.
type Offer struct{ Runtime chat.RuntimeOffer }

// Options returns the texts of the list.
func (l Offer) Options() picker.Options {
	return picker.Options{Title: "Install " + visible(l.Runtime.Title) + "?", Keys: chooseKeys}
}

// Rows returns yes and no.
func (l Offer) Rows() []picker.Row {
	return []picker.Row{{ID: "yes", Cells: []string{"install it now" + l.Runtime.Size()}}, {ID: "no", Cells: []string{"not now"}}}
}

// Choose installs the runtime for yes.
func (l Offer) Choose(id string) Action {
	if id != "yes" {
		return nil
	}
	return Install{}
}

// Usage lists what the session cost and what is left of the plan: names with their figures, in rows of at most Width columns.
// There is nothing to choose.
type Usage struct {
	Lines   [][2]string
	Measure style.Measure
	Width   int
}

// Options returns the texts of the list.
func (l Usage) Options() picker.Options {
	return picker.Options{Title: "Usage", Keys: "esc goes back", None: "nothing is known"}
}

// Rows returns the figures.
func (l Usage) Rows() []picker.Row {
	var rows []picker.Row
	for _, line := range l.Lines {
		for i, s := range l.Measure.Wrap(line[0]+": "+line[1], max(20, l.Width)) {
			if i > 0 {
				s = "  " + s
			}
			rows = append(rows, picker.Row{ID: line[0] + human.Number(i), Cells: []string{s}})
		}
	}
	return rows
}

// Choose does nothing.
func (l Usage) Choose(string) Action { return nil }
