package md

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// linkBudget bounds the search for the ends of addresses and titles, in bytes per paragraph. Documents need a few thousand;
// [a]([a]([a]( would need the square of its length. Beyond the budget brackets are text.
const linkBudget = 1 << 20

// unclosedTitle is the cost of a title that does not end on its line.
const unclosedTitle = 20 << 10

var linkSpent = parser.NewContextKey()

// linkParser is goldmark's link parser on a budget.
type linkParser struct{ parser.InlineParser }

func newLinkParser() linkParser { return linkParser{parser.NewLinkParser()} }

// Parse parses a bracket unless that exceeds the budget.
func (p linkParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, _ := block.PeekLine()
	if bytes.HasPrefix(line, []byte("](")) {
		spent, _ := pc.Get(linkSpent).(int)
		if spent > linkBudget {
			return nil
		}
		pc.Set(linkSpent, spent+linkCost(line[2:]))
	}
	return p.InlineParser.Parse(parent, block, pc)
}

// CloseBlock ends a paragraph and resets the budget.
func (p linkParser) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	pc.Set(linkSpent, nil)
	p.InlineParser.(parser.CloseBlocker).CloseBlock(parent, block, pc)
}

// linkCost returns how far goldmark searches behind "](".
func linkCost(line []byte) int {
	depth, i := 0, 0
	for ; i < len(line); i++ {
		c := line[i]
		if c == '\\' {
			i++
		} else if c == '(' {
			depth++
		} else if c == ')' {
			if depth--; depth < 0 {
				return i
			}
		} else if util.IsSpace(c) && i > 0 {
			break
		}
	}
	if i >= len(line) {
		return i
	}
	title := util.TrimLeftSpace(line[i:])
	if len(title) == 0 || title[0] != '"' && title[0] != '\'' && title[0] != '(' {
		return i
	}
	closer := title[0]
	if closer == '(' {
		closer = ')'
	}
	if n := bytes.IndexByte(title[1:], closer); n >= 0 {
		return i + n
	}
	return i + unclosedTitle
}
