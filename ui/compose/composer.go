package compose

import "strings"

// Composer is the field. It is used by one goroutine.
type Composer struct {
	doc     *document
	history history
	chips   []Chip   // every chip ever made, so that undo and drafts find theirs
	killed  []string // the kill ring, the newest last
	kills   int      // how often something was killed
	killing bool     // the last call killed text, so that the next one adds to it
	yanked  *yanked  // the last call put killed text in
	marked  *stretch // what is selected

	width, height int
	graphemes     bool
	looks         Looks

	version uint64
	shown   View
	fresh   bool // shown is of the present version
	wrapped int  // lines laid out, for tests
}

// Looks dress what is not plain text. Nil functions leave it as it is. They must not change how wide it is.
type Looks struct {
	Chip        func(string) string // the label of a folded paste
	Hidden      func(string) string // what stands for a control or otherwise hidden character
	Placeholder func(string) string
	Selected    func(string) string // what is selected in vim's visual mode
	// Hint is what an empty composer shows.
	Hint string
}

// New returns an empty composer, 80 columns wide and at most 10 rows high.
func New(looks Looks) *Composer {
	c := &Composer{doc: newDocument(""), width: 80, height: 10, looks: looks}
	c.history.reset(nil)
	return c
}

// SetSize sets the columns, of which the last is kept free for the cursor, and the most rows that are shown.
func (c *Composer) SetSize(width, rows int) {
	width, rows = max(width, 2), max(rows, 1)
	if width != c.width || rows != c.height {
		c.width, c.height = width, rows
		c.changed()
	}
}

// SetWidthMethod says whether the terminal measures text by grapheme clusters, or by code points.
func (c *Composer) SetWidthMethod(grapheme bool) {
	if grapheme != c.graphemes {
		c.graphemes = grapheme
		c.changed()
	}
}

// SetLooks changes how the composer is dressed.
func (c *Composer) SetLooks(looks Looks) {
	c.looks = looks
	c.changed()
}

// Version changes whenever View could return something else.
func (c *Composer) Version() uint64 { return c.version }

func (c *Composer) changed() {
	c.version++
	c.fresh = false
}

// Empty reports whether there is no text.
func (c *Composer) Empty() bool { return len(c.doc.lines) == 1 && c.doc.lines[0].text == "" }

// Begins reports whether the text begins with what is given, which holds no line break. It costs nothing however long the
// text is.
func (c *Composer) Begins(with string) bool { return strings.HasPrefix(c.doc.lines[0].text, with) }

// Value is the text to send, with the pastes in place of their chips.
func (c *Composer) Value() string { return c.expand(c.doc.text(pos{}, c.doc.end())) }

// SetValue puts another text in the place of what is there, the cursor at its end. It can be undone.
func (c *Composer) SetValue(text string) {
	c.replace(pos{}, c.doc.end(), text, other)
}

// Clear removes the text. It can be undone.
func (c *Composer) Clear() { c.SetValue("") }

// Reset starts anew after the text was sent: no text, no past, no chips, the history at its end.
func (c *Composer) Reset() {
	c.doc = newDocument("")
	for i, text := range c.killed {
		c.killed[i] = c.expand(text)
	}
	c.chips = nil
	c.history.reset(c.history.entries)
	c.killing, c.yanked, c.marked = false, nil, nil
	c.changed()
}

// clean makes text fit to be kept: line feeds only, and nothing that is not UTF-8.
func clean(text string) string {
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(text, "\r\n", "\n")
		text = strings.ReplaceAll(text, "\r", "\n") // what terminals send for a line feed in a paste
	}
	return strings.ToValidUTF8(text, "\ufffd")
}

// replace is the one way in which the user's text changes.
func (c *Composer) replace(from, to pos, text string, k kind) {
	if text = clean(text); from == to && text == "" {
		return
	}
	c.splice(from, to, text, k)
}

// splice is replace for text that is fit, and may contain chips.
func (c *Composer) splice(from, to pos, text string, k kind) {
	c.doc.change(from, to, text, k)
	c.killing, c.yanked, c.marked = false, nil, nil
	c.changed()
}

// moved notes that the cursor may have moved, and nothing else.
func (c *Composer) moved() {
	c.doc.goal = -1
	c.killing, c.yanked = false, nil
	c.changed()
}
