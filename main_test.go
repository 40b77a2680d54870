package main

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// listed is what `go list` says of a package.
type listed struct {
	ImportPath string
	Dir        string
	Imports    []string
	Deps       []string
	Standard   bool
	GoFiles    []string
}

func listPackages(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,Imports,Deps,Standard,GoFiles", "./...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

// under reports whether the import path is the room or lies below it.
func under(path, room string) bool { return path == room || strings.HasPrefix(path, room+"/") }

// ours returns the import paths of this module.
func ours(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return !strings.HasPrefix(p, "parley/") })
}

// TestImportsPointOneWay keeps the rooms apart: main -> ui -> session <- agents, main -> proxy -> copilot.
func TestImportsPointOneWay(t *testing.T) {
	const (
		config, copilot, proxy  = "parley/config", "parley/copilot", "parley/proxy"
		session, ui             = "parley/session", "parley/ui"
		builtin, claude, store  = session + "/builtin", session + "/claude", session + "/store"
		copilotcli, edits, rts  = session + "/copilotcli", session + "/edits", session + "/runtimes"
		cli                     = "parley/internal/cli" // the one room that knows every other
		shared                  = "parley/internal"     // small packages that import the standard library alone; everybody may use them
		bubbletea, viper, goGit = "charm.land/bubbletea/v2", "github.com/spf13/viper", "github.com/cli/go-gh/v2"
		openAI                  = "github.com/openai"
	)
	agents := []string{builtin, claude, copilotcli}
	rooms := slices.Concat([]string{config, copilot, proxy, session, ui, store, edits, rts}, agents)
	// may lists, for each room, the other rooms it may depend on, directly or not. A room may use its own subfolders.
	may := map[string][]string{
		config: {}, copilot: {}, proxy: {copilot}, session: {},
		builtin: {session}, claude: {session}, copilotcli: {session}, store: {session}, edits: {session}, rts: {session},
		ui:            {session},
		ui + "/md":    {},
		ui + "/paint": {}, ui + "/scroll": {}, ui + "/compose": {},
		ui + "/files": {}, ui + "/clipboard": {}, ui + "/attention": {},
		copilot + "/copilottest": {},
		session + "/sessiontest": {session},
		session + "/proc":        {},
		shared:                   {},
		ui + "/uitest":           {ui, session},
	}
	// room finds the most specific entry of the table that holds the path.
	room := func(path string) string {
		best := ""
		for r := range may {
			if under(path, r) && len(r) > len(best) {
				best = r
			}
		}
		return best
	}
	for _, p := range listPackages(t) {
		if p.ImportPath == "parley" && !slices.Equal(ours(p.Imports), []string{cli}) {
			t.Errorf("main imports %s: it may import %s alone", ours(p.Imports), cli)
		}
		if p.ImportPath == "parley" && slices.ContainsFunc(p.Deps, func(d string) bool { return under(d, openAI) }) {
			t.Errorf("the program links %s, which is for tests", openAI)
		}
		if !strings.HasPrefix(p.ImportPath, "parley/") || p.ImportPath == cli {
			continue
		}
		from := room(p.ImportPath)
		if from == "" {
			t.Errorf("%s is in no room", p.ImportPath)
			continue
		}
		for _, dep := range p.Deps {
			if dep == cli {
				t.Errorf("%s depends on %s", p.ImportPath, cli)
				continue
			}
			if !strings.HasPrefix(dep, "parley/") {
				continue
			}
			to := room(dep)
			if to == shared {
				continue
			}
			own := to == from || (under(to, from) && !slices.Contains(rooms, to))
			allowed := slices.ContainsFunc(may[from], func(r string) bool {
				return to == r || (under(to, r) && !slices.Contains(rooms, to))
			})
			if !own && !allowed {
				t.Errorf("%s depends on %s: %s may not use %s", p.ImportPath, dep, from, to)
			}
		}
		for lib, owner := range map[string]string{bubbletea: ui, viper: config, goGit: copilot} {
			if from != owner && slices.ContainsFunc(p.Imports, func(i string) bool { return under(i, lib) }) {
				t.Errorf("%s imports %s, which only %s may", p.ImportPath, lib, owner)
			}
		}
	}
}

// TestEveryRoomSaysWhatItIsFor wants a doc.go with a package comment, and refuses names that say nothing.
func TestEveryRoomSaysWhatItIsFor(t *testing.T) {
	for _, p := range listPackages(t) {
		if !strings.HasPrefix(p.ImportPath, "parley/") {
			continue
		}
		switch base := filepath.Base(p.Dir); base {
		case "util", "utils", "common", "helpers", "misc":
			t.Errorf("%s: a package named %s says nothing", p.ImportPath, base)
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, "doc.go"), nil, parser.ParseComments)
		if err != nil {
			t.Errorf("%s: %v", p.ImportPath, err)
			continue
		}
		if f.Doc == nil || len(f.Doc.Text()) < 100 {
			t.Errorf("%s: doc.go does not say what the room is for, what comes in, what goes out, what it may not do", p.ImportPath)
		}
	}
}

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
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".go" {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(text), "\n") {
			for _, m := range marks {
				if strings.Contains(line, m) {
					t.Errorf("%s:%d: %s", name, i+1, strings.TrimSpace(line))
				}
			}
		}
		return nil
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
