package core

import (
	"testing"

	"parley/session"
)

// Both faces understand the same words, and drop an effort that the new model lacks.
func TestChoicesByName(t *testing.T) {
	models := []session.Model{{ID: "claude-a-1", Efforts: []string{"low", "high"}}, {ID: "b"}}
	high := session.Settings{Model: "claude-a-1", Effort: "high"}
	if s := WithModel(high, "b", models); s.Model != "b" || s.Effort != "" {
		t.Errorf("%+v", s)
	}
	if s := WithModel(high, "unknown", models); s.Effort != "high" {
		t.Errorf("%+v", s)
	}
	for word, want := range map[string]string{"CLAUDE-A-1": "claude-a-1", "a 1": "claude-a-1", "b": "b", "": "", "c": ""} {
		got := ""
		if m := NamedModel(models, word); m != nil {
			got = m.ID
		}
		if got != want {
			t.Errorf("%q: %q", word, got)
		}
	}
	for word, want := range map[string][2]string{"HIGH": {"high", ""}, "bogus": {"", "No effort bogus: low, high"}} {
		if e, problem := NamedEffort(&models[0], word); e != want[0] || problem != want[1] {
			t.Errorf("%q: %q, %q", word, e, problem)
		}
	}
	if _, problem := NamedEffort(&models[1], "low"); problem != "No effort low: b has no levels" {
		t.Error(problem)
	}
	if m, ok := NamedMode("ACCEPTEDITS"); !ok || m != session.ModeAcceptEdits {
		t.Error(m)
	}
	if _, ok := NamedMode("auto"); ok {
		t.Error("there is no such mode")
	}
}
