package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// calledByOthers are the exported methods that only libraries call, through an interface of theirs.
var calledByOthers = map[string]string{
	"SetStdin": "tea.ExecCommand", "SetStdout": "tea.ExecCommand", "SetStderr": "tea.ExecCommand",
	"CloseBlock": "goldmark's parser", "AddReference": "goldmark's context", "Reference": "goldmark's context", "References": "goldmark's context",
	"RegisterFuncs": "goldmark's renderer", "Transform": "goldmark's parser", "LogValue": "slog.LogValuer", "UnmarshalYAML": "yaml.Unmarshaler", "ReadObject": "jsonrpc2.ObjectStream", "WriteObject": "jsonrpc2.ObjectStream",
	"Authorize": "auth.OAuthHandler", "FindSubmatch": "a method of regexp.Regexp", "FindAllStringIndex": "a method of regexp.Regexp",
}

// TestExportedNamesAreUsed wants a use outside of its package for every exported function, method and variable: what only its own
// package needs is not exported, and what nothing needs is gone. Types and constants also stand for results and their values.
func TestExportedNamesAreUsed(t *testing.T) {
	uses, declared := map[string]map[string]bool{}, map[string][]string{} // folders by name
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir, test := filepath.Dir(path), strings.HasSuffix(path, "_test.go")
		from := dir
		if strings.HasSuffix(f.Name.Name, "_test") {
			from += "_test"
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if id, is := n.(*ast.Ident); is && id.IsExported() {
				if uses[id.Name] == nil {
					uses[id.Name] = map[string]bool{}
				}
				uses[id.Name][from] = true
			}
			return true
		})
		if test || strings.HasSuffix(dir, "test") { // a package for tests is used by them as a whole
			return nil
		}
		for _, name := range exported(f) {
			declared[name] = append(declared[name], dir)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(declared) < 1000 {
		t.Fatalf("found %d names", len(declared))
	}
	for name, dirs := range declared {
		for _, dir := range dirs {
			if len(uses[name]) == 1 && uses[name][dir] && calledByOthers[name] == "" {
				t.Errorf("%s: nothing outside uses %s", dir, name)
			}
		}
	}
	for name, by := range calledByOthers {
		if len(declared[name]) == 0 {
			t.Errorf("there is no %s, which %s calls", name, by)
		}
	}
}

// exported returns the exported functions, methods and variables of a file.
func exported(f *ast.File) (names []string) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			if d.Tok != token.VAR {
				continue
			}
			for _, s := range d.Specs {
				for _, id := range s.(*ast.ValueSpec).Names {
					if id.IsExported() {
						names = append(names, id.Name)
					}
				}
			}
		}
	}
	return names
}
