package textarea

import (
	"slices"
	"strings"
)

// document is a text with a cursor and its past. The text changes in apply alone.
type document struct {
	lines lines
	at    pos    // the cursor
	goal  int    // the column that up and down aim for; -1 if the cursor has moved otherwise
	top   rowPos // the first visible row
	past  past
}

func newDocument(text string) *document {
	d := &document{goal: -1}
	for s := range strings.SplitSeq(text, "\n") {
		d.lines = append(d.lines, line{text: s})
	}
	return d
}

// line returns the text of the cursor's line.
func (d *document) line() string { return d.lines[d.at.line].text }

// moveTo moves the cursor.
func (d *document) moveTo(p pos) { d.at, d.goal = p, -1 }

// apply replaces what is between from and to, and moves the cursor behind the new text.
func (d *document) apply(from, to pos, text string) {
	head, tail := d.lines[from.line].text[:from.off], d.lines[to.line].text[to.off:]
	at := behind(from, text)
	if !strings.Contains(text, "\n") {
		d.lines[from.line] = line{text: head + text + tail}
		d.lines = slices.Delete(d.lines, from.line+1, to.line+1)
	} else {
		added := newDocument(text).lines
		added[0].text = head + added[0].text
		added[len(added)-1].text += tail
		d.lines = slices.Replace(d.lines, from.line, to.line+1, added...)
	}
	// What follows, such as a mark, may join the last character: the cursor stays between characters.
	d.moveTo(pos{at.line, boundary(d.lines[at.line].text, at.off)})
}

// change applies an edit and records it for undo.
func (d *document) change(from, to pos, text string, k kind) {
	e := edit{kind: k, from: from, removed: d.lines.text(from, to), inserted: text, before: d.at}
	d.apply(from, to, text)
	e.after = d.at
	d.past.record(e)
}

// undo reverts the last edit, or the last group of edits, and reports whether there was one.
func (d *document) undo() bool {
	edits := d.past.pop(&d.past.done, &d.past.undone)
	for _, e := range edits {
		d.apply(e.from, behind(e.from, e.inserted), e.removed)
		d.at = e.before
	}
	return len(edits) > 0
}

// redo applies again what undo reverted last, and reports whether there was anything.
func (d *document) redo() bool {
	edits := d.past.pop(&d.past.undone, &d.past.done)
	for _, e := range edits {
		d.apply(e.from, behind(e.from, e.removed), e.inserted)
		d.at = e.after
	}
	return len(edits) > 0
}
