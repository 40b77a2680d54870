package transcript

import (
	"parley/session"
	"parley/ui/scroll"
	"parley/ui/style"
)

// partItem is a run of text or reasoning. Which of the two may be learned, or corrected, after the part began, so the item
// asks textPart or reasoningPart each time.
type partItem struct {
	itemState
	part *session.Part
	doc  *document // of an answer; nil while nothing is laid out
}

// partKind is what text and reasoning do differently.
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

// finished reports that the part has ended. What is thrown away or corrected afterwards stays in a scrollback as it was
// seen, and what comes instead stands below it.
func (it *partItem) finished() bool { return it.part.Ended || it.part.Retracted }

func (it *partItem) trace(rows []string, l *style.Look) scroll.Trace { return it.kind().trace(rows, l) }
func (it *partItem) text(l *style.Look) (shown, folded string)       { return it.kind().text(l) }
func (it *partItem) foldable() bool                                  { return it.kind().foldable() }
func (it *partItem) answer() (text string, ok bool)                  { return it.kind().answer() }

// forget drops the layout of an answer that has ended. One that still grows keeps it.
func (it *partItem) forget() {
	if it.part.Ended {
		it.doc = nil
	}
}
