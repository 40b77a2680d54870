package main

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// maxMethods bounds the methods of a type, with those of the types of its package that it embeds.
const maxMethods = 40

// TestNoTypeOnlyCarriesMethods counts the methods of a type with those that it gets from embedded types of its own package, and
// refuses a type that consists of nothing but such a type: it would be the same type under a second name.
func TestNoTypeOnlyCarriesMethods(t *testing.T) {
	type decl struct {
		at       token.Position
		methods  int
		embedded []string
		only     bool // it has no other field
		pointer  bool // and that is a pointer
	}
	types := map[string]*decl{} // by folder and name
	of := func(name, typ string) *decl {
		key := filepath.Dir(name) + "." + typ
		if types[key] == nil {
			types[key] = &decl{}
		}
		return types[key]
	}
	eachFile(t, func(name string, fset *token.FileSet, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Recv != nil {
					of(name, typeName(n.Recv.List[0].Type)).methods++
				}
			case *ast.TypeSpec:
				s, is := n.Type.(*ast.StructType)
				if !is {
					return true
				}
				d := of(name, n.Name.Name)
				d.at, d.only = fset.Position(n.Pos()), len(s.Fields.List) == 1
				for _, field := range s.Fields.List {
					if e := typeName(field.Type); len(field.Names) == 0 && e != "" {
						d.embedded = append(d.embedded, filepath.Dir(name)+"."+e)
					}
				}
				d.only = d.only && len(d.embedded) == 1
				if d.only {
					_, d.pointer = s.Fields.List[0].Type.(*ast.StarExpr)
				}
			}
			return true
		})
	})
	var count func(key string, depth int) int
	count = func(key string, depth int) int {
		d := types[key]
		if d == nil || depth > 5 {
			return 0
		}
		n := d.methods
		for _, e := range d.embedded {
			n += count(e, depth+1)
		}
		return n
	}
	for key, d := range types {
		if n := count(key, 0); n > maxMethods {
			t.Errorf("%s: %s has %d methods, more than %d", d.at, key, n, maxMethods)
		}
		if d.only && d.pointer && types[d.embedded[0]] != nil && d.methods > 0 {
			t.Errorf("%s: %s is %s under a second name", d.at, key, strings.TrimPrefix(d.embedded[0], filepath.Dir(d.at.Filename)+"."))
		}
	}
}

// typeName returns the name of a type of the same package, "" for others.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.IndexListExpr:
		return typeName(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
