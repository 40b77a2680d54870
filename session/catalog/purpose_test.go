package catalog

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
)

// listed are the models of GitHub's pages on 3 October and 10 June 2026, by name.
const listed = `GPT-5 mini, GPT-5.3-Codex, GPT-5.4, GPT-5.4 mini, GPT-5.4 nano, GPT-5.5, GPT-5.6 Luna, GPT-5.6 Sol, GPT-5.6 Terra, GPT-6 Astra,
GPT-6 Luna, GPT-6 Sol, GPT-6.1 Sol, Claude Fable 5, Claude Fable 5.1, Claude Haiku 4.5, Claude Opus 4.8, Claude Opus 4.8 (fast mode) (preview),
Claude Opus 5, Claude Opus 5.5, Claude Sonnet 4.6, Claude Sonnet 5, Claude Sonnet 5.5, Gemini 3.7 Flash, Gemini 3.8 Flash, Grok 4.5, Grok 4.6,
Grok 4.7, Kimi K3, MAI-Code-1.1-Flash, Qwen2.5, Claude Opus 4.5, Claude Opus 4.6, Claude Opus 4.6 (fast mode) (preview), Claude Opus 4.7,
Claude Sonnet 4.5, Gemini 2.5 Pro, Gemini 3 Flash, Gemini 3.1 Pro, Gemini 3.5 Flash, MAI-Code-1-Flash, Raptor mini, GPT-4.1, GPT-5.2, GPT-5.2-Codex`

// recorded returns the models of the lists that the simulation answers with, which have the form and the ids of the service.
func recorded(t *testing.T) (all []session.Model) {
	t.Helper()
	files, err := filepath.Glob("../../copilot/sim/testdata/models-*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no lists", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var list struct{ Data []rawModel }
		if err := json.Unmarshal(data, &list); err != nil {
			t.Fatal(file, err)
		}
		for _, m := range list.Data {
			if m.Capabilities.Type != "embeddings" && m.ID != "auto" {
				all = append(all, session.Model{ID: m.ID, Name: m.Name})
			}
		}
	}
	if len(all) < 20 {
		t.Fatalf("%d models", len(all))
	}
	return all
}

type rawModel struct {
	ID, Name     string
	Capabilities struct{ Type string }
}

// Every model that GitHub lists is for something: a new family needs a row of the table.
func TestEveryListedModelHasAPurpose(t *testing.T) {
	all := recorded(t)
	for name := range strings.SplitSeq(listed, ",") {
		name = strings.TrimSpace(name)
		all = append(all, session.Model{ID: strings.ReplaceAll(strings.ToLower(name), " ", "-"), Name: name}, session.Model{ID: "x", Name: name})
	}
	for _, m := range all {
		if f, _ := familyOf(&m); f < 0 {
			t.Errorf("%s (%s) is of no family", m.ID, m.Name)
		}
	}
}

// The words fit beside the other columns of a window of 120.
func TestPurposesAreShort(t *testing.T) {
	for i, f := range families {
		if len(f.purpose) > 42 || f.purpose == "" {
			t.Errorf("%s %s: %q", f.prefix, f.word, f.purpose)
		}
		for _, g := range families[:i] {
			if g.prefix == f.prefix && g.word == f.word || g.word == "" && strings.HasPrefix(f.prefix, g.prefix) {
				t.Errorf("%s %s is never reached", f.prefix, f.word)
			}
		}
	}
}

func TestAVersionIsOlderThanANewerOneThatCanBeUsed(t *testing.T) {
	models := []session.Model{
		{ID: "claude-opus-4.8"}, {ID: "claude-opus-4-6-20260115"}, {ID: "claude-opus-5", Unusable: "a policy"}, {ID: "claude-opus-4.8-fast"},
		{ID: "claude-opus-5.5", Preview: true}, {ID: "gpt-5.5"}, {ID: "gpt-5-mini"}, {ID: "gpt-5.3-codex"}, {ID: "gpt-4o"}, {ID: "gpt-6-sol"},
		{ID: "acme-7"}, {ID: "claude-haiku-4.5"}, {ID: "grok-4.5"}, {ID: "grok-4.10"}, {ID: "grok-code-fast-1"}, {ID: "deploy-1", Name: "GPT-5 mini"},
		{ID: "claude-haiku-4", Default: true},
	}
	want := []string{"hard problems and long work", older, "hard problems and long work", "sooner answers, for a higher price",
		"hard problems and long work", "everyday work and hard problems", "small edits and questions, at a low price",
		"code in many steps, with many tools", older, "hard problems and long work",
		"", "quick answers and small edits", older, "everyday work", "quick edits of code", "small edits and questions, at a low price",
		"quick answers and small edits"}
	setPurposes(models)
	for i, m := range models {
		if m.Purpose != want[i] {
			t.Errorf("%s is for %q, want %q", m.ID, m.Purpose, want[i])
		}
	}
}
