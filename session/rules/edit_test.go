package rules

import (
	"slices"
	"strings"
	"testing"
	"time"

	"parley/session/permission"
)

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

const mine = `# my rules
rules:
  # tests
  - allow: command go test *   # all of them
    since: 2026-11-20

  # never
  - deny: read ~/.ssh/**
  - ask: edit go.mod
# the end
`

func TestAdd(t *testing.T) {
	lint := rule(t, permission.Allow, "command make lint")
	lint.Since = noon
	const item = "- allow: command make lint\n    since: 2026-11-22T12:00:00Z\n"
	for name, c := range map[string]struct{ text, want string }{
		"empty":        {"", "rules:\n  " + item},
		"comments":     {"# hello\n", "# hello\nrules:\n  " + item},
		"no end":       {"# hello", "# hello\nrules:\n  " + item},
		"no list":      {"rules:\n# later\n", "rules:\n  " + item + "# later\n"},
		"with content": {mine, strings.Replace(mine, "# the end", "  "+item+"# the end", 1)},
		"no indent": {"rules:\n- deny: tool X\n",
			"rules:\n- deny: tool X\n- allow: command make lint\n  since: 2026-11-22T12:00:00Z\n"},
		"crlf":       {"rules:\r\n  - deny: tool X\r\n", "rules:\r\n  - deny: tool X\r\n  " + strings.ReplaceAll(item, "\n", "\r\n")},
		"empty list": {"rules: [] # none\n", ""},
		"flow":       {"# mine\nrules: [{deny: tool X}] # one\n", ""},
		"marks":      {"---\nrules:\n- deny: tool X\n...\n", ""},
		"folded":     {"rules:\n- deny:\n    tool\n    X\n", ""},
		"dash alone": {"rules:\n-\n  deny: tool X\n", ""},
	} {
		got, err := added([]byte(c.text), lint)
		if err != nil || c.want != "" && string(got) != c.want {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
		before, _ := parse([]byte(c.text), "")
		after, err := parse(got, "")
		if want := append(texts(before.rules), "allow command make lint"); err != nil || !slices.Equal(texts(after.rules), want) {
			t.Errorf("%s: %q, want %q", name, texts(after.rules), want)
		}
		for _, comment := range []string{"# hello", "# mine", "# one", "# none", "# later"} {
			if strings.Contains(c.text, comment) && !strings.Contains(string(got), comment) {
				t.Errorf("%s: the comment %q is lost:\n%s", name, comment, got)
			}
		}
	}
}

func TestRemove(t *testing.T) {
	for i, want := range []string{
		strings.Replace(mine, "  - allow: command go test *   # all of them\n    since: 2026-11-20\n", "", 1),
		strings.Replace(mine, "  - deny: read ~/.ssh/**\n", "", 1),
		strings.Replace(mine, "  - ask: edit go.mod\n", "", 1),
	} {
		if got, err := removed([]byte(mine), i); err != nil || string(got) != want {
			t.Errorf("rule %d: %v\n%s", i, err, got)
		}
	}
	text := []byte(mine)
	for range 3 {
		var err error
		if text, err = removed(text, 0); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := added(text, rule(t, permission.Deny, "tool X")); err != nil || !strings.Contains(string(got), "- deny: tool X") {
		t.Errorf("after the last was removed: %v\n%s", err, got)
	}
	if got, err := removed([]byte("rules: [{deny: tool X}, {deny: tool Y}] # two\n"), 0); err != nil || !strings.Contains(string(got), "# two") {
		t.Errorf("in brackets: %v\n%s", err, got)
	}
}

func TestReplace(t *testing.T) {
	r := rule(t, permission.Allow, "command go test ./... *")
	r.Since = noon
	want := strings.Replace(mine, "command go test *   # all of them\n    since: 2026-11-20",
		"command go test ./... * # all of them\n    since: 2026-11-22T12:00:00Z", 1)
	if got, err := replaced([]byte(mine), 0, r); err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
}

// FuzzEdit adds to, removes from and changes files of any shape: the result has exactly the wanted rules, or there is an error.
func FuzzEdit(f *testing.F) {
	for _, text := range []string{mine, "", "rules: []", "rules:\n-\n  deny: tool X", "{rules: [{allow: tool X}]}", "rules:\n- allow: |-\n    tool X\n", "\ufeffrules:\n- deny: tool X"} {
		f.Add([]byte(text), "command echo '# : \"'")
	}
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		r, err := permission.ParseRule(text)
		d, broken := parse(data, "")
		if err != nil || broken != nil || len(data) > 1<<12 || len(text) > 1<<10 {
			return
		}
		if again, err := permission.ParseRule(r.String()); err != nil || again != r {
			return
		}
		r.Since = noon
		check := func(what string, got []byte, err error, want []permission.Rule) {
			if err != nil {
				return
			}
			if !has(got, want) {
				t.Errorf("%s:\n%s\nbecame\n%s", what, data, got)
			}
		}
		got, err := added(data, r)
		check("added", got, err, append(slices.Clone(d.rules), r))
		if len(d.rules) > 0 {
			got, err = removed(data, 0)
			check("removed", got, err, d.rules[1:])
			got, err = replaced(data, 0, r)
			check("replaced", got, err, append([]permission.Rule{r}, d.rules[1:]...))
		}
	})
}
