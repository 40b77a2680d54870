package ui

import (
	"parley/session"
	"parley/ui/style"
)

// partItem is a run of text or reasoning. Which of the two may be learned, or corrected, after the part began.
type partItem struct {
	itemState
	part *session.Part
	doc  *document
}

func (it *partItem) foldable() bool {
	return it.part.Kind == session.PartReasoning && it.part.Len() > 0
}

func (it *partItem) layout(l *style.Look) []string {
	p := it.part
	if p.Retracted {
		return nil
	}
	if p.Kind == session.PartReasoning {
		return it.reasoning(l)
	}
	return it.answer(l)
}
