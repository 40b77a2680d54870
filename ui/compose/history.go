package compose

// history are the prompts sent before. What the user writes at any of them is kept until the composer is reset, so that
// neither the draft nor a changed entry is lost by looking at another.
type history struct {
	entries []string // the newest last
	at      int      // len(entries) is the draft
	touched map[int]*document
}

func (h *history) reset(entries []string) {
	h.entries, h.at, h.touched = entries, len(entries), map[int]*document{}
}

// SetHistory sets the prompts of the past, the newest last. The composer goes back to the draft if it showed another. The
// slice must not be changed afterwards.
func (c *Composer) SetHistory(prompts []string) {
	if c.history.at != len(c.history.entries) {
		c.visit(len(c.history.entries))
	}
	c.history.reset(prompts)
}

// Previous shows the entry before the one that is shown, and Next the one after it; behind the newest entry is the
// draft. They report whether there was one.
func (c *Composer) Previous() bool {
	if c.history.at == 0 {
		return false
	}
	c.visit(c.history.at - 1)
	c.Start() // so that the next key up goes on
	return true
}

// Next shows the entry after the one that is shown.
func (c *Composer) Next() bool {
	if c.history.at >= len(c.history.entries) {
		return false
	}
	c.visit(c.history.at + 1)
	if c.history.at < len(c.history.entries) {
		c.Finish() // so that the next key down goes on
	}
	return true
}

// visit shows the entry, as it was left if it was shown before.
func (c *Composer) visit(i int) {
	h := &c.history
	h.touched[h.at] = c.doc
	h.at = i
	doc, ok := h.touched[i]
	if !ok {
		doc = newDocument(clean(h.entries[i]))
	}
	c.doc = doc
	c.moved()
}
