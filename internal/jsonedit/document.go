package jsonedit

import (
	"bytes"
	"iter"
	"sync"
)

// Shape names the parts of a text that a [Document] opens. With a shape, an object lists all members and an array all
// elements; a value without one is a leaf, which is checked and can be read, replaced and deleted as a whole. A Shape
// may refer to itself. It must not change once it is in use.
type Shape struct {
	Members  map[string]*Shape // of an object: the members to open
	Elements *Shape            // of an array: nil leaves the elements closed
}

// Node is a value within a [Document].
type Node int32

// None is the absence of a value.
const None Node = -1

// node is a value in the outline. Members of objects have a key; the key of others is empty.
type node struct {
	key, value          Span
	parent, first, next Node
	change              int32 // index in changes, 0 for none
	kind                byte  // see Kind
	opened              bool
	deleted             bool
	escaped             bool // the key has escapes
}

// change is the change of a value that is not deleted.
type change struct {
	replaced      bool
	text          string   // instead of the value
	before, after string   // around the value, or around text
	insert        []string // elements before this one
	added         []string // members or elements after the last one
}

// maxNodes bounds the outline: without it, a text of many tiny values would take a multiple of its size.
const maxNodes = 1 << 20

// nodeEvery is the approximate number of bytes per outlined value in a conversation.
const nodeEvery = 128

// Document is the outline of a text with recorded changes. Reading shows the changes so far; added values are not
// outlined. Only one goroutine may use it.
type Document struct {
	text    []byte
	nodes   []node
	changes []change
	dirty   bool
}

// Read checks the text, which must be one object, and outlines it. The text must not change while the Document is in
// use. Errors are [ErrSyntax], [ErrNotObject], and [errTooMany] for a text with more than a million values to outline.
func Read(text []byte, shape *Shape) (*Document, error) {
	d := &Document{text: text, nodes: nodesFor(64 + len(text)/nodeEvery), changes: make([]change, 1)}
	s := Scan(text)
	if s.Kind() != '{' {
		s.TopObject()
		return nil, s.Err()
	}
	d.read(&s, shape, None, Span{})
	if err := s.End(); err != nil {
		return nil, err
	}
	return d, nil
}

// spareNodes are unused outlines; that of a long conversation is most of a megabyte.
var spareNodes sync.Pool

// maxSpare bounds the size of a spare outline, in nodes.
const maxSpare = 1 << 16

// nodesFor returns an empty outline, a spare one or one with room for at least n nodes.
func nodesFor(n int) []node {
	if spare, ok := spareNodes.Get().(*[]node); ok && cap(*spare) >= n/4 {
		return (*spare)[:0]
	}
	return make([]node, 0, n)
}

// Release returns the outline for another text. The Document must not be used afterwards; values it returned stay
// valid.
func (d *Document) Release() {
	nodes := d.nodes
	d.nodes, d.text, d.changes = nil, nil, nil
	if cap(nodes) > 0 && cap(nodes) <= maxSpare {
		spareNodes.Put(&nodes)
	}
}

// read reads the next value.
func (d *Document) read(s *Scanner, shape *Shape, parent Node, key Span) Node {
	n := Node(len(d.nodes))
	kind := s.Kind()
	from := s.at
	if n >= maxNodes {
		s.fail(errTooMany)
		return None
	}
	d.nodes = append(d.nodes, node{key: key, parent: parent, first: None, next: None, kind: kind,
		escaped: bytes.IndexByte(s.text[key.From:key.To], '\\') >= 0})
	if shape == nil || kind != '{' && kind != '[' {
		d.nodes[n].value = s.Value()
		return n
	}
	d.nodes[n].opened = true
	last := None
	link := func(child Node) {
		if child == None {
			return
		}
		if last == None {
			d.nodes[n].first = child
		} else {
			d.nodes[last].next = child
		}
		last = child
	}
	if kind == '{' {
		for ok := s.Object(); ok; ok = s.NextMember() {
			key := s.Key()
			link(d.read(s, shape.member(s, key), n, key))
		}
	} else {
		for ok := s.Array(); ok; ok = s.NextElement() {
			link(d.read(s, shape.Elements, n, Span{}))
		}
	}
	d.nodes[n].value = Span{from, s.at}
	return n
}

