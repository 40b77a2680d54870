package transcript

import (
	"parley/ui/md"
	"parley/ui/scroll"
	"parley/ui/style"
	"parley/ui/transcript/align"
)

// textPart is a part of an answer.
type textPart partItem

// layout lays the answer out as markdown, also while it grows.
func (it *textPart) layout(l *style.Look) []string {
	p := it.part
	if p.Len() == 0 {
		return nil
	}
	if it.doc == nil {
		it.doc = newDocument()
	}
	it.doc.follow(p.Text(), p.Epoch, p.Ended)
	return it.doc.rows(l, 0)
}

func (it *textPart) trace(rows []string, _ *style.Look) scroll.Trace {
	if it.doc == nil || it.doc.doc == nil {
		return align.Rows(rows, 4)
	}
	return it.doc.trace(0, 0)
}

func (it *textPart) text(l *style.Look) (shown, folded string) {
	if l.Marks {
		return it.part.Text(), ""
	}
	return unmarked(md.FlattenLinks(it.part.Text(), l.Links)), ""
}

func (it *textPart) foldable() bool { return false }
func (it *textPart) empty() bool    { return it.part.Len() == 0 }

func (it *textPart) answer() (text string, ok bool) { return it.part.Text(), !it.hidden }
