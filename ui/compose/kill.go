package compose

import (
	"slices"
	"strings"
	"unicode"
)

// maxKills is how many killed texts are remembered.
const maxKills = 60

// yanked is the killed text that was put in last: where it stands, and which of the ring it is.
type yanked struct {
	from, to pos
	nth      int
}

// kill removes text and keeps it. What is killed one after the other is kept as one, in the order in which it stood.
func (c *Composer) kill(from, to pos) {
	if from == to {
		return
	}
	text, more, back := c.doc.text(from, to), c.killing, from != c.doc.at
	c.splice(from, to, "", other)
	last := len(c.killed) - 1
	c.kills++
	switch {
	case !more || last < 0:
		c.keep(text)
	case back:
		c.killed[last] = text + c.killed[last]
	default:
		c.killed[last] += text
	}
	c.killing = true
}

// keep adds text to the kill ring.
func (c *Composer) keep(text string) {
	c.kills++
	if text == "" {
		return
	}
	c.killed = append(c.killed, text)
	if len(c.killed) > maxKills {
		c.killed = slices.Delete(c.killed, 0, len(c.killed)-maxKills)
	}
}

// Yank adds what was killed last at the cursor.
func (c *Composer) Yank() { c.yank(c.doc.at, c.doc.at, len(c.killed)-1) }

// YankPop puts what was killed before in the place of what Yank added, and goes round when called again. It does nothing
// unless the last call was one of the two.
func (c *Composer) YankPop() {
	if y := c.yanked; y != nil && len(c.killed) > 1 {
		c.yank(y.from, y.to, (y.nth+len(c.killed)-1)%len(c.killed))
	}
}

func (c *Composer) yank(from, to pos, nth int) {
	if nth < 0 {
		return
	}
	c.splice(from, to, c.killed[nth], other)
	c.yanked = &yanked{from, c.doc.at, nth}
}

// KillBlankBack removes what is before the cursor up to a blank, for Yank.
func (c *Composer) KillBlankBack() {
	p := c.doc.at
	blank := func(q pos) bool {
		text := c.doc.lines[q.line].text
		return q.off >= len(text) || text[q.off] == ' ' || text[q.off] == '\t'
	}
	for q := c.left(p); q != p && blank(q); q = c.left(p) {
		p = q
	}
	for q := c.left(p); q != p && !blank(q); q = c.left(p) {
		p = q
	}
	c.kill(p, c.doc.at)
}

// Transpose exchanges the characters around the cursor, at the end of a line the last two.
func (c *Composer) Transpose() {
	at := c.doc.at
	if at.off == len(c.doc.lines[at.line].text) {
		at = c.left(at)
	}
	before, after := c.left(at), c.right(at)
	if before.line != at.line || after.line != at.line || before == at || after == at {
		return
	}
	c.splice(before, after, c.doc.text(at, after)+c.doc.text(before, at), other)
}

// UpperWord makes capitals of the letters from the cursor to the end of the word, LowerWord small letters, and TitleWord
// a capital of the first one.
func (c *Composer) UpperWord() { c.wordCase(strings.ToUpper) }

// LowerWord makes small letters of those from the cursor to the end of the word.
func (c *Composer) LowerWord() { c.wordCase(strings.ToLower) }

// TitleWord makes a capital of the first letter behind the cursor, and small letters of the rest of the word.
func (c *Composer) TitleWord() {
	c.wordCase(func(s string) string {
		i := strings.IndexFunc(s, unicode.IsLetter)
		if i < 0 {
			return s
		}
		r := []rune(s[i:])
		return s[:i] + string(unicode.ToTitle(r[0])) + strings.ToLower(string(r[1:]))
	})
}

func (c *Composer) wordCase(f func(string) string) {
	at := c.doc.at
	to := c.wordRight(at)
	var b strings.Builder
	c.split(c.doc.text(at, to), func(s string) { b.WriteString(f(s)) }, func(Chip) {})
	if text := b.String(); !strings.ContainsRune(c.doc.text(at, to), chipMark) && text != c.doc.text(at, to) {
		c.splice(at, to, text, other)
		return
	}
	c.moveTo(to)
}
