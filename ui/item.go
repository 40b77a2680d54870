package ui

import "parley/ui/style"

// item is one thing in the list of the conversation. Items are made and changed by the feed alone.
type item interface {
	// state is what all items have.
	state() *itemState
	// layout gives the item's rows under the look. It must depend on nothing but the item and the look. No rows: hidden.
	layout(l *style.Look) []string
	// foldable reports whether the item hides something, or shows what it could hide.
	foldable() bool
}

// itemState is what every item has.
type itemState struct {
	version uint64 // grows with every change; layouts are kept by it
	// recolored grows when code of it gets its colors.
	recolored uint16
	gap       bool // a blank row comes before it
	hidden    bool // it has nothing to show
	marked    bool // the fold key acts on it
	told      bool // it stands in the scrollback of an inline screen
	spelled   bool // what it asks about stands there, whole
	// turned says that the user has opened or folded it by hand, and open to what.
	turned, open bool
}

func (s *itemState) state() *itemState { return s }

// isOpen says whether the item shows all of it: as the user wants, else as it likes by itself.
func (s *itemState) isOpen(otherwise bool) bool {
	if s.turned {
		return s.open
	}
	return otherwise
}
