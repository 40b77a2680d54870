package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"parley/session/spending"
)

// What a run cost is found again by model, agent and directory.
func TestUsage(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	var r spending.Report
	if err := json.Unmarshal([]byte(w.mustRun("usage", "--json")), &r); err != nil || r.Total != 0 || len(r.Days) != 30 {
		t.Errorf("without a session: %+v %v", r, err)
	}
	w.mustRun("-p", "hello")
	if err := json.Unmarshal([]byte(w.mustRun("usage", "--json")), &r); err != nil {
		t.Fatal(err)
	}
	if r.Today <= 0 || r.Month != r.Today || r.Total != r.Today || len(r.Models) != 1 || r.Models[0].Name == "" || len(r.Agents) != 1 || len(r.Dirs) != 1 {
		t.Errorf("%+v", r)
	}
	if out := w.mustRun("usage"); !strings.Contains(out, "today ") || !strings.Contains(out, "builtin") {
		t.Errorf("%s", out)
	}
}
