package textarea

import (
	"slices"
	"strings"
)

// past holds the edits of a document that can be undone and redone.
type past struct {
	done, undone []edit
	group        int // of the edits that are recorded now; 0 if each is undone by itself
	groups       int // how many there were
}

// A kind of edit. Successive edits of one kind are undone together.
type kind uint8

const (
	other kind = iota
	typing
	erasing
)

// edit replaced one text by another.
type edit struct {
	kind          kind
	group         int // edits of the same group are undone together, unless it is 0
	from          pos
	removed       string
	inserted      string
	before, after pos // the cursor
}

// maxUndo is the most edits that can be undone.
const maxUndo = 500

// record adds an edit. What was undone can no longer be redone.
func (p *past) record(e edit) {
	e.group = p.group
	p.undone = nil
	if p.join(e) {
		return
	}
	p.done = append(p.done, e)
	if len(p.done) > maxUndo {
		p.done = slices.Delete(p.done, 0, len(p.done)-maxUndo)
	}
}

// join merges the edit into the last one if both belong together: letters typed in succession up to a space, or erased
// in succession.
func (p *past) join(e edit) bool {
	if len(p.done) == 0 {
		return false
	}
	last := &p.done[len(p.done)-1]
	if e.kind != last.kind || e.before != last.after || e.group != last.group {
		return false
	}
	switch e.kind {
	case typing:
		if e.removed != "" || e.inserted == "\n" || strings.HasSuffix(last.inserted, " ") && e.inserted != " " ||
			behind(last.from, last.inserted) != e.from {
			return false
		}
		last.inserted += e.inserted
	case erasing:
		if e.inserted != "" || last.inserted != "" || behind(e.from, e.removed) != last.from {
			return false
		}
		last.removed = e.removed + last.removed
		last.from = e.from
	default:
		return false
	}
	last.after = e.after
	return true
}

// begin starts a group: edits up to finish are undone together.
func (p *past) begin() {
	p.groups++
	p.group = p.groups
}

// finish ends the group.
func (p *past) finish() { p.group = 0 }

// pop moves the newest edit, with all of its group, from one stack to the other and returns them in that order.
func (p *past) pop(from, to *[]edit) (edits []edit) {
	for n := len(*from) - 1; n >= 0; n-- {
		e := (*from)[n]
		if len(edits) > 0 && (e.group == 0 || e.group != edits[0].group) {
			break
		}
		edits = append(edits, e)
		*from = (*from)[:n]
	}
	*to = append(*to, edits...)
	return edits
}
