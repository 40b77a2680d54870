package transcript

import "parley/ui/style"

// layoutOwned lays an item out as the owner of its code.
func layoutOwned(it item, l *style.Look) []string {
	if h := l.Highlighter; h != nil {
		h.SetOwner(it.state())
		defer h.SetOwner(nil)
	}
	return it.layout(l)
}

// Recolor makes the layouts of items stale whose code got its colors. The highlighter returns them as owners, with others.
func (m *Model) Recolor(owners []any) {
	for _, o := range owners {
		if s, is := o.(*itemState); is {
			s.recolored++
		}
	}
}

// settled reports whether the visible code of an item has its final colors.
func settled(it item, l *style.Look) bool {
	h := l.Highlighter
	if h == nil {
		return true
	}
	layoutOwned(it, l)
	if p, ok := it.(*partItem); ok && p.doc != nil && !p.doc.doc.Settled() {
		return false
	}
	return !h.Waits(it.state())
}
