package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// noPackages stands in for all imports: only what this package declares is looked at.
type noPackages struct{}

func (noPackages) Import(name string) (*types.Package, error) {
	p := types.NewPackage(name, path.Base(name))
	p.MarkComplete()
	return p, nil
}

// TestFilesPointOneWay draws an arrow from each file to those that declare what it uses, and refuses circles.
func TestFilesPointOneWay(t *testing.T) {
	fset := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_windows.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: noPackages{}, Error: func(error) {}} // what other packages declare is unknown
	pkg, _ := conf.Check("cli", fset, files, &info)
	arrows := map[string]map[string]bool{}
	for id, o := range info.Uses {
		from, to := fset.Position(id.Pos()).Filename, fset.Position(o.Pos()).Filename
		if o.Pkg() != pkg || from == to || to == "" {
			continue
		}
		if arrows[from] == nil {
			arrows[from] = map[string]bool{}
		}
		arrows[from][to] = true
	}
	if len(arrows) < 20 {
		t.Fatalf("only %d files point anywhere", len(arrows))
	}
	done := map[string]bool{}
	var visit func(file string, way []string)
	visit = func(file string, way []string) {
		if i := slices.Index(way, file); i >= 0 {
			t.Errorf("a circle: %s", strings.Join(append(way[i:], file), " -> "))
			return
		}
		if done[file] {
			return
		}
		for _, to := range slices.Sorted(maps.Keys(arrows[file])) {
			visit(to, append(slices.Clone(way), file))
		}
		done[file] = true
	}
	for _, file := range slices.Sorted(maps.Keys(arrows)) {
		visit(file, nil)
	}
}
