package textarea

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parley/internal/human"
)

// A paste above one of these sizes becomes a chip.
const (
	chipBytes = 8 << 10
	chipLines = 40
)

// In the text a chip is a byte that UTF-8 never contains, and its number in so many hexadecimal digits.
const (
	chipMark   = 0xff
	chipDigits = 4
	chipSize   = 1 + chipDigits
	maxChips   = 1 << (4 * chipDigits)
)

// Chip is a big paste, or an image, that the composer shows as a label and handles like one character.
type Chip struct {
	// Label is shown in its place, in ASCII.
	Label string
	// Text is the pasted text, with plain line feeds, or the words that represent an image in the prompt.
	Text string
	// Image is the file of an image, "" for a paste.
	Image string

	size, number int
}

// ImageChip returns a chip for [Composer.SetValueWithChips]: an image in a file of so many bytes, which text represents.
func ImageChip(text, file string, size int) Chip { return Chip{Text: text, Image: file, size: size} }

// chips are all chips that were made since the composer was reset, so that undo and drafts find theirs. A chip's number
// in the text is its index.
type chips []Chip

// full reports whether there is no number left.
func (cs chips) full() bool { return len(cs) >= maxChips }

// folds reports whether a paste is big enough for a chip.
func (cs chips) folds(text string) bool {
	return (len(text) > chipBytes || strings.Count(text, "\n") >= chipLines) && !cs.full()
}

// add adds a chip and returns its mark for the text.
func (cs *chips) add(p Chip) string {
	*cs = append(*cs, p)
	return fmt.Sprintf("%s%0*x", []byte{chipMark}, chipDigits, len(*cs)-1)
}

// addPaste adds a pasted text and returns its mark.
func (cs *chips) addPaste(text string) string {
	lines := 1 + strings.Count(strings.TrimSuffix(text, "\n"), "\n")
	return cs.add(Chip{Label: label(len(*cs)+1, lines, len(text)), Text: text})
}

// addImage adds an image under a number and returns its mark.
func (cs *chips) addImage(n int, file string, size int) string {
	text := fmt.Sprintf("[image %d]", n)
	return cs.add(Chip{Label: fmt.Sprintf("[image %d: %s]", n, human.Kilobytes(size)), Text: text, Image: file, size: size, number: n})
}

func label(number, lines, bytes int) string {
	size := human.Kilobytes(bytes)
	if lines > 1 {
		return fmt.Sprintf("[paste %d: %s lines, %s]", number, human.Number(lines), size)
	}
	return fmt.Sprintf("[paste %d: %s]", number, size)
}

// of returns the chip of a cluster that begins with chipMark.
func (cs chips) of(cluster string) Chip {
	n, err := strconv.ParseUint(cluster[1:], 16, 32)
	if err != nil || int(n) >= len(cs) {
		return Chip{Label: "[?]"}
	}
	return cs[n]
}

// expand replaces the chips in s by their texts.
func (cs chips) expand(s string) string {
	if strings.IndexByte(s, chipMark) < 0 {
		return s
	}
	var b strings.Builder
	cs.split(s, func(text string) { b.WriteString(text) }, func(p Chip) { b.WriteString(p.Text) })
	return b.String()
}

// split calls text and chip for the parts of s in their order.
func (cs chips) split(s string, text func(string), chip func(Chip)) {
	for s != "" {
		i := strings.IndexByte(s, chipMark)
		if i < 0 {
			text(s)
			return
		}
		if i > 0 {
			text(s[:i])
		}
		n := next(s[i:])
		chip(cs.of(s[i : i+n]))
		s = s[i+n:]
	}
}

// InsertImage adds the image of a file at the cursor and returns the words that represent it in the prompt, such as
// "[image 2]". Its label shows size, in bytes. It returns "" if there is no room for more.
func (c *Composer) InsertImage(file string, size int) string {
	if c.chips.full() {
		return ""
	}
	n := 1 // images are numbered on their own: the prompt's reader sees no other chips
	for _, p := range c.Chips() {
		if p.Image != "" {
			n = max(n, p.number+1)
		}
	}
	mark := c.chips.addImage(n, file, size)
	text := c.chips.of(mark).Text
	c.splice(c.doc.at, c.doc.at, mark, other)
	return text
}

// SetValueWithChips is [Composer.SetValue] with chips: a chip whose Text stands in the text unchanged, as it does when it
// returns from an editor, becomes a chip again, a paste once. Images are numbered from 1 again.
func (c *Composer) SetValueWithChips(text string, offered []Chip) {
	var b strings.Builder
	offered = slices.Clone(offered)
	for n := 1; !c.chips.full(); {
		at, first := -1, 0
		for k, p := range offered {
			if i := strings.Index(text, p.Text); p.Text != "" && i >= 0 && (at < 0 || i < at) {
				at, first = i, k
			}
		}
		if at < 0 {
			break
		}
		p := offered[first]
		b.WriteString(clean(text[:at]))
		text = text[at+len(p.Text):]
		if p.Image == "" {
			b.WriteString(c.chips.add(p))
			offered = slices.Delete(offered, first, first+1)
			continue
		}
		b.WriteString(c.chips.addImage(n, p.Image, p.size))
		n++
	}
	c.splice(pos{}, c.doc.lines.end(), b.String()+clean(text), other)
}

// Chips returns the chips that are in the text, in their order.
func (c *Composer) Chips() (in []Chip) {
	c.chips.split(c.doc.lines.all(), func(string) {}, func(p Chip) { in = append(in, p) })
	return in
}

// Unfold replaces the paste before the cursor, or else the one behind it, by its text, and reports whether there was one.
func (c *Composer) Unfold() bool {
	ls, at := c.doc.lines, c.doc.at
	for _, from := range []pos{ls.left(at), at} {
		if !ls.isChip(from) || from.line != at.line {
			continue
		}
		to := ls.right(from)
		p := c.chips.of(ls.text(from, to))
		if p.Image == "" {
			c.replace(from, to, p.Text, other)
		}
		return p.Image == ""
	}
	return false
}
