package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestExportedNamesAreDocumented wants a comment on every exported type, function, method and group of values.
func TestExportedNamesAreDocumented(t *testing.T) {
	eachFile(t, func(name string, fset *token.FileSet, f *ast.File) {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) {
					t.Errorf("%s: %s has no comment", fset.Position(d.Pos()), d.Name.Name)
				}
			case *ast.GenDecl:
				undocumented(t, fset, d)
			}
		}
	})
}

func undocumented(t *testing.T, fset *token.FileSet, d *ast.GenDecl) {
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
				t.Errorf("%s: %s has no comment", fset.Position(s.Pos()), s.Name.Name)
			}
		case *ast.ValueSpec:
			if slices.ContainsFunc(s.Names, (*ast.Ident).IsExported) && d.Doc == nil && s.Doc == nil && s.Comment == nil {
				t.Errorf("%s: %s has no comment", fset.Position(s.Pos()), s.Names[0].Name)
			}
		}
	}
}

func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	e := d.Recv.List[0].Type
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	if idx, ok := e.(*ast.IndexExpr); ok {
		e = idx.X
	}
	id, ok := e.(*ast.Ident)
	return ok && id.IsExported()
}

// TestNothingIsLeftOpen refuses marks of unfinished work and tests that can be skipped.
func TestNothingIsLeftOpen(t *testing.T) {
	marks := []string{"TO" + "DO", "FIX" + "ME", "XX" + "X:", ".Skip" + "(", ".SkipNow" + "(", ".Skipf" + "("}
	eachText(t, func(name, text string) {
		for i, line := range strings.Split(text, "\n") {
			for _, m := range marks {
				if strings.Contains(line, m) {
					t.Errorf("%s:%d: %s", name, i+1, strings.TrimSpace(line))
				}
			}
		}
	})
}

// eachText reads every Go file of the module, tests included.
func eachText(t *testing.T, do func(name, text string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".go" {
			return err
		}
		text, err := os.ReadFile(name)
		if err == nil {
			do(name, string(text))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// eachFile parses every Go file of the module that is not a test.
func eachFile(t *testing.T, do func(name string, fset *token.FileSet, f *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		do(name, fset, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