// member returns the shape of the member with that key.
func (sh *Shape) member(s *Scanner, key Span) *Shape {
	if len(sh.Members) == 0 || key.To-key.From < 2 {
		return nil
	}
	raw := s.text[key.From+1 : key.To-1]
	for _, c := range raw {
		if c == '\\' {
			return sh.Members[s.String(key)]
		}
	}
	return sh.Members[string(raw)]
}

// Root returns the outermost object.
func (d *Document) Root() Node { return 0 }

// Parent returns the object or array that contains n, [None] for the root.
func (d *Document) Parent(n Node) Node { return d.nodes[n].parent }

// Children returns the members or elements of n that are not deleted, in order; none for a value that is not opened or
// was replaced. Deleting while iterating is allowed.
func (d *Document) Children(n Node) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n == None || d.changeOf(n).replaced {
			return
		}
		for c := d.nodes[n].first; c != None; c = d.nodes[c].next {
			if !d.nodes[c].deleted && !yield(c) {
				return
			}
		}
	}
}

// Len returns the number of children of n, including added ones.
func (d *Document) Len(n Node) int {
	if n == None {
		return 0
	}
	count := len(d.changeOf(n).added)
	for c := range d.Children(n) {
		count += 1 + len(d.changeOf(c).insert)
	}
	return count
}

// Member returns the member of an opened object with that name, like encoding/json the last of several; [None] if there
// is none. It does not find added members.
func (d *Document) Member(n Node, name string) Node {
	found := None
	if n == None || d.changeOf(n).replaced {
		return found
	}
	for c := d.nodes[n].first; c != None; c = d.nodes[c].next {
		if !d.nodes[c].deleted && d.KeyIs(c, name) {
			found = c
		}
	}
	return found
}

// Deleted reports whether n itself was deleted.
func (d *Document) Deleted(n Node) bool { return d.nodes[n].deleted }

// Wrapped reports whether text was put around the value of n.
func (d *Document) Wrapped(n Node) bool { c := d.changeOf(n); return c.before != "" || c.after != "" }

// Key returns the name of a member, "" for an element.
func (d *Document) Key(n Node) string {
	if k := d.nodes[n].key; k.To > k.From {
		return decode(d.text, k)
	}
	return ""
}

// KeyIs reports whether n is a member with that name.
func (d *Document) KeyIs(n Node, name string) bool {
	at := &d.nodes[n]
	if at.escaped {
		return is(d.text, at.key, name)
	}
	return at.key.To-at.key.From == len(name)+2 && string(d.text[at.key.From+1:at.key.To-1]) == name
}

// KeyIn reports whether n is a member with one of these names.
func (d *Document) KeyIn(n Node, names map[string]bool) bool {
	at := &d.nodes[n]
	if at.escaped || at.key.To-at.key.From < 2 {
		return names[d.Key(n)]
	}
	return names[string(d.text[at.key.From+1:at.key.To-1])]
}

// Raw returns the current JSON text of n, without what was inserted; nil for [None]. It must not be written to.
func (d *Document) Raw(n Node) []byte {
	if n == None {
		return nil
	}
	if c := d.changeOf(n); c.replaced {
		return []byte(c.text)
	}
	v := d.nodes[n].value
	return d.text[v.From:v.To]
}

// At returns the range of the value of n in the original text.
func (d *Document) At(n Node) Span { return d.nodes[n].value }

// Kind returns the first byte of the value of n: one of { [ " t f n, and 0 for any number; 255 for [None].
func (d *Document) Kind(n Node) byte {
	if n == None {
		return 255
	}
	if c := d.changeOf(n); c.replaced {
		s := Scan([]byte(c.text))
		return s.Kind()
	}
	return d.nodes[n].kind
}

// String returns the value of a string, "" if n is not a string.
func (d *Document) String(n Node) string {
	if d.Kind(n) != '"' {
		return ""
	}
	raw := d.Raw(n)
	return decode(raw, Span{0, len(raw)})
}

// Is reports whether n is the string want.
func (d *Document) Is(n Node, want string) bool {
	if d.Kind(n) != '"' {
		return false
	}
	raw := d.Raw(n)
	return is(raw, Span{0, len(raw)}, want)
}

func (d *Document) changeOf(n Node) *change { return &d.changes[d.nodes[n].change] }

// alter returns the change of n, and adds one if there is none.
func (d *Document) alter(n Node) *change {
	d.dirty = true
	if d.nodes[n].change == 0 {
		d.nodes[n].change = int32(len(d.changes))
		d.changes = append(d.changes, change{})
	}
	return d.changeOf(n)
}
