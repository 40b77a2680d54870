package uitest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// option returns the value of a flag that the tests themselves define, "" if they do not.
func option(name string) string {
	if f := flag.Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}

// updating reports whether the tests run with -update.
func updating() bool { return option("update") == "true" }

// Golden compares the screen with testdata/NAME.screen, or with -update writes it. With -svg it also draws the screen as
// NAME.svg in that directory, on the background that the terminal reported last.
func (p *Program) Golden(name string) {
	p.T.Helper()
	name = strings.ReplaceAll(name, "/", "_")
	golden(p.T, filepath.Join("testdata", name+".screen"), p.Dump())
	if dir := option("svg"); dir != "" {
		write(p.T, filepath.Join(dir, name+".svg"), p.SVG(p.scheme, name))
	}
}

// Picture compares the screen, drawn as SVG, with docs/pictures/NAME.svg, or with -update writes it. title says what the
// picture shows.
func (p *Program) Picture(name, title string) {
	p.T.Helper()
	golden(p.T, filepath.Join("..", "..", "docs", "pictures", name+".svg"), p.SVG(p.scheme, title))
}

// golden compares a text with a file, or with -update writes it.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if updating() {
		write(t, file, got)
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s differs (-want +got); go test ./ui/uitest -update accepts it:\n%s", file, diff)
	}
}

// write replaces a file, and makes its directory.
func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
