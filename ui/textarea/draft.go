package textarea

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// draft is the stored form of a text.
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

// Draft returns the text with its chips and the cursor in the form that SetDraft reads, and "" for an empty composer.
func (c *Composer) Draft() string {
	if c.Empty() {
		return ""
	}
	d := draft{Cursor: len(c.doc.lines.text(pos{}, c.doc.at))}
	c.chips.split(c.doc.lines.all(),
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

// SetDraft replaces the text by a draft and clears the undo history. It fails, and changes nothing, if Draft did not
// write the draft.
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
		if p.Paste != "" && !c.chips.full() {
			b.WriteString(c.chips.addPaste(clean(p.Paste)))
		}
		if p.Image != "" && !c.chips.full() {
			images++
			b.WriteString(c.chips.addImage(images, p.Image, p.Size))
		}
	}
	c.doc = newDocument(b.String())
	c.doc.at = c.doc.lines.offset(d.Cursor)
	return nil
}

// JoinDrafts joins drafts with an empty line between them and the cursor at the end. What Draft did not write counts as
// text.
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
