package changes

import (
	"strconv"
	"strings"

	"parley/ui/changes/listing"
	"parley/ui/md"
	"parley/ui/scroll"
	"parley/ui/style"
)

// section is the part of the pane about a file: its head, and a difference.
type section struct {
	span listing.Span
	head func(width int) []string
	// empty says why there is nothing to compare, "" if there may be.
	empty string
}

// pane shows the differences of some files, one after another. Only what is visible is laid out.
type pane struct {
	look  *style.Look
	diffs *diffs
	list  *scroll.List
	// shown is what is in the list; split is whether it is side by side.
	shown   []section
	pending int // sections without pieces
	split   bool
	epoch   uint64 // grows with every new list

	width, height int
}

// set shows sections. The reader stays where he was if they have the same files.
func (p *pane) set(all []section, split bool) {
	var at scroll.Bookmark
	same := p.list != nil && len(all) == len(p.shown) && split == p.split
	for i := range all {
		same = same && all[i].span.Path == p.shown[i].span.Path
	}
	if same {
		at = p.list.Bookmark()
	}
	p.shown, p.split, p.pending = all, split, 0
	p.epoch++
	p.list = scroll.New(64)
	p.list.SetSize(max(1, p.width), p.height)
	for i := range all {
		s := &all[i]
		s.span = all[i].span
		key := strconv.Itoa(i)
		p.list.Append(&headItem{key: "h" + key, of: s, gap: i > 0})
		rest := &restItem{key: "r" + key, pane: p, of: s}
		if d := p.diffs.known[s.span]; s.empty == "" && d != nil && !d.dropped {
			p.list.Append(p.pieces(key, s, d)...)
			rest.done = true
		} else {
			p.pending++
		}
		p.list.Append(rest)
	}
	p.list.Top()
	if same {
		p.list.Return(at)
	}
	p.list.Hold()
}

// pieces returns the items of a difference.
func (p *pane) pieces(key string, s *section, d *diff) []scroll.Item {
	from := d.whole
	if p.split {
		from = d.halves
	}
	items := make([]scroll.Item, len(from))
	for i, part := range from {
		items[i] = &pieceItem{key: key + "." + strconv.Itoa(i), pane: p, of: s, piece: part, digits: d.digits, later: i > 0}
	}
	return items
}

// fill puts the pieces of differences that became known into their places.
func (p *pane) fill() {
	for i := 0; p.pending > 0 && i < p.list.Len(); i++ {
		rest, is := p.list.Item(i).(*restItem)
		if !is || rest.done || rest.of.empty != "" {
			continue
		}
		if d := p.diffs.known[rest.of.span]; d != nil && !d.dropped {
			rest.done = true
			rest.version++
			p.pending--
			added := p.pieces(rest.key[1:], rest.of, d)
			p.list.Insert(i, added...)
			i += len(added)
			p.list.Hold()
		}
	}
}

// shows reports whether a span is in the pane.
func (p *pane) shows(s listing.Span) bool {
	for i := range p.shown {
		if p.shown[i].span == s {
			return true
		}
	}
	return false
}

// size sets the size of the pane.
func (p *pane) size(width, height int) {
	p.width, p.height = width, height
	if p.list != nil {
		p.list.SetSize(max(1, width), height)
	}
}

// rows returns at most the rows that the pane is high.
func (p *pane) rows() []string {
	if p.list == nil || p.height <= 0 {
		return nil
	}
	return p.list.Frame()
}

// restyle makes all layouts stale.
func (p *pane) restyle() {
	if p.list != nil {
		p.list.Invalidate()
	}
}

// key handles a key that scrolls, and reports whether it is one.
func (p *pane) key(s string) bool {
	if p.list == nil || p.list.Len() == 0 {
		return false
	}
	switch s {
	case "up", "k":
		p.list.Scroll(-1)
	case "down", "j":
		p.list.Scroll(1)
	case "pgup", "b", "ctrl+b":
		p.list.Page(-1)
	case "pgdown", "space", "f", "ctrl+f":
		p.list.Page(1)
	case "ctrl+u":
		p.list.Scroll(-max(1, p.height/2))
	case "ctrl+d":
		p.list.Scroll(max(1, p.height/2))
	case "home", "g", "ctrl+home":
		p.list.Top()
	case "end", "G", "shift+g", "ctrl+end":
		p.list.Bottom()
	case "n", "ctrl+down", "alt+down":
		p.list.JumpTurn(1)
	case "p", "N", "shift+n", "ctrl+up", "alt+up":
		p.list.JumpTurn(-1)
	default:
		return false
	}
	p.list.Hold()
	return true
}

// headItem is the head of a file.
type headItem struct {
	key string
	of  *section
	gap bool
}

func (it *headItem) Key() string               { return it.key }
func (it *headItem) Version() uint64           { return 0 }
func (it *headItem) Layout(width int) []string { return it.of.head(width) }
func (it *headItem) BeginsTurn() bool          { return true }

func (it *headItem) Gap() int {
	if it.gap {
		return 1
	}
	return 0
}

// pieceItem is a piece of a difference. The highlighter knows it as the owner of its code.
type pieceItem struct {
	key       string
	pane      *pane
	of        *section
	piece     piece
	digits    int
	later     bool // it is not the first of its file
	recolored uint64
}

func (it *pieceItem) Key() string      { return it.key }
func (it *pieceItem) Version() uint64  { return it.recolored }
func (it *pieceItem) Gap() int         { return 0 }
func (it *pieceItem) BeginsTurn() bool { return it.piece.first && it.later }

// Recolor makes the layout stale because its code got its colors.
func (it *pieceItem) Recolor() { it.recolored++ }

func (it *pieceItem) Layout(width int) []string {
	l := it.pane.look
	l.Layouts++
	if h := l.Highlighter; h != nil {
		h.SetOwner(it)
		defer h.SetOwner(nil)
	}
	var rows []string
	if it.piece.apart {
		rows = append(rows, l.Theme.Dim.Of("⋯"))
	}
	o := md.DiffOptions{Options: md.Options{Width: width, Prose: width, Theme: l.Theme.Markdown(), Method: l.Measure.Method, Highlighter: l.Highlighter},
		Path: it.of.span.Path, Split: it.pane.split, Digits: it.digits}
	return append(rows, md.Diff(it.piece.patch, o)...)
}

// restItem follows the pieces of a file: it says what is missing, and has no rows otherwise.
type restItem struct {
	key     string
	pane    *pane
	of      *section
	done    bool // the pieces stand before it
	version uint64
}

func (it *restItem) Key() string     { return it.key }
func (it *restItem) Version() uint64 { return it.version }
func (it *restItem) Gap() int        { return 0 }

func (it *restItem) Layout(width int) []string {
	l := it.pane.look
	say := func(s string) []string {
		rows := l.Measure.Wrap(style.Visible(style.OneLine(s)), max(1, width))
		for i := range rows {
			rows[i] = l.Theme.Dim.Of(l.Measure.Clip(rows[i], width))
		}
		return rows
	}
	if it.of.empty != "" {
		return say(it.of.empty)
	}
	d := it.pane.diffs.known[it.of.span]
	if d == nil || d.dropped {
		it.pane.diffs.get(it.of.span)
		return say("comparing…")
	}
	switch {
	case d.trouble != "":
		return say(strings.TrimSpace("Can't compare: " + d.trouble))
	case d.edit.Note != "":
		return say(d.edit.Note)
	case len(d.whole) == 0:
		return say(nothingBetween(it.of.span))
	}
	return nil
}
