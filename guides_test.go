package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	quoted    = regexp.MustCompile("`([^`\n]+)`")
	guideFile = regexp.MustCompile(`^[\w./-]+\.(go|md|sh|yaml|ts|mod)$|^[a-z]\w*(/[\w.]+)+/?$`)
	guideName = regexp.MustCompile(`^[A-Z]\w{3,}(\.[A-Z]\w+)*$|^[a-z]\w*\.[A-Z]\w+$|^Test\w+$`)
	word      = regexp.MustCompile(`\w+`)
)

// TestGuidesNameWhatExists looks up every file and every name of Go in the AGENTS.md files and in the architecture: a guide that
// names what is gone sends its reader astray.
func TestGuidesNameWhatExists(t *testing.T) {
	names, guides := map[string]bool{}, []string{filepath.Join("docs", "architecture.md")}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == "AGENTS.md":
			guides = append(guides, path)
		case strings.HasSuffix(path, ".go"), strings.HasPrefix(path, ".ci"+string(filepath.Separator)) && !d.IsDir():
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, w := range word.FindAllString(string(text), -1) {
				names[w] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(guides) < 5 {
		t.Fatalf("found only the guides %q", guides)
	}
	for _, guide := range guides {
		text, err := os.ReadFile(guide)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range quoted.FindAllStringSubmatch(string(text), -1) {
			if said := m[1]; !stands(filepath.Dir(guide), said, names) {
				t.Errorf("%s names `%s`, which is gone", guide, said)
			}
		}
	}
}

// stands reports whether what a guide names is there: a file beside the guide, below the root or in any folder if it is a bare
// name, or a word of the sources. What looks like neither passes.
func stands(dir, said string, names map[string]bool) bool {
	switch {
	case guideFile.MatchString(said):
		if strings.ContainsAny(said, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") && !strings.HasSuffix(said, ".md") || said == "doc.go" {
			return true // a pattern such as pkg/PLATFORM/VERSION
		}
		for _, at := range []string{dir, ".", "session"} {
			if _, err := os.Stat(filepath.Join(at, filepath.FromSlash(said))); err == nil {
				return true
			}
		}
		return false
	case guideName.MatchString(said):
		for _, w := range word.FindAllString(said, -1) {
			if !names[w] {
				return false
			}
		}
	}
	return true
}

// hop is a function in the second column of a table of hops, such as `live.Session.Send`.
var hop = regexp.MustCompile("`(\\w+)\\.(?:(\\w+)\\.)?(\\w+)`")

// TestHopsAreFunctions looks up every hop of the architecture page: a function or a method of a package of that name. A prompt,
// a delta, a panel, a question and an undo take ten at most.
func TestHopsAreFunctions(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	funcs := map[string]bool{}
	for _, p := range listPackages(t) {
		for _, f := range p.GoFiles {
			parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, f), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range parsed.Decls {
				if f, is := d.(*ast.FuncDecl); is {
					name := f.Name.Name
					if f.Recv != nil {
						name = typeName(f.Recv.List[0].Type) + "." + name
					}
					funcs[parsed.Name.Name+"."+name] = true
				}
			}
		}
	}
	walks := 0
	for _, section := range strings.Split(string(text), "\n## ") {
		title, body, _ := strings.Cut(section, "\n")
		rows := 0
		for _, row := range strings.Split(body, "\n") {
			columns := strings.Split(row, "|")
			if len(columns) < 4 || strings.Trim(columns[1], " 0123456789") != "" || strings.TrimSpace(columns[1]) == "" {
				continue
			}
			rows++
			named := hop.FindAllStringSubmatch(columns[2], -1)
			if len(named) == 0 {
				t.Errorf("%s: hop %s names no function", title, strings.TrimSpace(columns[1]))
			}
			for _, m := range named {
				if name := strings.TrimPrefix(strings.Trim(m[0], "`"), "."); !funcs[name] {
					t.Errorf("%s: there is no %s", title, name)
				}
			}
		}
		if strings.HasPrefix(title, "One ") {
			walks++
		}
		if rows > 10 {
			t.Errorf("%s: %d hops", title, rows)
		}
	}
	if walks < 5 {
		t.Errorf("%d walks", walks)
	}
}
