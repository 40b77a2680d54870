package scroll

// cache holds the layouts that were used last, and all of the current frame.
type cache struct {
	keep, held     int
	newest, oldest *slot
	frame          uint64
	layouts        int
}

// touch marks the slot as the one used last.
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

// trim drops the oldest layouts beyond the limit.
func (c *cache) trim() {
	for c.held > c.keep && c.oldest != nil && c.oldest.frame != c.frame {
		s := c.oldest
		c.unlink(s)
		c.held--
		s.laidOut = notLaidOut
		if it, ok := s.item.(Forgetful); ok {
			it.Forget()
		}
	}
}
