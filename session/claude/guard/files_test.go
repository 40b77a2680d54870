package guard

import (
	"path/filepath"
	"strings"
	"testing"

	"parley/session/process/scope"
)

// TestFilesOfCalls reads what calls may change; inputs come from a model and may be anything.
func TestFilesOfCalls(t *testing.T) {
	g := Guard{Scope: scope.Scope{Dirs: []string{"/project"}, Home: "/home/u"}}
	for _, c := range []struct{ tool, dir, input, want string }{
		{"Edit", "/project/sub", `{"file_path":"a"}`, "/project/sub/a"},
		{"Edit", "", `{"file_path":"a"}`, "/project/a"},
		{"Edit", "", `{"file_path":"/x/../a"}`, "/a"},
		{"Edit", "", `{"file_path":"~/a"}`, "/home/u/a"},
		{"Edit", "", `{"file_path":"~other/a"}`, "/project/~other/a"},
		{"NotebookEdit", "", `{"notebook_path":"n.ipynb","path":"n.ipynb"}`, "/project/n.ipynb"},
		{"Bash", "", `{"command":"make","path":"x"}`, "$ make"},
		{"Bash", "", `{}`, ""},
		{"mcp__a__b", "", `{"path":"x","command":"ls"}`, "/project/x"},
		{"mcp__a__b", "", `{"path":["x"]}`, ""},
		{"Read", "", `{"file_path":"a"}`, ""},
		{"Edit", "", `nonsense`, ""},
		{"Edit", "", ``, ""},
	} {
		f, ok := g.File(Call{ID: "c", Tool: c.tool, Dir: c.dir, Input: []byte(c.input)})
		got := strings.Join(f.Paths, " ")
		if f.Command != "" {
			got += "$ " + f.Command
		}
		if want := filepath.FromSlash(c.want); ok != (want != "") || ok && got != want {
			t.Errorf("%s %s: %q, %t, want %q", c.tool, c.input, got, ok, want)
		}
	}
	if _, ok := g.File(Call{Tool: "Edit", Input: []byte(`{"file_path":"a"}`)}); ok {
		t.Error("a call without an id")
	}
}
