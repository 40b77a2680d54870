package claude

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/session/toolview"
)

// TestToolsHaveWords keeps the list of the tools that the recorded runtimes name, and wants a row in the table of
// displays for each.
func TestToolsHaveWords(t *testing.T) {
	var got strings.Builder
	for _, runtime := range []string{"sdk-0.2.112", "native", "newest"} {
		tools := map[string]bool{}
		names, err := filepath.Glob(filepath.Join("testdata", runtime, "*.jsonl"))
		if err != nil || len(names) == 0 {
			t.Fatal("no recordings", err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for l := range bytes.Lines(data) {
				var init struct {
					Subtype string
					Tools   []string
				}
				if json.Unmarshal(l, &init) == nil && init.Subtype == "init" {
					for _, tool := range init.Tools {
						tools[tool] = true
					}
				}
			}
		}
		for _, tool := range slices.Sorted(maps.Keys(tools)) {
			fmt.Fprintf(&got, "%s %s\n", runtime, tool)
			if d := toolview.Describe(tool, nil, ""); d.Present == "using "+tool {
				t.Errorf("%s has no separate words", tool)
			}
		}
	}
	list := filepath.Join("testdata", "tools.txt")
	if *update {
		if err := os.WriteFile(list, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("the tools have changed; run with -update and look at the difference. Now:\n%s", got.String())
	}
}
