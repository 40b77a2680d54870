package compose

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A paste above one of these sizes becomes a chip.
const (
	chipBytes = 8 << 10
	chipLines = 40
)

// In the text a chip is a byte that no UTF-8 contains, and its number in so many hexadecimal digits.
const (
	chipMark   = 0xff
	chipDigits = 4
	chipSize   = 1 + chipDigits
	maxChips   = 1 << (4 * chipDigits)
)

// Chip is a big paste, or an image, that the composer shows as a label and handles like one character.
type Chip struct {
	// Label is what is shown, in ASCII.
	Label string
	// Text is what was pasted, with plain line feeds; of an image it is what stands in the text for it.
	Text string
	// Image is the file of an image, "" for a paste.
	Image string

	size, number int
}

// InsertImage adds an image at the cursor, which is in a file, and returns what stands for it in the text, such as
// "[image 2]". size is said with it, in bytes. It returns "" if there is no room for more.
func (c *Composer) InsertImage(file string, size int) string {
	if len(c.chips) >= maxChips {
		return ""
	}
	ref := c.newImage(file, size)
	text := c.chips[len(c.chips)-1].Text
	c.splice(c.doc.at, c.doc.at, ref, other)
	return text
}

// SetValueWithChips is [Composer.SetValue] with chips: those of the given ones whose Text stands in the text as it is, as
// it does when it comes back from an editor, stand as chips again, a paste once. The numbers of images begin anew.
func (c *Composer) SetValueWithChips(text string, chips []Chip) {
	var b strings.Builder
	chips = slices.Clone(chips)
	for n := 1; len(c.chips) < maxChips; {
		at, first := -1, 0
		for k, p := range chips {
			if i := strings.Index(text, p.Text); p.Text != "" && i >= 0 && (at < 0 || i < at) {
				at, first = i, k
			}
		}
		if at < 0 {
			break
		}
		p := chips[first]
		b.WriteString(clean(text[:at]))
		text = text[at+len(p.Text):]
		if p.Image == "" {
			b.WriteString(c.addChip(p))
			chips = slices.Delete(chips, first, first+1)
			continue
		}
		b.WriteString(c.addImage(n, p.Image, p.size))
		n++
	}
	c.splice(pos{}, c.doc.end(), b.String()+clean(text), other)
}

// ImageChip describes an image for [Composer.SetValueWithChips]: what stands for it in a text, its file and its size.
func ImageChip(text, file string, size int) Chip { return Chip{Text: text, Image: file, size: size} }

// newImage keeps the image and returns what stands for it. Images are counted by themselves: the reader of the prompt
// sees no others.
func (c *Composer) newImage(file string, size int) string {
	n := 1
	for _, p := range c.Chips() {
		if p.Image != "" {
			n = max(n, p.number+1)
		}
	}
	return c.addImage(n, file, size)
}

// addImage keeps the image under a number.
func (c *Composer) addImage(n int, file string, size int) string {
	text := fmt.Sprintf("[image %d]", n)
	return c.addChip(Chip{Label: fmt.Sprintf("[image %d: %s KB]", n, thousands((size+1023)/1024)), Text: text, Image: file, size: size, number: n})
}

func (c *Composer) addChip(p Chip) string {
	c.chips = append(c.chips, p)
	return fmt.Sprintf("%s%0*x", []byte{chipMark}, chipDigits, len(c.chips)-1)
}

// newChip keeps the text and returns what stands for it.
func (c *Composer) newChip(text string) string {
	n := len(c.chips)
	lines := 1 + strings.Count(strings.TrimSuffix(text, "\n"), "\n")
	return c.addChip(Chip{Label: label(n+1, lines, len(text)), Text: text})
}

func label(number, lines, bytes int) string {
	size := thousands((bytes+1023)/1024) + " KB"
	if lines > 1 {
		return fmt.Sprintf("[paste %d: %s lines, %s]", number, thousands(lines), size)
	}
	return fmt.Sprintf("[paste %d: %s]", number, size)
}

// thousands writes a number with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// chip returns what a cluster that begins with chipMark stands for.
func (c *Composer) chip(cluster string) Chip {
	n, err := strconv.ParseUint(cluster[1:], 16, 32)
	if err != nil || int(n) >= len(c.chips) {
		return Chip{Label: "[?]"}
	}
	return c.chips[n]
}

// expand puts what chips stand for in their place.
func (c *Composer) expand(s string) string {
	if strings.IndexByte(s, chipMark) < 0 {
		return s
	}
	var b strings.Builder
	c.split(s, func(text string) { b.WriteString(text) }, func(p Chip) { b.WriteString(p.Text) })
	return b.String()
}

// split calls text and paste for the parts of s in their order.
func (c *Composer) split(s string, text func(string), paste func(Chip)) {
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
		paste(c.chip(s[i : i+n]))
		s = s[i+n:]
	}
}

// Chips returns the chips that are in the text, in their order.
func (c *Composer) Chips() []Chip {
	var chips []Chip
	for i := range c.doc.lines {
		c.split(c.doc.lines[i].text, func(string) {}, func(p Chip) { chips = append(chips, p) })
	}
	return chips
}

// Unfold replaces the chip before the cursor, or else the one behind it, by its text, and reports whether there was one.
func (c *Composer) Unfold() bool {
	d := c.doc
	text := d.lines[d.at.line].text
	from, to := before(text, 0, d.at.off), d.at.off
	if from == to || text[from] != chipMark {
		from, to = d.at.off, d.at.off+next(text[d.at.off:])
	}
	if from == to || text[from] != chipMark || c.chip(text[from:to]).Image != "" {
		return false
	}
	c.replace(pos{d.at.line, from}, pos{d.at.line, to}, c.chip(text[from:to]).Text, other)
	return true
}
