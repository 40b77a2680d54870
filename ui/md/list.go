package md

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"parley/ui/md/cells"
)

// list lays out a list inside another block. The lists of the top level are laid out item by item, see stream.go.
func (r *renderer) list(dst []string, n *ast.List, src []byte, b box) []string {
	num := n.Start
	for it := n.FirstChild(); it != nil; it = it.NextSibling() {
		// A local rule instead of looseness of the whole list: a later item never moves an earlier one.
		if it != n.FirstChild() && it.HasBlankPreviousLines() {
			r.trace.gap(len(dst), b)
			dst = append(dst, strings.TrimRight(b.pre, " "))
		}
		dst = r.item(dst, n, it, num, src, b)
		b.next()
		num++
	}
	return dst
}

// item lays out one item of n, numbered num if the list is ordered.
func (r *renderer) item(dst []string, n *ast.List, it ast.Node, num int, src []byte, b box) []string {
	mark, l := r.theme.list.item.prefix, b.look.with(r.theme.list.item.overlay)
	if n.IsOrdered() {
		mark, l = strconv.Itoa(num)+r.enumSuffix(n), b.look.with(r.theme.list.enum.overlay)
	}
	if box := checkbox(it); box != nil {
		task := r.theme.list.unticked
		if box.IsChecked {
			task = r.theme.list.ticked
		}
		if !n.IsOrdered() {
			mark = ""
		}
		mark, l = mark+task, b.look.with(r.theme.list.task)
	}
	w := cells.Width(mark, r.Method)
	in := r.in(b, r.pen.painted(mark, l), strings.Repeat(" ", w), w)
	if r.trace != nil {
		lead := writtenMark(n, it, num)
		in = r.under(in, lead, strings.Repeat(" ", len(lead)))
	}
	return r.children(dst, it, src, in, false)
}

// enumSuffix returns the theme's suffix of a number, with the point or parenthesis of the source.
func (r *renderer) enumSuffix(n *ast.List) string {
	if n.Marker == ')' {
		return strings.Replace(r.theme.list.enum.suffix, ".", ")", 1)
	}
	return r.theme.list.enum.suffix
}

// checkbox returns the box an item begins with, or nil.
func checkbox(it ast.Node) *east.TaskCheckBox {
	if p := it.FirstChild(); p != nil && (p.Kind() == ast.KindParagraph || p.Kind() == ast.KindTextBlock) {
		if c, ok := p.FirstChild().(*east.TaskCheckBox); ok {
			return c
		}
	}
	return nil
}

// writtenMark returns the mark of an item as the source has it.
func writtenMark(n *ast.List, it ast.Node, num int) string {
	mark := string(n.Marker) + " "
	if n.IsOrdered() {
		mark = strconv.Itoa(num) + mark
	}
	if box := checkbox(it); box != nil {
		mark += map[bool]string{true: "[x] ", false: "[ ] "}[box.IsChecked]
	}
	return mark
}
