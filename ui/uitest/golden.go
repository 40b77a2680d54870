package uitest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/go-cmp/cmp"
)

// updating reports whether the tests run with -update, a flag that the tests themselves define.
func updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

// Golden compares the screen with testdata/NAME.screen, or with -update writes it.
func (p *Program) Golden(name string) {
	p.T.Helper()
	got := p.Dump()
	file := filepath.Join("testdata", strings.ReplaceAll(name, "/", "_")+".screen")
	if updating() {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			p.T.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			p.T.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		p.T.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		p.T.Errorf("%s differs (-want +got); go test ./ui/uitest -update accepts it:\n%s", file, diff)
	}
}
