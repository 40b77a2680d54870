package transcript

import (
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/ui/style"
)

// The most and the least rows that stay on the normal screen when the user leaves.
const (
	lastWordsMost  = 200
	lastWordsLeast = 20
)

// LastWords returns the rows that stay when the user leaves: the last prompt with its turn, more if that is short, and only
// its end if it is long. height is that of the window.
func (s Session) LastWords(height int) []string {
	f, l, least := s.win.feed, s.win.look, min(lastWordsLeast, max(1, height-4))
	f.setMark(-1) // the fold key no longer works
	var blocks [][]string
	have, prompt := 0, false
	for i := len(f.list) - 1; i >= 0 && have < lastWordsMost && (have < least || !prompt); i-- {
		if !f.list[i].state().shown() {
			continue
		}
		rows := f.list[i].layout(l)
		if len(rows) == 0 {
			continue
		}
		prompt = prompt || f.list[i].begins()
		if f.list[i].state().gap {
			rows = append([]string{""}, rows...)
		}
		blocks = append(blocks, rows)
		have += len(rows)
	}
	var out []string
	for i := len(blocks) - 1; i >= 0; i-- {
		out = append(out, blocks[i]...)
	}
	if cut := len(out) - lastWordsMost; cut > 0 {
		out = append([]string{"  " + l.Theme.Dim.Of("… "+human.Count(cut+1, "row", "rows")+" before this")}, out[cut+1:]...)
	}
	for len(out) > 0 && out[0] == "" {
		out = out[1:]
	}
	return out
}

// Tail returns the last n rows of a session's events, without styles.
func Tail(events []session.Event, l *style.Look, n int) []string {
	f := newFeed("", l)
	f.apply(events)
	var blocks [][]string
	have := 0
	for i := len(f.list) - 1; i >= 0 && have < n; i-- {
		if !f.list[i].state().shown() {
			continue
		}
		rows := f.list[i].layout(l)
		if f.list[i].state().gap && len(rows) > 0 {
			rows = append([]string{""}, rows...)
		}
		blocks = append(blocks, rows)
		have += len(rows)
	}
	var out []string
	for i := len(blocks) - 1; i >= 0; i-- {
		for _, r := range blocks[i] {
			out = append(out, strings.TrimRight(style.Unstyled(r), " "))
		}
	}
	out = out[max(0, len(out)-n):]
	if len(out) > 0 && out[0] == "" {
		return out[1:]
	}
	return out
}
