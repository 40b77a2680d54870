package ui

import "parley/ui/style"

// answer lays out the agent's words as markdown, also while they still come.
func (it *partItem) answer(l *style.Look) []string {
	p := it.part
	if p.Len() == 0 {
		return nil
	}
	if it.doc == nil {
		it.doc = newDocument()
	}
	it.doc.follow(p.Text(), p.Epoch, p.Ended)
	return it.doc.rows(l, l.Inner())
}
