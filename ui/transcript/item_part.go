package transcript

import (
	"parley/session"
	"parley/ui/scroll"
	"parley/ui/style"
)

// partItem is a part of text or reasoning. Which of the two may become known, or change, after the part began.
type partItem struct {
	itemState
	part *session.Part
	doc  *document // of an answer; nil while nothing is laid out
}

// partKind holds the methods in which text and reasoning differ.
type partKind interface {
	layout(l *style.Look) []string
	trace(rows []string, l *style.Look) scroll.Trace
	text(l *style.Look) (shown, folded string)
	foldable() bool
	empty() bool
	answer() (text string, ok bool)
}

func (it *partItem) kind() partKind {
	if it.part.Kind == session.PartReasoning {
		return (*reasoningPart)(it)
	}
	return (*textPart)(it)
}

func (it *partItem) layout(l *style.Look) []string {
	if it.part.Retracted {
		return nil
	}
	return it.kind().layout(l)
}

func (it *partItem) empty() bool { return it.part.Retracted || it.kind().empty() }

// finished reports whether the part has ended. If it is retracted or corrected later, a scrollback keeps the old rows and
// gets the new ones below them.
func (it *partItem) finished() bool { return it.part.Ended || it.part.Retracted }

func (it *partItem) trace(rows []string, l *style.Look) scroll.Trace { return it.kind().trace(rows, l) }
func (it *partItem) text(l *style.Look) (shown, folded string)       { return it.kind().text(l) }
func (it *partItem) foldable() bool                                  { return it.kind().foldable() }
func (it *partItem) answer() (text string, ok bool)                  { return it.kind().answer() }

// forget drops the layout of an answer that has ended.
func (it *partItem) forget() {
	if it.part.Ended {
		it.doc = nil
	}
}
