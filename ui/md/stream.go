package md

import (
	"bytes"

	"github.com/yuin/goldmark/ast"

	"parley/ui/md/cells"
)

// A piece is the unit of layout and freezing: a top-level block, or an item of a top-level list.
type piece struct {
	node  ast.Node
	start int // offset of its first line in the source that was parsed
	list  *ast.List
	num   int  // number of the item
	inner bool // an item behind another one of its list
	blank bool // an inner item with a blank line before it
}

// follows is the way in which a tail continues the list at the end of the frozen part.
type follows struct {
	list  bool
	num   int
	blank bool
}

// pieces lists the pieces of a parsed tail in order. Pieces whose place is unknown belong to the one before.
func pieces(dst []piece, doc ast.Node, src []byte, f follows) []piece {
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		l, ok := n.(*ast.List)
		if !ok {
			dst = append(dst, piece{node: n, start: lineStart(src, n.Pos())})
			continue
		}
		num := l.Start
		cont := f.list && n.PreviousSibling() == nil
		if cont {
			num = f.num
		}
		for it := l.FirstChild(); it != nil; it = it.NextSibling() {
			p := piece{node: it, start: lineStart(src, it.Pos()), list: l, num: num}
			switch {
			case it.PreviousSibling() != nil:
				p.inner, p.blank = true, blankBefore(src, p.start)
			case cont:
				p.inner, p.blank = true, f.blank
			}
			dst = append(dst, p)
			num++
		}
	}
	return dst
}

// closed returns how many of the pieces can no longer change: those before the last one that begins on a complete line. An
// incomplete last line may become something else (a # a word, a - an underline) and belong to the piece before it.
func closed(ps []piece, src []byte) int {
	complete := bytes.LastIndexByte(src, '\n') + 1
	for i := len(ps) - 1; i > 0; i-- {
		if ps[i].start < complete && apartAt(ps, i, src) {
			return i
		}
	}
	return 0
}

// apartAt reports whether the source can be cut before piece i, so that both sides parse as they do together. A link reference
// definition is never cut from the next line: that may be a title, and its indentation counts differently at the beginning of
// a document.
func apartAt(ps []piece, i int, src []byte) bool {
	p, before := ps[i], ps[i-1]
	if p.start <= before.start {
		return false
	}
	if before.node.Kind() == ast.KindLinkReferenceDefinition && !blankBefore(src, p.start) {
		return false
	}
	return true
}

func lineStart(src []byte, pos int) int {
	if pos < 0 {
		return -1
	}
	return bytes.LastIndexByte(src[:min(pos, len(src))], '\n') + 1
}

func blankBefore(src []byte, start int) bool {
	if start <= 0 {
		return true
	}
	return len(bytes.TrimSpace(src[lineStart(src, start-1):start])) == 0
}

// piece lays out one piece.
func (r *renderer) piece(dst []string, p piece, src []byte) []string {
	if p.list == nil {
		return r.block(dst, p.node, src, r.outer())
	}
	r.laid++
	return r.item(dst, p.list, p.node, p.num, src, r.outer())
}

// apart reports whether a blank row precedes the piece, if any row does.
func (p piece) apart() bool { return !p.inner || p.blank }

// Render lays out a whole document. The rows equal those of an ended Doc with the same bytes, in any portions.
func Render(src string, o Options) []string {
	r := newRenderer(o)
	s := []byte(cells.Visible(src))
	doc, _ := parse(s, nil)
	var rows []string
	for _, p := range pieces(nil, doc, s, follows{}) {
		rows = join(rows, r.piece(nil, p, s), p.apart())
	}
	return rows
}

// join appends the rows of a piece behind those before it.
func join(dst, rows []string, apart bool) []string {
	if len(rows) > 0 && len(dst) > 0 && apart {
		dst = append(dst, "")
	}
	return append(dst, rows...)
}
