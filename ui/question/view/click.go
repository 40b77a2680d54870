package view

import (
	"slices"
	"time"
)

// zone is where an answer stands: a row with its columns from x0 up to x1, and the index of the answer.
type zone struct {
	row, x0, x1 int
	at          int
}

// zoneLonger stands in a zone for how long the lasting answer holds: a click goes to the next.
const zoneLonger = -1

// clicks is where the answers stand and which one the pointer pressed.
type clicks struct {
	hits    []zone    // of the last layout, by the rows of the question
	zones   []zone    // of the last frame, by the rows of the screen
	placed  time.Time // when the zones last changed
	pressed bool
	at      zone // the pressed one
}

// Place records the row of the screen in which the rows of the last layout begin. After a change clicks wait again, since
// something else is under the pointer.
func (m *View) Place(top int) {
	p := m.cur
	if p == nil {
		return
	}
	c := &p.clicks
	zones := make([]zone, 0, len(c.hits))
	for _, z := range c.hits {
		if z.row < m.laid {
			z.row += top
			zones = append(zones, z)
		}
	}
	if !slices.Equal(zones, c.zones) {
		c.zones, c.placed = zones, m.o.Now()
	}
}

// zoneAt returns the answer in a cell, if clicks count by now.
func (m *View) zoneAt(x, y int, reachable bool) (zone, bool) {
	p, now := m.cur, m.o.Now()
	if p == nil || !reachable || !p.focus.settled(now) || now.Sub(p.clicks.placed) < settleTime {
		return zone{}, false
	}
	for _, z := range p.clicks.zones {
		if y == z.row && x >= z.x0 && x < z.x1 {
			return z, true
		}
	}
	return zone{}, false
}

// PressAt takes a press of the pointer in a cell of the screen, and reports whether an answer is there. reachable says
// that the question is visible and the conversation is not being read.
func (m *View) PressAt(x, y int, reachable bool) bool {
	z, ok := m.zoneAt(x, y, reachable)
	if m.cur != nil {
		m.cur.clicks.at, m.cur.clicks.pressed = z, ok
	}
	return ok
}

// Pressed reports whether the pointer is down on an answer.
func (m *View) Pressed() bool { return m.cur != nil && m.cur.clicks.pressed }

// releaseAt takes the release of the pointer. On the answer where it was pressed it returns what to carry out: the held key
// as text first, then the answer.
func (m *View) releaseAt(x, y int, reachable bool) (held, act Action) {
	z, ok := m.zoneAt(x, y, reachable)
	p := m.cur
	if p == nil || !p.clicks.pressed {
		return nil, nil
	}
	p.clicks.pressed = false
	if !ok || z.at != p.clicks.at.at {
		return nil, nil
	}
	held = m.Release()
	m.changed = true
	if z.at == zoneLonger {
		if was := p.q.Permission.Scope(); p.q.Longer(1) && p.q.Permission.Scope() == was {
			p.q.Longer(-9) // after the longest comes the shortest
		}
		return held, nil
	}
	if p.form == nil {
		return held, p.pick(z.at)
	}
	return held, p.clickOption(z.at)
}

// clickOption toggles an option of several, and takes the only one.
func (p *prompt) clickOption(i int) Action {
	f := p.form
	if f.Reviewing() || f.Writing() || i >= f.Fields[f.At].Rows() {
		return nil
	}
	fd := &f.Fields[f.At]
	f.Sel = i
	if fd.Multi && i < len(fd.Options) {
		fd.Toggle(i)
		return nil
	}
	p.focus.give() // a user who answered one question of a form goes on with the next
	return answered(f.pick())
}
