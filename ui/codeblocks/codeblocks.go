package codeblocks

import (
	"strconv"
	"strings"

	"parley/internal/human"
	"parley/ui/list"
	"parley/ui/md"
	"parley/ui/panel"
	"parley/ui/style"
)

// List lists the code blocks of an answer.
type List struct{ Blocks []md.CodeBlock }

// Options returns the texts of the list.
func (l List) Options() list.Options {
	return list.Options{Title: "Copy a code block", Keys: "enter copy · esc back", None: "No code block"}
}

// Rows returns the first line, the language and the size of each block.
func (l List) Rows() []list.Row {
	rows := make([]list.Row, len(l.Blocks))
	for i, b := range l.Blocks {
		first, _, _ := strings.Cut(strings.TrimLeft(b.Text, "\n"), "\n")
		lang, _, _ := strings.Cut(b.Lang, " ")
		rows[i] = list.Row{ID: strconv.Itoa(i), Cells: []string{style.VisibleLine(strings.TrimSpace(first)), style.VisibleLine(lang), human.Count(style.Lines(b.Text), "line", "lines")}}
	}
	return rows
}

// Choose copies a block.
func (l List) Choose(id string) panel.Effect {
	if i, err := strconv.Atoi(id); err == nil && i < len(l.Blocks) {
		return panel.Copy{What: "code", Text: l.Blocks[i].Text}
	}
	return nil
}
