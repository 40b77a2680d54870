package md

import (
	"os/exec"
	"strings"
	"testing"
)

// The package draws text and knows neither the event loop nor the conversation.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for dep := range strings.FieldsSeq(string(out)) {
		for _, no := range []string{"charm.land/bubbletea", "charm.land/bubbles", "parley/session",
			"parley/ui/paint", "parley/ui/scroll", "net/http"} {
			if strings.HasPrefix(dep, no) {
				t.Errorf("imports %s", dep)
			}
		}
	}
}
