package md

import (
	"strings"

	"github.com/yuin/goldmark/ast"

	"parley/ui/md/cells"
)

// CodeBlock is a code block of a document.
type CodeBlock struct {
	// Lang is the language as written behind the fence, "" if there is none.
	Lang string
	// Text is the code as written, without fences, without the indentation of the containing block and without its last line
	// feed.
	Text string
}

// CodeBlocks returns the code blocks of a document in order, those within lists and quotes and an open one at its end
// included. Control characters are made visible, as on the screen.
func CodeBlocks(src string) (all []CodeBlock) {
	if !strings.Contains(src, "```") && !strings.Contains(src, "~~~") && !strings.Contains(src, "    ") && !strings.Contains(src, "\t") {
		return nil // most documents have none and need no parsing
	}
	s := []byte(cells.Visible(src))
	doc, _ := parse(s, nil)
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		if is, code, lang := codeOf(n, s); is {
			all = append(all, CodeBlock{lang, strings.TrimSuffix(code, "\n")})
			return ast.WalkSkipChildren, nil
		}
		if n.Type() == ast.TypeInline {
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return all
}
