package scroll

// look is what a layout of the slot would depend on now.
func (l *List) look(s *slot) look {
	return look{version: s.item.Version(), epoch: l.epoch, width: max(l.width, 1)}
}

// rows returns the rows of item i, laid out if they are not remembered.
func (l *List) rows(i int) []string {
	s := l.slots[i]
	if now := l.look(s); s.look != now {
		if s.laid == unlaid {
			s.laid = &laid{}
		}
		s.rows = nil
		s.rows = s.item.Layout(now.width)
		s.look = now
		l.cache.layouts++
	}
	l.cache.touch(s)
	return s.rows
}

// gap is how many blank rows stand before item i if it has any rows.
func (l *List) gap(i int) int {
	if i == 0 {
		return 0
	}
	return max(0, l.slots[i].item.Gap())
}

// total is how many rows item i takes if it has this many itself.
func (l *List) total(i, rows int) int {
	if rows <= 0 {
		return 0
	}
	return l.gap(i) + rows
}

// cache keeps the layouts used last. Those used in the present frame stay in any case.
type cache struct {
	keep, held     int
	newest, oldest *slot
	frame          uint64
	layouts        int
}

// touch makes the slot the one used last.
func (c *cache) touch(s *slot) {
	if c.newest == s {
		s.frame = c.frame
		return
	}
	if s.frame == 0 {
		c.held++
	} else {
		c.unlink(s)
	}
	s.older, s.frame = c.newest, c.frame
	if c.newest != nil {
		c.newest.newer = s
	}
	c.newest = s
	if c.oldest == nil {
		c.oldest = s
	}
}

func (c *cache) unlink(s *slot) {
	if s.newer != nil {
		s.newer.older = s.older
	} else {
		c.newest = s.older
	}
	if s.older != nil {
		s.older.newer = s.newer
	} else {
		c.oldest = s.newer
	}
	s.newer, s.older = nil, nil
}

// drop forgets the layout of the slot.
func (c *cache) drop(s *slot) {
	if s.laid == unlaid {
		return
	}
	if s.frame != 0 {
		c.unlink(s)
		c.held--
	}
	s.laid = unlaid
	if it, ok := s.item.(Forgetful); ok {
		it.Forget()
	}
}

// trim forgets what is too much.
func (c *cache) trim() {
	for c.held > c.keep && c.oldest != nil && c.oldest.frame != c.frame {
		c.drop(c.oldest)
	}
}
