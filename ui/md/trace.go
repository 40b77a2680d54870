package md

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

// Traced maps the rows of a layout to their source, so that what is selected on the screen can be copied as it was
// written: without gutters, without the breaks that only the width made, with the marks and tabs of the source.
type Traced struct {
	// Rows are as many as the layout has.
	Rows []TracedRow
	// Blocks are the top-level blocks, and the items of top-level lists, that have rows, in their order.
	Blocks []TracedBlock
	// Source is the document as it is shown, which is what the offsets of the blocks count in.
	Source string
	// Kept is how many of the first rows are those that the Trace of the same Doc before had; 0 the first time.
	Kept int
}

// TracedRow is the source of one row.
type TracedRow struct {
	// Skip is how many cells at its start belong to no text: indentation, the bar of a quote, the mark of an item.
	Skip int
	// Lead is what the source has in the place of those cells where a line begins: "> ", "- ", "1. [x] ".
	Lead string
	// Text is what follows. Tabs of code are in it, though the row shows blanks up to the next stop of four.
	Text string
	// Column is the cell of its line in which Text begins, for its tabs.
	Column int
	// Join is what stands between Text and the next row's: a line feed, a blank that a break took away, or nothing where
	// a word was torn.
	Join string
	// Block is the index of the block the row belongs to, -1 between blocks.
	Block int
}

// TracedBlock is a part of the document that is laid out, and copied, on its own.
type TracedBlock struct {
	// First and Last are its rows, Last being the one behind.
	First, Last int
	// From and To are what it is written as, in Traced.Source, without the line feeds behind it.
	From, To int
	// IsCode reports whether it is a code block, Code is its text without the fences, and Lang the language as written.
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
