package ui

import "strings"

// reasoningTail is how many rows of running reasoning are shown while it is folded.
const reasoningTail = 5

// reasoning lays out the agent's thinking: a dim window on its last rows while it streams, one row when it is done.
func (it *partItem) reasoning(l *look) []string {
	p := it.part
	if p.Len() == 0 && p.Ended {
		return nil
	}
	dim := l.theme.dim
	open := it.isOpen(false)
	head := "thinking"
	if p.Ended {
		head = "thought"
		if p.Duration > 0 {
			head += " for " + seconds(max(p.Duration, 1e9))
		}
	}
	if l.times && !p.Started.IsZero() {
		head += " · " + l.clock(p.Started)
	}
	hint := ""
	if it.marked && it.foldable() {
		hint = l.fold() + " shows"
		if open {
			hint = l.fold() + " folds"
		}
	}
	rows := []string{dim.of("~ ") + l.measure.spread(dim.of(head), dim.of(hint), l.inner())}
	if !open && p.Ended {
		return rows
	}
	text := p.Text()
	if !open {
		// The last rows need no more than this much of the text, however long the reasoning has become.
		if cut := len(text) - reasoningTail*l.inner()*4; cut > 0 {
			text = strings.ToValidUTF8(text[cut:], "")
			if _, after, ok := strings.Cut(text, " "); ok {
				text = after
			}
		}
	}
	lines := l.measure.wrap(strings.Trim(visible(text), "\n"), l.inner())
	if n := len(lines); !open && n > reasoningTail {
		lines = lines[n-reasoningTail:]
	}
	for _, s := range lines {
		if strings.TrimSpace(s) == "" {
			rows = append(rows, "")
			continue
		}
		rows = append(rows, "  "+dim.of(s))
	}
	return rows
}
