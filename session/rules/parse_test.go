package rules

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/session/permission"
)

// texts returns rules as "ruling text".
func texts(all []permission.Rule) []string {
	var out []string
	for _, r := range all {
		out = append(out, string(r.Ruling)+" "+r.String())
	}
	return out
}

func TestParse(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"empty":         {"", nil},
		"comments":      {"# nothing yet\n", nil},
		"null":          {"---\n", nil},
		"no list":       {"rules:\n", nil},
		"empty list":    {"rules: []\n", nil},
		"three rulings": {"rules:\n- allow: command go test *\n- ask: edit src/**\n- deny: read ~/.ssh/**\n", []string{"allow command go test *", "ask edit src/**", "deny read ~/.ssh/**"}},
		"since first":   {"rules:\n  - since: 2026-11-22\n    allow: tool WebSearch\n", []string{"allow tool WebSearch"}},
		"flow":          {"rules: [{allow: mcp github}, {deny: 'command rm *', since: 2026-11-22 20:15}]\n", []string{"allow mcp github", "deny command rm *"}},
		"crlf":          {"rules:\r\n  - allow: fetch example.com\r\n", []string{"allow fetch example.com"}},
		"quoted":        {"rules:\n  - allow: \"command echo \\\"#1: x\\\"\"\n", []string{`allow command echo "#1: x"`}},
	} {
		d, err := parse([]byte(c.text), permission.FromProject)
		if got := texts(d.rules); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q %v", name, got, err)
		}
		for i, r := range d.rules {
			if r.Number != i+1 || r.Origin != permission.FromProject {
				t.Errorf("%s: rule %+v at %d", name, r, i)
			}
		}
	}
}

func TestParseTimes(t *testing.T) {
	for text, want := range map[string]time.Time{
		"2026-11-22":           time.Date(2026, 11, 22, 0, 0, 0, 0, time.Local),
		"2026-11-22 20:15":     time.Date(2026, 11, 22, 20, 15, 0, 0, time.Local),
		"2026-11-22T20:15:04Z": time.Date(2026, 11, 22, 20, 15, 4, 0, time.UTC),
	} {
		d, err := parse([]byte("rules:\n- allow: tool X\n  since: "+text+"\n"), "")
		if err != nil || !d.rules[0].Since.Equal(want) {
			t.Errorf("%s: %+v %v", text, d.rules, err)
		}
	}
}

// Every broken file is refused with the line of the mistake, and what denies in it still holds.
func TestBrokenFiles(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		line int
		says string
	}{
		"syntax":           {"rules:\n  - allow: [\n", 0, "did not find"},
		"tab":              {"rules:\n\t- allow: tool X\n", 2, "cannot start any token"},
		"unknown key":      {"rules: []\nrule: []\n", 2, `unknown key "rule"; did you mean rules?`},
		"key of a rule":    {"rules:\n- alow: command go test *\n", 2, `unknown key "alow"; did you mean allow?`},
		"two rulings":      {"rules:\n- allow: tool X\n  deny: tool X\n", 3, "has allow already"},
		"no ruling":        {"rules:\n- since: 2026-11-22\n", 2, "a rule has one of allow, ask, deny"},
		"key twice":        {"rules:\n- allow: tool X\n  allow: tool Y\n", 3, "already set on line 2"},
		"list twice":       {"rules: []\nrules: []\n", 2, "already set on line 1"},
		"bad rule":         {"rules:\n- allow: tool X\n- allow: comand go test\n", 3, "a rule begins with"},
		"rule of nothing":  {"rules:\n- deny: command\n", 2, "say which command"},
		"number":           {"rules:\n- allow: 5\n", 2, `not "5"`},
		"list as rule":     {"rules:\n- allow: [command, go]\n", 2, "not a list"},
		"text as rule":     {"rules:\n- command go test *\n", 2, "expected a rule such as"},
		"nothing as rule":  {"rules:\n-\n", 2, "not nothing"},
		"section as rules": {"rules:\n  allow: tool X\n", 2, "expected a list of rules, not a section"},
		"text as rules":    {"rules: yes please\n", 1, "expected a list of rules"},
		"list as file":     {"- allow: tool X\n", 1, "expected the key rules"},
		"text as file":     {"allow everything\n", 1, "expected the key rules"},
		"bad date":         {"rules:\n- allow: tool X\n  since: yesterday\n", 3, "expected a date"},
		"two documents":    {"rules: []\n---\nrules:\n- deny: tool X\n", 0, "second document"},
		"alias":            {"rules:\n- &a\n  allow: tool X\n- *a\n", 4, "not an alias"},
		"merged":           {"rules:\n- <<: {allow: tool X}\n", 2, "unknown key"},
		"control":          {"rules:\n- allow: \"command a\\nb\"\n", 2, "one line"},
		"not text":         {"\x00\x01\x02", 0, ""},
	} {
		d, err := parse([]byte(c.text), "")
		if err == nil {
			t.Errorf("%s: accepted as %q", name, texts(d.rules))
			continue
		}
		if p := problemOf("f", err); p.Line != c.line && c.line > 0 || !strings.Contains(p.Error(), c.says) {
			t.Errorf("%s: %v", name, p)
		}
	}
}

// A file that cannot be used locks everything, names the file and the line, and leaves what denies in force.
func TestBrokenFileFailsClosed(t *testing.T) {
	for name, make := range map[string]func(path string) error{
		"a mistake": func(path string) error {
			return os.WriteFile(path, []byte("rules:\n- allow: command go test *\n- deny: tool X\n- alow: tool Y\n"), 0o600)
		},
		"a directory": func(path string) error { return os.Mkdir(path, 0o700) },
		"too large":   func(path string) error { return os.WriteFile(path, []byte(strings.Repeat("#", largest+1)), 0o600) },
	} {
		dir := t.TempDir()
		s := New(Options{Config: filepath.Join(dir, "config"), Data: filepath.Join(dir, "data")})
		if err := s.Add(dir, permission.FromProject, rule(t, permission.Allow, "command make lint")); err != nil {
			t.Fatal(err)
		}
		path := s.Path(dir, permission.FromGlobal)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if k := s.Kept(dir); len(k.Rules) != 1 || k.Locked != "" {
			t.Errorf("without the file: %+v", k)
		}
		if err := make(path); err != nil {
			t.Fatal(err)
		}
		k := s.Kept(dir)
		if !strings.Contains(k.Locked, path) || !strings.Contains(k.Locked, "/permissions") {
			t.Errorf("%s: locked %q", name, k.Locked)
		}
		want := []string(nil)
		if name == "a mistake" {
			want = []string{"deny tool X"}
			if !strings.Contains(k.Locked, "line 4: unknown key") {
				t.Errorf("locked %q", k.Locked)
			}
		}
		if got := texts(k.Rules); !slices.Equal(got, want) {
			t.Errorf("%s: the rules %q hold", name, got)
		}
		if err := s.Add(dir, permission.FromGlobal, rule(t, permission.Allow, "tool Z")); err == nil {
			t.Errorf("%s: a rule was added to it", name)
		}
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		if k := s.Kept(dir); len(k.Rules) != 1 || k.Locked != "" {
			t.Errorf("%s: after it was removed: %+v", name, k)
		}
	}
}

func rule(t testing.TB, ruling permission.Ruling, text string) permission.Rule {
	t.Helper()
	r, err := permission.ParseRule(text)
	if err != nil {
		t.Fatal(err)
	}
	r.Ruling = ruling
	return r
}
