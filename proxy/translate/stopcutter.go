package translate

import "strings"

// stopCutter ends a text at the first stop sequence. It holds back a possible beginning of one.
type stopCutter struct {
	stops []string
	held  string
	met   string // the sequence that was found
}

// pass returns the part of a text that can be passed on, and whether a sequence follows it.
func (c *stopCutter) pass(text string) (out string, met bool) {
	if len(c.stops) == 0 {
		return text, false
	}
	text = c.held + text
	c.held = ""
	at := -1
	for _, s := range c.stops {
		if i := strings.Index(text, s); i >= 0 && (at < 0 || i < at) {
			at, c.met = i, s
		}
	}
	if at >= 0 {
		return text[:at], true
	}
	keep := 0
	for _, s := range c.stops {
		for n := min(len(s)-1, len(text)); n > keep; n-- {
			if strings.HasSuffix(text, s[:n]) {
				keep = n
			}
		}
	}
	c.held = text[len(text)-keep:]
	return text[:len(text)-keep], false
}

// rest returns the text held back at the end of a block. A sequence never spans two blocks.
func (c *stopCutter) rest() string {
	rest := c.held
	c.held = ""
	return rest
}
