package md

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// mathNode is a formula. It is drawn as written, delimiters included; its asterisks and underscores are not emphasis.
type mathNode struct {
	ast.BaseInline
	lines []text.Segment
}

var kindMath = ast.NewNodeKind("Math")

// Kind identifies formulas.
func (*mathNode) Kind() ast.NodeKind { return kindMath }

// Dump prints the node for debugging.
func (n *mathNode) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

// A formula is at most this large, so that a delimiter without a partner does not cost a search of the whole paragraph.
const (
	formulaBytes = 2000 // of one line
	formulaLines = 64
)

// mathParser recognises $x$ and \(x\) within a line, $$x$$ within a paragraph, and \[x\] alone on its lines (elsewhere \[
// escapes a bracket).
type mathParser struct{}

// Trigger returns the bytes formulas begin with.
func (mathParser) Trigger() []byte { return []byte{'$', '\\'} }

// Parse recognises a formula at the reader's position.
func (mathParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	switch {
	case bytes.HasPrefix(line, []byte("$$")):
		return display(block, "$$")
	case bytes.HasPrefix(line, []byte(`\[`)):
		if before := block.PrecendingCharacter(); before != '\n' {
			return nil
		}
		return display(block, `\]`)
	case bytes.HasPrefix(line, []byte(`\(`)):
		if i := bytes.Index(line[2:min(len(line), formulaBytes)], []byte(`\)`)); i > 0 {
			return take(block, 2+i+2)
		}
	case line[0] == '$':
		return dollar(block, line)
	}
	return nil
}

// dollar parses $x$ where it cannot be money: without blanks inside the dollars and without a digit behind them.
func dollar(block text.Reader, line []byte) ast.Node {
	blank := func(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }
	if len(line) < 3 || blank(line[1]) {
		return nil
	}
	for i := 2; i < min(len(line), formulaBytes); i++ {
		if line[i] != '$' || line[i-1] == '\\' {
			continue
		}
		if blank(line[i-1]) || i+1 < len(line) && line[i+1] >= '0' && line[i+1] <= '9' {
			return nil
		}
		return take(block, i+1)
	}
	return nil
}

// take returns the next n bytes of the line as a formula.
func take(block text.Reader, n int) ast.Node {
	_, seg := block.PeekLine()
	m := &mathNode{lines: []text.Segment{text.NewSegment(seg.Start, seg.Start+n)}}
	block.Advance(n)
	return m
}

// display parses a formula up to the closing delimiter, over several lines if necessary.
func display(block text.Reader, closer string) ast.Node {
	m := &mathNode{}
	for skip := 2; ; skip = 0 {
		line, seg := block.PeekLine()
		if line == nil || len(m.lines) == formulaLines {
			return nil
		}
		i := bytes.Index(line[min(skip, len(line)):min(len(line), formulaBytes)], []byte(closer))
		if i < 0 {
			m.lines = append(m.lines, seg)
			block.AdvanceLine()
			continue
		}
		n := skip + i + len(closer)
		if closer == `\]` && len(bytes.TrimSpace(line[n:])) > 0 {
			return nil
		}
		m.lines = append(m.lines, text.NewSegment(seg.Start, seg.Start+n-seg.Padding))
		block.Advance(n)
		return m
	}
}
