//go:build unix

package guard

import (
	"encoding/json"
	"os"
	"testing"

	"parley/session/process/scope"
)

// TestCommandsThatOnlyRead spares commands that only read the look at the work tree in every mode.
func TestCommandsThatOnlyRead(t *testing.T) {
	dir := t.TempDir()
	g := Guard{Scope: scope.Scope{Dirs: []string{dir}, Environ: []string{"PATH=" + os.Getenv("PATH")}}, Shell: "bash"}
	for command, want := range map[string]bool{
		"ls": true, "cat a | head -3": true, "ls > a": false, "ls; touch a": false, "make": false, "echo $(rm a)": false, "": true,
	} {
		input, err := json.Marshal(map[string]string{"command": command})
		if err != nil {
			t.Fatal(err)
		}
		f, changes := g.File(Call{ID: "c", Tool: "Bash", Dir: dir, Input: input, Mode: "bypassPermissions"})
		if changes == want || changes && f.Command != command {
			t.Errorf("%q: %+v, %t", command, f, changes)
		}
	}
}
