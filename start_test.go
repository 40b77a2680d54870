package main

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// TestExpressionsAreCompiledLate forbids regular expressions that are compiled at the start: 70 of them took a millisecond and
// 20,000 allocations of every start, and a run needs few.
func TestExpressionsAreCompiledLate(t *testing.T) {
	eachFile(t, func(name string, fset *token.FileSet, f *ast.File) {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			ast.Inspect(g, func(n ast.Node) bool {
				if _, ok := n.(*ast.FuncLit); ok {
					return false // runs when it is called
				}
				if s, ok := n.(*ast.SelectorExpr); ok {
					if x, ok := s.X.(*ast.Ident); ok && x.Name == "regexp" && strings.HasPrefix(s.Sel.Name, "MustCompile") {
						t.Errorf("%s: use internal/lazyregexp", fset.Position(s.Pos()))
					}
				}
				return true
			})
		}
	})
}
