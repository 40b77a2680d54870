package textarea

// history holds the prompts sent before. What the user writes at any of them stays until the composer is reset, so that
// neither the draft nor a changed entry is lost by looking at another.
type history struct {
	entries []string // the newest last
	at      int      // len(entries) is the draft
	touched map[int]*document
}

func (h *history) reset(entries []string) {
	h.entries, h.at, h.touched = entries, len(entries), map[int]*document{}
}

// visit moves to an entry and returns its document as it was left.
func (h *history) visit(i int, left *document) *document {
	h.touched[h.at] = left
	h.at = i
	if doc, ok := h.touched[i]; ok {
		return doc
	}
	return newDocument(clean(h.entries[i]))
}

// SetHistory sets the past prompts, the newest last, and returns to the draft. The slice must not be changed afterwards.
func (c *Composer) SetHistory(prompts []string) {
	c.browse(len(c.history.entries))
	c.history.reset(prompts)
}

// browse shows an entry of the history, or the draft behind the newest, and reports whether there is one. The cursor goes
// where the next key up or down goes on; that of the draft stays.
func (c *Composer) browse(i int) bool {
	was := c.history.at
	if i < 0 || i > len(c.history.entries) || i == was {
		return false
	}
	c.doc = c.history.visit(i, c.doc)
	c.moved()
	switch {
	case i < was:
		c.Move(TextStart)
	case i < len(c.history.entries):
		c.Move(TextEnd)
	}
	return true
}
