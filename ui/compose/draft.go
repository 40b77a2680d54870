package compose

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// draft is the form in which a text is kept across runs.
type draft struct {
	Parts  []part `json:"parts"`
	Cursor int    `json:"cursor"` // in bytes of the text in which a chip takes as many as it does here
}

// part is either text, a folded paste, or the file of an image and its size.
type part struct {
	Text  string `json:"text,omitempty"`
	Paste string `json:"paste,omitempty"`
	Image string `json:"image,omitempty"`
	Size  int    `json:"size,omitempty"`
}

// Draft returns the text with its chips and the cursor in a form that SetDraft takes, and "" for an empty composer.
func (c *Composer) Draft() string {
	if c.Empty() {
		return ""
	}
	d := draft{Cursor: len(c.doc.text(pos{}, c.doc.at))}
	c.split(c.doc.text(pos{}, c.doc.end()),
		func(s string) { d.Parts = append(d.Parts, part{Text: s}) },
		func(p Chip) {
			if p.Image != "" {
				d.Parts = append(d.Parts, part{Image: p.Image, Size: p.size})
				return
			}
			d.Parts = append(d.Parts, part{Paste: p.Text})
		})
	b, _ := json.Marshal(d) // strings and a number always can be
	return string(b)
}

// SetDraft puts a draft in the place of whatever there is, and forgets its past. An error means that the draft is not one
// of Draft's, and nothing changed.
func (c *Composer) SetDraft(s string) error {
	var d draft
	if s != "" {
		if err := json.Unmarshal([]byte(s), &d); err != nil {
			return fmt.Errorf("reading the draft: %w", err)
		}
	}
	c.Reset()
	var b strings.Builder
	images := 0
	for _, p := range d.Parts {
		b.WriteString(clean(p.Text))
		if p.Paste != "" && len(c.chips) < maxChips {
			b.WriteString(c.newChip(clean(p.Paste)))
		}
		if p.Image != "" && len(c.chips) < maxChips {
			images++
			b.WriteString(c.addImage(images, p.Image, p.Size))
		}
	}
	c.doc = newDocument(b.String())
	c.doc.at = c.doc.place(d.Cursor)
	return nil
}

// JoinDrafts makes one draft of several, with an empty line between them and the cursor at the end. One that is not a draft
// of Draft's counts as text.
func JoinDrafts(drafts ...string) string {
	var all draft
	for _, s := range drafts {
		var d draft
		if s == "" {
			continue
		}
		if json.Unmarshal([]byte(s), &d) != nil {
			d = draft{Parts: []part{{Text: s}}}
		}
		if len(all.Parts) > 0 && len(d.Parts) > 0 {
			all.Parts = append(all.Parts, part{Text: "\n\n"})
		}
		all.Parts = append(all.Parts, d.Parts...)
	}
	if len(all.Parts) == 0 {
		return ""
	}
	all.Cursor = math.MaxInt32
	b, _ := json.Marshal(all) // strings and numbers always can be
	return string(b)
}

// place is where so many bytes are before the cursor, or the nearest place behind it.
func (d *document) place(bytes int) pos {
	for i := range d.lines {
		text := d.lines[i].text
		if bytes <= len(text) {
			return pos{i, boundary(text, max(bytes, 0))}
		}
		bytes -= len(text) + 1
	}
	return d.end()
}
