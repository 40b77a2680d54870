//go:build unix

package claude

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// What is asked about is looked at before anybody is asked: that must neither wait nor fill the memory.
func TestPreviewsReadOnlyWhatHasAnEnd(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"zero": "/dev/zero", "proc": "/proc/self/pagemap", "to-pipe": "pipe"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"pipe", "zero", "proc", "to-pipe"} {
		if text, exists, ok := readFile(filepath.Join(dir, name)); ok && exists {
			t.Errorf("%s: %d bytes", name, len(text))
		}
	}
	type edit struct {
		Old string `json:"old_string"`
		New string `json:"new_string"`
		All bool   `json:"replace_all"`
	}
	var edits []edit
	for range 60 { // each doubles the text
		edits = append(edits, edit{"a", "aa", true})
	}
	raw, err := json.Marshal(map[string]any{"subtype": "can_use_tool", "tool_name": "MultiEdit", "input": map[string]any{"file_path": "x", "edits": edits}})
	if err != nil {
		t.Fatal(err)
	}
	if e := preview(raw, func(string) (string, bool, bool) { return "a", true, true }); e != nil && len(e.Patch) > 4*maxPreview {
		t.Errorf("a change of %d bytes", len(e.Patch))
	}
	raw, err = json.Marshal(map[string]any{"subtype": "can_use_tool", "tool_name": "Edit", "input": map[string]any{"file_path": "x", "old_string": "a",
		"new_string": strings.Repeat("b", maxPreview), "replace_all": true}})
	if err != nil {
		t.Fatal(err)
	}
	if e := preview(raw, func(string) (string, bool, bool) { return strings.Repeat("a", maxPreview), true, true }); e != nil {
		t.Errorf("a change of %d bytes", len(e.Patch))
	}
}
