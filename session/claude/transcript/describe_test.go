package transcript

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
)

const (
	idA = "aaaaaaaa-0000-4000-8000-000000000001"
	idB = "bbbbbbbb-0000-4000-8000-000000000002"
	idC = "cccccccc-0000-4000-8000-000000000003"
)

// put writes a session's transcript below a configuration directory.
func put(t testing.TB, config, project, id, data string, age time.Duration) string {
	t.Helper()
	path := filepath.Join(config, "projects", project, id+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC).Add(-age)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDescribe(t *testing.T) {
	where := `"cwd":"/work","gitBranch":"main","timestamp":"2026-01-01T10:00:00Z"`
	line := func(kind, rest string) string { return fmt.Sprintf(`{"type":%q,%s}`+"\n", kind, rest) }
	answer := `{"parentUuid":"u","isSidechain":false,"message":{"content":[],"model":"claude-x","id":"m"},"type":"assistant","uuid":"a","gitBranch":"topic"}` + "\n"
	for _, c := range []struct {
		name, data string
		want       Info
	}{
		{"the first prompt", said("u", "", "fix  it\\n now", where, `"permissionMode":"plan"`) + answer,
			Info{Summary: "fix it now", First: "fix it now", Dir: "/work", Branch: "topic", Model: "claude-x"}},
		{"the user's title wins", said("u", "", "hi") + line("custom-title", `"customTitle":"Mine"`) + line("ai-title", `"aiTitle":"Its"`),
			Info{Title: "Mine", Summary: "Mine", First: "hi"}},
		{"the newest title counts", said("u", "", "hi") + line("ai-title", `"aiTitle":"Old"`) + line("ai-title", `"aiTitle":"New"`),
			Info{Title: "New", Summary: "New", First: "hi"}},
		{"a title taken back", said("u", "", "hi") + line("custom-title", `"customTitle":"Mine"`) + line("custom-title", `"customTitle":""`),
			Info{Summary: "hi", First: "hi"}},
		{"the newest prompt", said("u", "", "hi") + line("last-prompt", `"lastPrompt":"and more"`), Info{Summary: "and more", First: "hi"}},
		{"text of the runtime is not a prompt", said("u", "", "<command-name>/cost</command-name>") + said("v", "u", "[Request interrupted by user]") +
			said("w", "v", "note", `"isMeta":true`) + said("x", "w", result("1")) + said("y", "x", "mine"), Info{Summary: "mine", First: "mine"}},
		{"markup is not a note", said("u", "", "<b>bold</b> is wrong"), Info{Summary: "<b>bold</b> is wrong", First: "<b>bold</b> is wrong"}},
		{"a long prompt", said("u", "", strings.Repeat("wörd ", 100)), Info{Summary: strings.TrimSpace(strings.Repeat("wörd ", 40)) + "…",
			First: strings.TrimSpace(strings.Repeat("wörd ", 40)) + "…"}},
		{"both ends", said("u", "", "hi", where) + strings.Repeat(line("progress", `"x":"`+strings.Repeat("x", 1000)+`"`), 300) + answer + line("ai-title", `"aiTitle":"End"`),
			Info{Title: "End", Summary: "End", First: "hi", Dir: "/work", Branch: "topic", Model: "claude-x"}},
	} {
		config := t.TempDir()
		got, err := Describe(put(t, config, "-work", idA, c.data, 0), time.Time{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got.Title != c.want.Title || got.Summary != c.want.Summary || got.First != c.want.First || got.Dir != c.want.Dir ||
			got.Branch != c.want.Branch || got.Model != c.want.Model {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

func TestFork(t *testing.T) {
	config := t.TempDir()
	signature := `[{"type":"thinking","thinking":"<hm>","signature":"a+/b=="}]`
	path := put(t, config, "-a", idA, said("u1", "", "one", `"sessionId":"`+idA+`"`)+said("a1", "u1", signature, isAssistant)+said("b1", "a1", "x", isAssistant)+
		said("r1", "a1", result("1"), `"sourceToolAssistantUUID":"a1"`)+said("u2", "b1", "two")+said("c1", "u2", "y", isAssistant), 0)
	id, err := Fork(t.Context(), path, filepath.Dir(path), "b1", "Title")
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(filepath.Dir(path), id+".jsonl")
	info, err := os.Stat(copied)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v %v", info, err)
	}
	data, err := os.ReadFile(copied)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, want := range []string{signature, `"customTitle":"Title (fork)"`, `"forkedFrom":{"messageUuid":"b1","sessionId":"` + idA + `"}`, `"sessionId":"` + id + `"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	for _, not := range []string{`"uuid":"u1"`, `"parentUuid":"u1"`, `"two"`} {
		if strings.Contains(text, not) {
			t.Errorf("%s in\n%s", not, text)
		}
	}
	entries := load(t, copied).Conversation()
	if len(entries) != 5 || entries[1].Parent != entries[0].UUID || entries[0].Blocks[0].Text != "one" || entries[4].Title != "Title (fork)" {
		t.Errorf("%d entries: %+v", len(entries), entries)
	}
	if again, err := Fork(t.Context(), copied, filepath.Dir(copied), entries[3].UUID, ""); err != nil || again == id {
		t.Errorf("a copy of a copy: %v", err)
	}
	if _, err := Fork(t.Context(), path, filepath.Dir(path), "nowhere", ""); session.KindOf(err) != session.KindNotFound {
		t.Errorf("%v", err)
	}
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".fork-*"))
	if len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Children are linked by each sign alone, and the surest wins.
func TestLink(t *testing.T) {
	calls := []Call{{ID: "c1", Prompt: "same"}, {ID: "c2", Prompt: "same", Agent: "x2"}, {ID: "c3", Text: "Done.\nagentId: x3 (use it)"}, {ID: "c4", Prompt: "other"}}
	children := []Child{{Agent: "x4", Prompt: "other"}, {Agent: "x3"}, {Agent: "x2", Prompt: "same"}, {Agent: "x1", Call: "c1", Prompt: "different"}, {Agent: "x5"}}
	got := Link(calls, children)
	for call, want := range map[string]int{"c1": 3, "c2": 2, "c3": 1, "c4": 0} {
		if i, ok := got[call]; !ok || i != want {
			t.Errorf("%s is %d", call, i)
		}
	}
	two := Link([]Call{{ID: "a", Prompt: "p"}, {ID: "b", Prompt: "p"}}, []Child{{Agent: "1", Prompt: "p"}, {Agent: "2", Prompt: "p"}})
	if two["a"] != 0 || two["b"] != 1 {
		t.Errorf("identical prompts: %v", two)
	}
}
