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
	if out := w.mustRun("usage", "--prompts", "--json"); strings.TrimSpace(out) != "[]" {
		t.Errorf("%q", out)
	}
	w.mustRun("-p", "hello")
	if err := json.Unmarshal([]byte(w.mustRun("usage", "--json")), &r); err != nil {
		t.Fatal(err)
	}
	if r.Today <= 0 || r.Month != r.Today || r.Total != r.Today || len(r.Models) != 1 || r.Models[0].Name == "" || len(r.Agents) != 1 || len(r.Dirs) != 1 {
		t.Errorf("%+v", r)
	}
	var all []spending.Charge
	if err := json.Unmarshal([]byte(w.mustRun("usage", "--prompts", "--json")), &all); err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	if c := all[0]; c.Credits != r.Today || c.Prompt != "hello" || c.Agent != "builtin" || c.Model != r.Models[0].Name || c.Dir != r.Dirs[0].Name || c.Requests != 1 || c.ToolRounds != 0 ||
		c.Session == "" || c.Turn == "" || c.At.IsZero() {
		t.Errorf("%+v of %+v", c, r)
	}
	if out := w.mustRun("usage", "--prompts"); !strings.Contains(out, "hello") {
		t.Errorf("%s", out)
	}
	if out := w.mustRun("usage"); !strings.Contains(out, "today ") || !strings.Contains(out, "builtin") {
		t.Errorf("%s", out)
	}
}
