package transcript

import (
	"parley/ui/scroll"
	"parley/ui/style"
	"parley/ui/transcript/prompt"
)

// userItem is a prompt of the user: that of its turn, or one that was steered into the running turn.
type userItem struct {
	itemState
	prompt prompt.Prompt
}

func (it *userItem) layout(l *style.Look) []string {
	return it.prompt.Rows(l, it.isOpen(), it.marked)
}

func (it *userItem) trace(rows []string, _ *style.Look) scroll.Trace {
	return it.prompt.Trace(rows)
}

func (it *userItem) text(*style.Look) (shown, folded string) { return it.prompt.Words() }
func (it *userItem) foldable() bool                          { return it.prompt.Foldable() }
func (it *userItem) empty() bool                             { return it.prompt.Empty() }
func (it *userItem) begins() bool                            { return true }
