package ui

import (
	"strings"
	"time"
)

// item is one thing in the list of the conversation. Items are made and changed by the feed alone.
type item interface {
	// state is what all items have.
	state() *itemState
	// layout gives the item's rows under the look. It must depend on nothing but the item and the look. No rows: hidden.
	layout(l *look) []string
	// foldable reports whether the item hides something, or shows what it could hide.
	foldable() bool
}

// itemState is what every item has.
type itemState struct {
	version uint64 // grows with every change; layouts are kept by it
	gap     bool   // a blank row comes before it
	hidden  bool   // it has nothing to show
	marked  bool   // the fold key acts on it
	told    bool   // it stands in the scrollback of an inline screen
	spelled bool   // what it asks about stands there, whole
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

// look is everything that decides how items look besides themselves. It is shared by all items and changed only by the
// model; every change of it but the clock makes all layouts stale.
type look struct {
	theme   theme
	measure measure
	now     func() time.Time
	home    string // the user's home directory, to shorten paths
	dir     string // the session's directory, to shorten paths
	width   int    // columns for the conversation, gutter included
	height  int    // rows of the window
	keys    *keymap
	ascii   bool // nothing else may be drawn
	links   bool // the terminal knows hyperlinks

	// times says that items tell when they were and how long they took.
	times bool

	// marks says that what is looked for has marks of markdown in it; otherwise answers are searched without theirs. No
	// layout depends on it.
	marks bool

	// layouts counts the layouts made, for tests of the budget.
	layouts int
}

// textWidth is the widest a line of text may get, however wide the window.
const textWidth = 100

// gutterWidth is the width of the column that says who speaks.
const gutterWidth = 2

// inner is the number of columns right of the gutter.
func (l *look) inner() int { return max(1, min(l.width-gutterWidth, textWidth)) }

// gutter puts a mark before the first row and blanks before the others.
func gutter(mark string, rows []string) []string {
	for i, r := range rows {
		switch {
		case i == 0:
			rows[i] = mark + " " + r
		case r != "":
			rows[i] = "  " + r
		}
	}
	return rows
}

// more is the row that says how much is hidden and which key opens it.
func (l *look) more(n int, what string, marked bool) string {
	s := "… " + group(n) + " more " + what
	if n == 1 {
		s = strings.TrimSuffix(s, "s")
	}
	if marked {
		s += " · " + l.fold() + " shows all"
	}
	return l.theme.dim.of(s)
}

// lastLines returns the last n lines of s without touching the rest of it, and whether there were more before.
func lastLines(s string, n int) (string, bool) {
	s = strings.TrimRight(s, "\n")
	at := len(s)
	for range n {
		i := strings.LastIndexByte(s[:at], '\n')
		if i < 0 {
			return s, false
		}
		at = i
	}
	return s[at+1:], true
}
