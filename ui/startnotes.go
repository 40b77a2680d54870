package ui

import "fmt"

// atStart are the lines that have to be said before the first key: what is wrong, then what else there is to know.
type atStart struct{ lines []said }

func (s *atStart) warn(text string) { s.lines = append(s.lines, said{text: text, warn: true}) }

func (s *atStart) tell(text string) { s.lines = append(s.lines, said{text: text}) }

// sayAtStart shows the first of the lines and keeps all of them for /notices, where it points if there are several. Where
// nothing is wrong or new there is room for a tip. A picker that opens by itself needs the row for its keys: the line waits
// until it is closed, and no tip comes.
func (m *Model) sayAtStart(s atStart, tip string) {
	now := m.now()
	for _, line := range s.lines {
		m.saidBefore = append(m.saidBefore, said{now, line.text, line.warn})
	}
	var f flash
	switch n := len(s.lines); {
	case n > 1:
		f = flash{text: fmt.Sprintf("1 of %d (/notices): %s", n, s.lines[0].text), warn: s.lines[0].warn}
	case n == 1:
		f = flash{text: s.lines[0].text, warn: s.lines[0].warn}
	case m.opts.Resume == nil:
		f = flash{text: tip}
		m.keepSaid(tip, false)
	}
	if m.opts.Resume != nil {
		m.waitingFlash = f
		return
	}
	m.flash = f
}

// sayWaiting shows the line that had no room before.
func (m *Model) sayWaiting() {
	if m.waitingFlash.text != "" {
		m.flash, m.waitingFlash = m.waitingFlash, flash{}
	}
}
