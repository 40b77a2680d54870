package list

import (
	"slices"
	"strings"
	"time"

	"parley/ui/panel"
	"parley/ui/style"
)

// Finder is a source that finds rows by more than their texts, such as by the words of a session.
type Finder interface {
	// Find begins to look for what is typed, in place of what it looked for before, and returns the command for it; "" ends it. What it
	// finds goes to [Panel.Hit]. It returns nil if there is nothing to look for.
	Find(p *Panel, typed string) panel.Cmd
}

// Narrower is a source that reads more from what is typed than words.
type Narrower interface {
	// Narrow returns the words and phrases that a row has to have, in small letters, the rows that may be shown, nil for all, and what is
	// wrong with what is typed, visible, "" for nothing. "" is typed, too, where a list may hide rows.
	Narrow(typed string) (words []string, only map[string]bool, wrong string)
}

// narrowed is what a source reads from what is typed, or the words of it.
type narrowed struct {
	words []string
	only  map[string]bool
	wrong string
}

// read reads what is typed, with what reads more than words, nil for nothing.
func read(typed string, n Narrower) narrowed {
	typed = strings.TrimSpace(typed)
	if n != nil {
		words, only, wrong := n.Narrow(typed)
		return narrowed{words, only, wrong}
	}
	return narrowed{words: strings.Fields(strings.ToLower(typed))}
}

// findDue reports that a text has been typed for findDelay.
type findDue struct{ typed string }

// findDelay is the pause in typing after which rows are looked for in the background.
const findDelay = 150 * time.Millisecond

// hits are the rows that were found by more than their texts.
type hits struct {
	words []string // in small letters
	by    map[string][]string
	state string // what is being looked through, "" for nothing
}

// Hit adds rows that were found for what is typed, by their ids, with the passages that have its words, as visible lines. state is
// what is still looked through, visible, "" once that is over. It returns the command for a preview that is missing now.
func (p *Panel) Hit(found map[string][]string, state string) panel.Cmd {
	h := &p.Picker.hits
	h.state = state
	if len(found) == 0 {
		return nil
	}
	if h.by == nil {
		h.by = map[string][]string{}
	}
	for id, passages := range found {
		h.by[id] = passages
	}
	p.again()
	return p.Wanted()
}

// again filters the rows again, with the selection where it was.
func (p *Panel) again() {
	r, had := p.Picker.Selected()
	p.Picker.match()
	if had {
		p.Picker.Select(func(other Row) bool { return other.ID == r.ID })
	}
}

// typed begins to look for what is typed a moment later, if that changed, and forgets rows that it does not fit.
func (p *Panel) typed(before string) panel.Cmd {
	now := p.Picker.Typed()
	if _, is := p.Source.(Finder); !is || now == before {
		return nil
	}
	if p.Picker.hits.narrow(read(p.Picker.Typed(), p.Picker.narrower).words) {
		p.again()
	}
	return panel.After(findDelay, findDue{now})
}

// look begins to look for a text, unless another one is typed by now.
func (p *Panel) look(typed string) panel.Cmd {
	source, is := p.Source.(Finder)
	if !is || typed != p.Picker.Typed() {
		return nil
	}
	p.Picker.hits.words = read(p.Picker.Typed(), p.Picker.narrower).words
	return source.Find(p, typed)
}

// narrow keeps the rows whose passages have the words that are typed now, and reports whether others were dropped.
func (h *hits) narrow(words []string) bool {
	had := len(h.by)
	h.words = words
	for id, passages := range h.by {
		text := strings.ToLower(strings.Join(passages, " "))
		if len(h.words) == 0 || slices.ContainsFunc(h.words, func(w string) bool { return !strings.Contains(text, w) }) {
			delete(h.by, id)
		}
	}
	return len(h.by) < had
}

// drawn draws a line of the preview of a row, with the words marked by which the row was found.
func (h *hits) drawn(id, row string, th style.Theme) string {
	st, found, small := th.Dim, th.Overlays().Found, strings.ToLower(row)
	if h.by[id] == nil || len(small) != len(row) {
		return st.Of(row)
	}
	var b strings.Builder
	for len(row) > 0 {
		at, n := len(row), 0
		for _, w := range h.words {
			if i := strings.Index(small, w); i >= 0 && (i < at || i == at && len(w) > n) {
				at, n = i, len(w)
			}
		}
		b.WriteString(st.Of(row[:at]))
		if n > 0 {
			b.WriteString(found.Of(row[at : at+n]))
		}
		row, small = row[at+n:], small[at+n:]
	}
	return b.String()
}
