package jsonedit

import "strings"

// Delete removes n, with its key and the comma that becomes superfluous. The root cannot be deleted.
func (d *Document) Delete(n Node) {
	if n > 0 && !d.nodes[n].deleted {
		d.nodes[n].deleted, d.dirty = true, true
	}
}

// DeleteMember removes every member with that name and reports whether there was one.
func (d *Document) DeleteMember(object Node, name string) bool {
	found := false
	for c := range d.Children(object) {
		if d.KeyIs(c, name) {
			d.Delete(c)
			found = true
		}
	}
	return found
}

// Replace replaces n by another JSON value. It discards changes within n.
func (d *Document) Replace(n Node, value string) {
	c := d.alter(n)
	c.replaced, c.text, c.added = true, value, nil
}

// Wrap puts text before and after the value of n, inside of earlier wrapping. Together they must be one JSON value.
func (d *Document) Wrap(n Node, before, after string) {
	c := d.alter(n)
	c.before, c.after = c.before+before, after+c.after
}

// Append adds an element at the end of an opened array that was not replaced.
func (d *Document) Append(array Node, value string) {
	c := d.alter(array)
	c.added = append(c.added, value)
}

// AppendMember adds a member at the end of an opened object that was not replaced. The name is not escaped.
func (d *Document) AppendMember(object Node, name, value string) {
	d.Append(object, `"`+name+`":`+value)
}

// InsertBefore inserts an element before the element n, after earlier insertions.
func (d *Document) InsertBefore(n Node, value string) {
	c := d.alter(n)
	c.insert = append(c.insert, value)
}

// Changed reports whether a change was recorded.
func (d *Document) Changed() bool { return d.dirty }

// Edits returns the changes as edits of the original text, in order, for [Apply].
func (d *Document) Edits() []Edit {
	if !d.dirty {
		return nil
	}
	return d.within(nil, d.Root())
}

// Bytes returns the text with the changes: the text itself if there are none.
func (d *Document) Bytes() []byte { return Apply(d.text, d.Edits()) }

// Take returns Bytes and may change the text to do so, see [applyOver]. The Document must not be used afterwards.
func (d *Document) Take() []byte { return applyOver(d.text, d.Edits()) }

// within appends the edits of n's value.
func (d *Document) within(out []Edit, n Node) []Edit {
	c, at := d.changeOf(n), d.nodes[n].value
	if c.replaced {
		return append(out, Edit{at, c.before + c.text + c.after})
	}
	if c.before != "" {
		out = append(out, Edit{Span{at.From, at.From}, c.before})
	}
	out = d.children(out, n, strings.Join(c.added, ","))
	if c.after != "" {
		out = append(out, Edit{Span{at.To, at.To}, c.after})
	}
	return out
}

// children appends the edits of n's members or elements. A deleted run loses the comma after it, or the one before it
// if nothing follows that stays.
func (d *Document) children(out []Edit, n Node, added string) []Edit {
	kept := None   // the one that stays before
	gone := Span{} // the run that goes
	run := false
	for c := d.nodes[n].first; c != None; c = d.nodes[c].next {
		from := d.start(c)
		if d.nodes[c].deleted {
			if !run {
				gone.From, run = from, true
			}
			gone.To = d.nodes[c].value.To
			continue
		}
		if run {
			out, run = append(out, Edit{Span{gone.From, from}, ""}), false
		}
		for _, text := range d.changeOf(c).insert {
			out = append(out, Edit{Span{from, from}, text + ","})
		}
		out, kept = d.within(out, c), c
	}
	switch {
	case kept != None:
		end := d.nodes[kept].value.To
		if added != "" {
			added = "," + added
		}
		if !run {
			gone.To = end
		}
		gone.From = end
	case !run: // there was nothing
		end := d.nodes[n].value.To - 1
		gone = Span{end, end}
	}
	if added != "" || run {
		out = append(out, Edit{gone, added})
	}
	return out
}

// start returns where a child begins, including its key.
func (d *Document) start(n Node) int {
	if k := d.nodes[n].key; k.To > k.From {
		return k.From
	}
	return d.nodes[n].value.From
}
