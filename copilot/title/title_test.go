package title

import (
	"bytes"
	"strings"
	"testing"

	"parley/copilot"
	"parley/copilot/login"
	"parley/copilot/sim"
	"parley/copilot/sim/script"
)

// service starts a simulated service with models and a script, and a client of it.
func service(t *testing.T, models []sim.Model, rules string) (*sim.Server, *copilot.Client) {
	t.Helper()
	o := sim.Options{Models: models}
	if rules != "" {
		var err error
		if o.Script, err = script.Parse(strings.NewReader(rules), "rules.yaml"); err != nil {
			t.Fatal(err)
		}
	}
	server, err := sim.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	client, err := copilot.New(copilot.Options{GitHubAPIURL: server.GitHubURL(),
		Credential: login.Credential{Token: login.NewSecret(server.Token()), Source: "GH_TOKEN", Host: "github.com"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return server, client
}

// free is a model that costs nothing.
func free(id string) sim.Model {
	return sim.Model{ID: id, Name: id, Vendor: "Azure OpenAI", Family: id, Type: "chat", Endpoints: []string{"/chat/completions"},
		Policy: "enabled", Tools: true, Context: 128000, Output: 16000, Efforts: []string{"low", "high"}, Free: true}
}

func TestTitle(t *testing.T) {
	server, client := service(t, append(sim.DefaultModels(), free("gpt-9"), free("gpt-5-nano")),
		"rules:\n  - reply: [{text: \"\\\"Flaky upload test.\\\"\\nand more\"}]\n")
	title, err := New(client).Title(t.Context(), "why does the upload test flake?", "Because of a race.")
	if err != nil || title != "Flaky upload test" {
		t.Fatalf("%q, %v", title, err)
	}
	sent := 0
	for _, r := range server.Requests() {
		if r.Path != "/chat/completions" {
			continue
		}
		sent++
		if r.Header.Get("X-Initiator") != "agent" || r.Model != "gpt-5-nano" {
			t.Errorf("asked %s as %q", r.Model, r.Header.Get("X-Initiator"))
		}
		for _, part := range []string{"upload test flake", "Because of a race", `"reasoning_effort":"low"`} {
			if !bytes.Contains(r.Body, []byte(part)) {
				t.Errorf("%q is not in %s", part, r.Body)
			}
		}
	}
	if sent != 1 {
		t.Errorf("%d requests for one title", sent)
	}
}

func TestWithoutAFreeModelNothingIsSent(t *testing.T) {
	server, client := service(t, nil, "")
	title, err := New(client).Title(t.Context(), "hello", "hi")
	if err != nil || title != "" {
		t.Fatalf("%q, %v", title, err)
	}
	for _, r := range server.Requests() {
		if r.Method == "POST" {
			t.Errorf("%s was sent", r.Path)
		}
	}
}

func TestWhatFailsGivesNoTitle(t *testing.T) {
	_, client := service(t, []sim.Model{free("gpt-9")}, "rules:\n  - reply: [{fault: {kind: status, status: 402}}]\n")
	if title, err := New(client).Title(t.Context(), "hello", "hi"); err == nil || title != "" {
		t.Fatalf("%q, %v", title, err)
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"":                              "",
		"\n\n":                          "",
		"Fix the race":                  "Fix the race",
		"**Fix the race**":              "Fix the race",
		"# Fix\tthe   race.":            "Fix the race",
		"Title: “Fix the race”":         "Fix the race",
		"Fix\x1b]52;c;eA==\x07 it":      "Fix]52;c;eA== it",
		"Fix\u202e it":                  "Fix it",
		strings.Repeat("word ", 30):     strings.TrimSpace(strings.Repeat("word ", 11)) + "…",
		strings.Repeat("x", 100):        strings.Repeat("x", 59) + "…",
		"漢字の題名":                         "漢字の題名",
		strings.Repeat("漢", 100) + " x": strings.Repeat("漢", 59) + "…",
	} {
		if got := clean(in); got != want {
			t.Errorf("%q became %q, not %q", in, got, want)
		}
	}
}
