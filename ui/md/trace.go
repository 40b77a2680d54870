package md

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

// Traced maps the rows of a layout to their source, so that a selection is copied as it was written: without gutters and
// wrapping, with the marks and tabs of the source.
type Traced struct {
	// Rows has one entry for each row of the layout.
	Rows []TracedRow
	// Blocks are the top-level blocks, and the items of top-level lists, that have rows, in their order.
	Blocks []TracedBlock
	// Left are the lines that some rows show left of theirs, from top to bottom.
	Left []TracedColumn
	// Source is the visible document, to which the offsets of blocks refer.
	Source string
	// Kept is the number of first rows that are unchanged since the previous Trace of the Doc.
	Kept int
}

// TracedRow is the source of one row.
type TracedRow struct {
	// Skip is the number of cells at its start that are not text: indentation, the bar of a quote, the mark of an item.
	Skip int
	// Lead is what the source has in their place where a line begins: "> ", "- ", "1. [x] ".
	Lead string
	// Text follows. It holds the tabs of code, for which the row shows blanks up to the next stop of four.
	Text string
	// Column is the cell of its line in which Text begins, for its tabs.
	Column int
	// Join is what separates Text from the next row's: a line feed, the blank of a wrapped line, or nothing within a
	// word.
	Join string
	// Block is the index of the block the row belongs to, -1 between blocks.
	Block int
}

// TracedColumn is what some rows show left of what they represent. It precedes them in the source.
type TracedColumn struct {
	// First is the first of these rows, and Rows has one entry for each.
	First int
	Rows  []TracedRow
}

// TracedBlock is a part of the document that is laid out and copied as a unit.
type TracedBlock struct {
	// First and Last are its rows; Last is excluded.
	First, Last int
	// From and To are its bytes in Traced.Source, without the line feeds behind it.
	From, To int
	// IsCode reports whether it is a code block. Code is its text without the fences, and Lang its language.
	IsCode     bool
	Code, Lang string
}

func codeOf(n ast.Node, src []byte) (is bool, code, lang string) {
	switch n := n.(type) {
	case *ast.FencedCodeBlock:
		lang = string(n.Language(src))
	case *ast.CodeBlock:
	default:
		return false, "", ""
	}
	var b strings.Builder
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		b.Write(s.Value(src))
	}
	return true, b.String(), lang
}
