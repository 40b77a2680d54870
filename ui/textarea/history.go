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

// browse exchanges the document for that of an entry, or of the draft behind the newest, as it was left, and reports whether there is
// one. The cursor goes where the next key up or down goes on; that of the draft stays.
func (h *history) browse(i int, doc **document) bool {
	was := h.at
	if i < 0 || i > len(h.entries) || i == was {
		return false
	}
	h.touched[was], h.at = *doc, i
	to, touched := h.touched[i]
	if !touched {
		to = newDocument(clean(h.entries[i]))
	}
	switch {
	case i < was:
		to.moveTo(pos{})
	case i < len(h.entries):
		to.moveTo(to.lines.end())
	default:
		to.moveTo(to.at)
	}
	*doc = to
	return true
}

// SetHistory sets the past prompts, the newest last, and returns to the draft. The slice must not be changed afterwards.
func (c *Composer) SetHistory(prompts []string) {
	if c.history.browse(len(c.history.entries), &c.doc) {
		c.moved()
	}
	c.history.reset(prompts)
}
