package transcript

import (
	"strings"

	"parley/ui/scroll"
	"parley/ui/style"
)

// freshness remembers the first item that arrived while the reader was elsewhere, nil if there is none.
type freshness struct{ first item }

// note records that item, until the reader has seen the end and the item is off the screen.
func (n *freshness) note(rows *scroll.List, list []item) {
	if n.first != nil {
		return
	}
	i, ok := rows.FirstUnseen()
	for ; ok && i < len(list); i++ {
		if it := list[i]; it.state().shown() {
			n.first = it
			return
		}
	}
}

// draw draws a line above the first new item.
func (n *freshness) draw(out []string, rows *scroll.List, list []item, l *style.Look) {
	if n.first == nil {
		return
	}
	for y := range out {
		i, row, ok := rows.ItemAt(y)
		if !ok {
			break
		}
		if list[i] != n.first {
			continue
		}
		if row < 0 {
			side := strings.Repeat("─", max(0, (l.Inner()-5)/2))
			out[y] = "  " + l.Theme.Dim.Of(side) + l.Theme.Accent.Of(" new ") + l.Theme.Dim.Of(side)
		}
		return
	}
	if rows.Following() {
		n.first = nil
	}
}

// jump goes to the first new item.
func (n *freshness) jump(rows *scroll.List, list []item) {
	if n.first == nil {
		rows.JumpUnseen()
		return
	}
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] == n.first {
			rows.Jump(i)
			rows.Scroll(-1) // the line above it
			return
		}
	}
}
