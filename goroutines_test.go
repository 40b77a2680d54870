package main

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// TestGoroutinesAreGuarded forbids goroutines whose panic would leave the terminal in raw mode and no report: whatever starts one,
// or calls a function in one, takes it from internal/crash.
func TestGoroutinesAreGuarded(t *testing.T) {
	starts := 0
	eachFile(t, func(name string, fset *token.FileSet, f *ast.File) {
		if strings.HasSuffix(name, "_test.go") || strings.Contains(name, "internal/crash/") {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if g, ok := n.(*ast.GoStmt); ok {
				t.Errorf("%s: use crash.Go", fset.Position(g.Pos()))
			}
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			s, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || s.Sel.Name != "Go" && s.Sel.Name != "AfterFunc" {
				return true
			}
			starts++
			if x, ok := s.X.(*ast.Ident); ok && x.Name == "crash" || isGuarded(call.Args[len(call.Args)-1]) {
				return true
			}
			t.Errorf("%s: give it crash.Guarded", fset.Position(call.Pos()))
			return true
		})
	})
	if starts < 100 {
		t.Errorf("only %d goroutines were found", starts)
	}
}

// isGuarded reports whether an expression is a call of crash.Guarded.
func isGuarded(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	s, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && x.Name == "crash" && s.Sel.Name == "Guarded"
}
