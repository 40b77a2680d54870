package textarea

import "strings"

// Composer is the field in which a prompt is written. It is used by one goroutine.
type Composer struct {
	doc     *document
	history history
	chips   chips
	ring    ring
	marked  *stretch // the selection

	layout layout
	drawn  drawn
}

// New returns an empty composer, 80 columns wide and at most 10 rows high.
func New(looks Looks) *Composer {
	c := &Composer{doc: newDocument("")}
	c.layout = layout{width: 80, height: 10, chips: &c.chips, looks: looks}
	c.history.reset(nil)
	return c
}

// SetSize sets the columns, of which the last stays free for the cursor, and the most rows to show.
func (c *Composer) SetSize(width, rows int) {
	width, rows = max(width, 2), max(rows, 1)
	if width != c.layout.width || rows != c.layout.height {
		c.layout.width, c.layout.height = width, rows
		c.drawn.outdate()
	}
}

// SetWidthMethod sets whether the terminal measures text by grapheme clusters, or by code points.
func (c *Composer) SetWidthMethod(grapheme bool) {
	if grapheme != c.layout.graphemes {
		c.layout.graphemes = grapheme
		c.drawn.outdate()
	}
}

// SetLooks sets how text that is not plain is drawn.
func (c *Composer) SetLooks(looks Looks) {
	c.layout.looks = looks
	c.drawn.outdate()
}

// Version changes whenever View could return something else.
func (c *Composer) Version() uint64 { return c.drawn.version }

// Empty reports whether there is no text.
func (c *Composer) Empty() bool { return len(c.doc.lines) == 1 && c.doc.lines[0].text == "" }

// Begins reports whether the text begins with prefix, which holds no line break. Its cost does not depend on the text.
func (c *Composer) Begins(prefix string) bool { return strings.HasPrefix(c.doc.lines[0].text, prefix) }

// Value returns the text to send, with the pastes in place of their chips.
func (c *Composer) Value() string { return c.chips.expand(c.doc.lines.all()) }

// SetValue replaces the text and moves the cursor to its end. It can be undone.
func (c *Composer) SetValue(text string) { c.replace(pos{}, c.doc.lines.end(), text, other) }

// Reset clears the text, its undo history and the chips once the text was sent, and returns to the end of the history.
func (c *Composer) Reset() {
	c.doc = newDocument("")
	c.ring.expand(c.chips)
	c.chips = nil
	c.history.reset(c.history.entries)
	c.ring.interrupt()
	c.marked = nil
	c.drawn.outdate()
}

// Load replaces everything by a text without a past, with the cursor at its start.
func (c *Composer) Load(text string) {
	c.Reset()
	c.doc = newDocument(clean(text))
}

// clean makes text fit for the document: line feeds only, and valid UTF-8.
func clean(text string) string {
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(text, "\r\n", "\n")
		text = strings.ReplaceAll(text, "\r", "\n") // what terminals send for a line feed in a paste
	}
	return strings.ToValidUTF8(text, "\ufffd")
}

// replace replaces what is between two places by text from outside.
func (c *Composer) replace(from, to pos, text string, k kind) {
	if text = clean(text); from == to && text == "" {
		return
	}
	c.splice(from, to, text, k)
}

// splice replaces what is between two places by clean text, which may contain chips.
func (c *Composer) splice(from, to pos, text string, k kind) {
	c.doc.change(from, to, text, k)
	c.ring.interrupt()
	c.marked = nil
	c.drawn.outdate()
}

// moveTo moves the cursor.
func (c *Composer) moveTo(p pos) {
	c.doc.moveTo(p)
	c.moved()
}

// moved records that only the cursor has moved.
func (c *Composer) moved() {
	c.ring.interrupt()
	c.drawn.outdate()
}
