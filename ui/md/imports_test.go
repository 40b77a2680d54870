package md

import (
	"os/exec"
	"strings"
	"testing"
)

// What this package links is paid for by every start of the program.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for dep := range strings.FieldsSeq(string(out)) {
		for _, no := range []string{"charm.land/", "github.com/alecthomas/", "github.com/microcosm-cc/", "parley/session",
			"parley/ui/paint", "parley/ui/scroll", "net/http"} {
			if strings.HasPrefix(dep, no) {
				t.Errorf("imports %s", dep)
			}
		}
	}
}
