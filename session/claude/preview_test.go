package claude

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"parley/session"
)

func TestPreview(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	if err := os.WriteFile(path, []byte("one\ntwo\ntwo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "b.bin")
	if err := os.WriteFile(binary, []byte("a\x00b"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		tool    string
		input   map[string]any
		want    string
		created bool
	}{
		"edit":        {"Edit", map[string]any{"file_path": path, "old_string": "one", "new_string": "1"}, "@@ -1,3 +1,3 @@\n-one\n+1\n two\n two\n", false},
		"edit all":    {"Edit", map[string]any{"file_path": path, "old_string": "two", "new_string": "2", "replace_all": true}, "@@ -1,3 +1,3 @@\n one\n-two\n-two\n+2\n+2\n", false},
		"several":     {"MultiEdit", map[string]any{"file_path": path, "edits": []any{map[string]any{"old_string": "one", "new_string": "1"}, map[string]any{"old_string": "1", "new_string": "eins"}}}, "@@ -1,3 +1,3 @@\n-one\n+eins\n two\n two\n", false},
		"write over":  {"Write", map[string]any{"file_path": path, "content": "one\n"}, "@@ -1,3 +1 @@\n one\n-two\n-two\n", false},
		"write new":   {"Write", map[string]any{"file_path": filepath.Join(dir, "new.txt"), "content": "new\n"}, "@@ -0,0 +1 @@\n+new\n", true},
		"not there":   {"Edit", map[string]any{"file_path": path, "old_string": "three", "new_string": "3"}, "", false},
		"binary":      {"Write", map[string]any{"file_path": binary, "content": "x"}, "", false},
		"directory":   {"Write", map[string]any{"file_path": dir, "content": "x"}, "", false},
		"other tool":  {"Bash", map[string]any{"file_path": path, "content": "x"}, "", false},
		"odd content": {"Write", map[string]any{"file_path": path, "content": 7}, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			ask, err := json.Marshal(map[string]any{"subtype": "can_use_tool", "tool_name": c.tool, "input": c.input})
			if err != nil {
				t.Fatal(err)
			}
			e := preview(ask, readFile)
			switch {
			case e == nil && c.want != "":
				t.Error("nothing is shown")
			case e != nil && (e.Patch != c.want || e.Created != c.created):
				t.Errorf("created %v:\n%s", e.Created, e.Patch)
			}
		})
	}
}

// The user sees what a write would do to the file as it is now.
func TestExactChangeIsAsked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(path, []byte("one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	inTurn(t, func(t *testing.T, ch *chat) {
		input := fmt.Sprintf(`{"file_path":%q,"content":"1\n"}`, path)
		ch.rt().ask("ask-1", `{"subtype":"can_use_tool","tool_name":"Write","tool_use_id":"t1","input":`+input+`}`)
		synctest.Wait()
		asked := eventsOf[session.Asked](ch)
		if len(asked) != 1 || asked[0].Permission.Edit == nil || asked[0].Permission.Edit.Patch != "@@ -1 +1 @@\n-one\n+1\n" {
			t.Fatalf("%+v", asked)
		}
		if err := ch.answers("ask-1", session.Answer{Decision: session.Deny}); err != nil {
			t.Fatal(err)
		}
	})
}
