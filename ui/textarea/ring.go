package textarea

import "slices"

// maxKills is the most killed texts that the ring holds.
const maxKills = 60

// ring is the kill ring: the texts that were cut, the newest last.
type ring struct {
	texts  []string
	kills  int     // how often something was added
	joins  bool    // the last call killed text, so that the next kill is added to it
	yanked *yanked // the last call yanked
}

// yanked is the text that was yanked last: where it stands, and which of the ring it is.
type yanked struct {
	from, to pos
	nth      int
}

// interrupt ends a succession of kills, or of yanks.
func (r *ring) interrupt() { r.joins, r.yanked = false, nil }

// expand replaces chips by their text, before the chips are removed.
func (r *ring) expand(all chips) {
	for i, text := range r.texts {
		r.texts[i] = all.expand(text)
	}
}

// add adds a text.
func (r *ring) add(text string) {
	r.kills++
	if text == "" {
		return
	}
	r.texts = append(r.texts, text)
	if len(r.texts) > maxKills {
		r.texts = slices.Delete(r.texts, 0, len(r.texts)-maxKills)
	}
}

// join adds text to the newest one, before it or behind it.
func (r *ring) join(text string, before bool) {
	r.kills++
	last := &r.texts[len(r.texts)-1]
	if before {
		*last = text + *last
	} else {
		*last += text
	}
}

// Kill cuts from the cursor to where the motion ends, for Yank. Successive kills make one text. Where LineStart or
// LineEnd would cut nothing, it cuts the line feed.
func (c *Composer) Kill(m Motion) {
	ls, at := c.doc.lines, c.doc.at
	to := ls.move(m, at)
	if to == at && m == LineEnd {
		to = ls.right(at)
	}
	if to == at && m == LineStart {
		to = ls.left(at)
	}
	if to == at {
		return
	}
	back, from := to.less(at), at
	if back {
		from, to = to, at
	}
	text, joins := ls.text(from, to), c.ring.joins && len(c.ring.texts) > 0
	c.splice(from, to, "", other)
	if joins {
		c.ring.join(text, back)
	} else {
		c.ring.add(text)
	}
	c.ring.joins = true
}

// Yank pastes the last cut at the cursor.
func (c *Composer) Yank() { c.yank(c.doc.at, c.doc.at, len(c.ring.texts)-1) }

// YankPop replaces what Yank pasted by the cut before it, and after the oldest by the newest. It does nothing unless the
// last call was one of the two.
func (c *Composer) YankPop() {
	if y, n := c.ring.yanked, len(c.ring.texts); y != nil && n > 1 {
		c.yank(y.from, y.to, (y.nth+n-1)%n)
	}
}

func (c *Composer) yank(from, to pos, nth int) {
	if nth < 0 {
		return
	}
	c.splice(from, to, c.ring.texts[nth], other)
	c.ring.yanked = &yanked{from, c.doc.at, nth}
}
