package md

import "strings"

// pen returns the sequences that open looks. It caches them.
type pen struct {
	plain   bool // no sequences at all
	openers map[ink]string
	last    ink
	opened  string // the opener of last
}

// opener returns the sequence that opens a look, "" if it needs none.
func (p *pen) opener(l look) string {
	k := l.ink
	if p.plain || k == (ink{}) {
		return ""
	}
	if k == p.last {
		return p.opened
	}
	s, ok := p.openers[k]
	if !ok {
		s = k.opener()
		p.openers[k] = s
	}
	p.last, p.opened = k, s
	return s
}

// paint returns s in a look, for the parts of rows that are made once.
func (p *pen) paint(s string, l look) string {
	if o := p.opener(l); o != "" && s != "" {
		return o + s + reset
	}
	return s
}

// painted is paint with the blanks at the end left bare, so that they can be trimmed.
func (p *pen) painted(s string, l look) string {
	words := strings.TrimRight(s, " ")
	return p.paint(words, l) + s[len(words):]
}
