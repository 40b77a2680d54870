package compose

import (
	"slices"
	"strings"
)

// pos is a place in the text: a line and an offset in bytes, between two clusters.
type pos struct{ line, off int }

// document is a text with a cursor and its past. All changes go through apply.
type document struct {
	lines []line
	at    pos
	goal  int // the column that up and down aim for; -1 if the cursor was moved otherwise since
	top   rowPos

	edits      int // how often the text changed
	undo, redo []edit
	group      int // of the edits that are made now; 0 if each is undone by itself
	groups     int // how many there were
}

// line is a logical line with its layout, if it was laid out.
type line struct {
	text string
	rows []int // where its rows begin
	key  wrapKey
}

// A kind of edit. Edits of a kind that were made one after the other are undone together.
type kind uint8

const (
	other kind = iota
	typing
	erasing
)

// edit replaced one text by another at a place.
type edit struct {
	kind          kind
	group         int // edits of the same group, but 0, are undone together
	from          pos
	removed       string
	inserted      string
	before, after pos // the cursor
}

// The past is forgotten beyond so many edits.
const maxUndo = 500

func newDocument(text string) *document {
	d := &document{goal: -1}
	for s := range strings.SplitSeq(text, "\n") {
		d.lines = append(d.lines, line{text: s})
	}
	return d
}

// end is the place behind the last character.
func (d *document) end() pos {
	n := len(d.lines) - 1
	return pos{n, len(d.lines[n].text)}
}

// text returns what is between two places.
func (d *document) text(from, to pos) string {
	if from.line == to.line {
		return d.lines[from.line].text[from.off:to.off]
	}
	var b strings.Builder
	b.WriteString(d.lines[from.line].text[from.off:])
	for i := from.line + 1; i < to.line; i++ {
		b.WriteByte('\n')
		b.WriteString(d.lines[i].text)
	}
	b.WriteByte('\n')
	b.WriteString(d.lines[to.line].text[:to.off])
	return b.String()
}

// behind is where text ends that begins at from.
func behind(from pos, text string) pos {
	n := strings.Count(text, "\n")
	if n == 0 {
		return pos{from.line, from.off + len(text)}
	}
	return pos{from.line + n, len(text) - strings.LastIndexByte(text, '\n') - 1}
}

// apply puts text in the place of what is between from and to, and the cursor behind it.
func (d *document) apply(from, to pos, text string) {
	head, tail := d.lines[from.line].text[:from.off], d.lines[to.line].text[to.off:]
	d.at = behind(from, text)
	d.edits++
	if !strings.Contains(text, "\n") {
		d.lines[from.line] = line{text: head + text + tail}
		d.lines = slices.Delete(d.lines, from.line+1, to.line+1)
	} else {
		added := newDocument(text).lines
		added[0].text = head + added[0].text
		added[len(added)-1].text += tail
		d.lines = slices.Replace(d.lines, from.line, to.line+1, added...)
	}
	// What comes behind may join the last character, a mark for example: the cursor stays between characters.
	d.at.off = boundary(d.lines[d.at.line].text, d.at.off)
	d.goal = -1
}

// change applies an edit and remembers it.
func (d *document) change(from, to pos, text string, k kind) {
	e := edit{kind: k, group: d.group, from: from, removed: d.text(from, to), inserted: text, before: d.at}
	d.apply(from, to, text)
	e.after = d.at
	d.redo = nil
	if !d.join(e) {
		d.undo = append(d.undo, e)
		if len(d.undo) > maxUndo {
			d.undo = slices.Delete(d.undo, 0, len(d.undo)-maxUndo)
		}
	}
}

// join adds the edit to the one before if both are of a piece: letters typed one after the other up to a space, or
// erased one after the other.
func (d *document) join(e edit) bool {
	if len(d.undo) == 0 {
		return false
	}
	last := &d.undo[len(d.undo)-1]
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

// begin makes one of the edits up to the call of finish.
func (d *document) begin() {
	d.groups++
	d.group = d.groups
}

// finish ends what begin began.
func (d *document) finish() { d.group = 0 }

// back undoes the last edit, or those that are one with it, and forth does it again. They report whether there was one.
func (d *document) back() bool {
	done := false
	for done = d.backOne(); done && d.sameGroup(d.undo, d.redo); {
		d.backOne()
	}
	return done
}

func (d *document) forth() bool {
	done := false
	for done = d.forthOne(); done && d.sameGroup(d.redo, d.undo); {
		d.forthOne()
	}
	return done
}

// sameGroup reports whether the edit that is next in one direction belongs to the one just made in the other.
func (d *document) sameGroup(next, last []edit) bool {
	if len(next) == 0 || len(last) == 0 {
		return false
	}
	g := last[len(last)-1].group
	return g != 0 && next[len(next)-1].group == g
}

func (d *document) backOne() bool {
	if len(d.undo) == 0 {
		return false
	}
	e := d.undo[len(d.undo)-1]
	d.undo = d.undo[:len(d.undo)-1]
	d.apply(e.from, behind(e.from, e.inserted), e.removed)
	d.at = e.before
	d.redo = append(d.redo, e)
	return true
}

func (d *document) forthOne() bool {
	if len(d.redo) == 0 {
		return false
	}
	e := d.redo[len(d.redo)-1]
	d.redo = d.redo[:len(d.redo)-1]
	d.apply(e.from, behind(e.from, e.removed), e.inserted)
	d.at = e.after
	d.undo = append(d.undo, e)
	return true
}
