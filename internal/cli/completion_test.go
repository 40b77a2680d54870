package cli

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"parley/config"

	"parley/session"
)

// listed returns the stored sessions.
func (w *world) listed() (out []session.Meta) {
	w.t.Helper()
	if err := json.Unmarshal([]byte(w.mustRun("sessions", "list", "--json")), &out); err != nil {
		w.t.Fatal(err)
	}
	return out
}

// offers returns what a shell is offered for the last of some words.
func (w *world) offers(words ...string) (values []string, text string) {
	w.t.Helper()
	text = w.mustRun(append([]string{"__complete"}, words...)...)
	for line := range strings.Lines(text) {
		if value, _, _ := strings.Cut(strings.TrimSpace(line), "\t"); !strings.HasPrefix(value, ":") {
			values = append(values, value)
		}
	}
	return values, text
}

// TestCompletionsOfferValues offers what flags and arguments take, and asks no service for it.
func TestCompletionsOfferValues(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	w.mustRun("models") // stores the list
	w.mustRun("-p", "how tides work")
	id := string(w.listed()[0].ID)
	asked := len(w.sim.Requests())
	for _, tc := range []struct {
		words []string
		want  string
	}{
		{[]string{"--agent", ""}, "auto builtin claude copilot cloud"},
		{[]string{"--permission-mode", ""}, "default acceptEdits plan bypassPermissions"},
		{[]string{"--screen", ""}, "alt inline plain"},
		{[]string{"--output-format", ""}, "text json stream-json"},
		{[]string{"--input-format", ""}, "text stream-json"},
		{[]string{"--max-turns", ""}, ""},
		{[]string{"--model", "claude-opus"}, "claude-opus-4.8 claude-opus-4.6"},
		{[]string{"-m", "claude-haiku-4.5", "--effort", ""}, ""},
		{[]string{"sessions", "show", ""}, id},
		{[]string{"sessions", "rm", id[:4]}, id},
		{[]string{"sessions", "rm", "zzzz"}, ""},
		{[]string{"sessions", "fork", id, ""}, ""},
		{[]string{"-r", ""}, id},
		{[]string{"runtimes", "install", ""}, "claude copilot"},
		{[]string{"runtimes", "rm", "cl"}, "claude"},
		{[]string{"models", ""}, "accept"},
	} {
		if got, text := w.offers(tc.words...); strings.Join(got, " ") != tc.want {
			t.Errorf("%q: offered\n%swant %s", tc.words, text, tc.want)
		}
	}
	if _, text := w.offers("sessions", "show", ""); !strings.Contains(text, "\thow tides work\n") {
		t.Errorf("no title: %s", text)
	}
	if got, _ := w.offers("--effort", ""); !slices.Contains(got, "high") {
		t.Errorf("efforts of all models: %q", got)
	}
	if n := len(w.sim.Requests()); n != asked {
		t.Errorf("completions sent %d requests", n-asked)
	}
	for _, words := range [][]string{{"--"}, {"sessions", "fork", "--"}, {"sim", "--"}, {""}} {
		if _, text := w.offers(words...); strings.Contains(text, "`") || text == "" {
			t.Errorf("%q: %s", words, text)
		}
	}
}

// TestCompletionsWithoutAnything offer nothing, and no error, where nothing is stored or the configuration is broken.
func TestCompletionsWithoutAnything(t *testing.T) {
	w := newWorld(t)
	for _, words := range [][]string{{"--model", ""}, {"--effort", ""}, {"sessions", "show", ""}} {
		if got, _ := w.offers(words...); len(got) > 0 {
			t.Errorf("%q: %q", words, got)
		}
	}
	w.env = append(w.env, "PARLEY_AGENT=nonsense")
	if got, _ := w.offers("sessions", "show", ""); len(got) > 0 {
		t.Errorf("a broken configuration: %q", got)
	}
}

// TestCompletionsAreTheValuesOfTheConfiguration compares the fixed values with those that the configuration takes.
func TestCompletionsAreTheValuesOfTheConfiguration(t *testing.T) {
	var schema struct {
		Properties map[string]struct{ Enum []string }
	}
	if err := json.Unmarshal(config.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	for flag, key := range map[string]string{"agent": "agent", "permission-mode": "permission_mode", "screen": "screen"} {
		got, _ := w.offers("--"+flag, "")
		if want := schema.Properties[key].Enum; len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("--%s: %q, want %q", flag, got, want)
		}
	}
}
