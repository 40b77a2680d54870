package rules

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/permission"
	"parley/session/rules"
	"parley/session/toolview"
)

func parsed(t *testing.T, text string) permission.Rule {
	t.Helper()
	r, err := Parse(text, permission.Allow)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Every rule is described in words that name what it covers and what happens.
func TestMeans(t *testing.T) {
	for text, want := range map[string]string{
		"allow command go test *":   "Allows the command go test, alone or with any arguments without asking.",
		"allow command make lint":   "Allows exactly the command make lint without asking.",
		"allow command sh check.sh": "It holds also after the script has changed.",
		"ask edit go.mod":           "Asks about changes to go.mod in the session's directory, whatever else allows it.",
		"deny read ~/.ssh/**":       "Refuses reading everything below ~/.ssh, in every mode",
		"allow edit src/*.go":       "changes to files that match src/*.go in the session's directory",
		"allow read /**":            "reading every file",
		"allow edit **":             "changes to every file in the session's directory",
		"allow fetch *.example.com": "fetching pages of example.com and its subdomains",
		"deny mcp github":           "Refuses every tool of the MCP server github",
		"allow mcp github/list":     "the tool list of the MCP server github",
		"ask tool WebSearch":        "Asks about every call of the tool WebSearch",
		"allow command bash *":      "It allows nothing: bash runs what its arguments say.",
		"deny command bash *":       "Refuses the command bash",
		"allow tool Bash":           "It allows nothing: commands are allowed one by one",
	} {
		if got := strings.Join(means(parsed(t, text)), " "); !strings.Contains(got, want) {
			t.Errorf("%s: %s", text, got)
		}
	}
}

func TestSince(t *testing.T) {
	now := time.Date(2026, 11, 22, 20, 0, 0, 0, time.Local)
	for want, at := range map[string]time.Time{
		"": {}, "since 08:05 today": time.Date(2026, 11, 22, 8, 5, 0, 0, time.Local),
		"since yesterday": time.Date(2026, 11, 21, 23, 59, 0, 0, time.Local), "since 2026-11-20": time.Date(2026, 11, 20, 8, 0, 0, 0, time.Local),
	} {
		if got := Since(permission.Rule{Since: at}, now); got != want {
			t.Errorf("%s: %q, want %q", at, got, want)
		}
	}
}

// What is written behind explain stands for a command, a file, a page or a tool.
func TestQuestions(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "make"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c := Chat{Dir: dir, Home: "/home/u"}
	for text, want := range map[string][]string{
		"go test ./...":       {"command go test ./..."},
		"ls":                  {"command ls"},
		"make":                {"read " + filepath.Join(dir, "make"), "edit " + filepath.Join(dir, "make")},
		"command make":        {"command make"},
		"./new/file":          {"read " + filepath.Join(dir, "new/file"), "edit " + filepath.Join(dir, "new/file")},
		"~/.bashrc":           {"read /home/u/.bashrc", "edit /home/u/.bashrc"},
		"./run --all":         {"command ./run --all"},
		"edit a b":            {"edit " + filepath.Join(dir, "a b")},
		"read /etc/hosts":     {"read /etc/hosts"},
		"https://example.com": {`fetch {"url":"https://example.com"}`},
		"fetch example.com/a": {`fetch {"url":"https://example.com/a"}`},
		"mcp github/list":     {"tool mcp__github__list"},
		"tool Deploy":         {"tool Deploy"},
	} {
		all, err := questions(c, text)
		var got []string
		for _, q := range all {
			switch {
			case q.ask.Command != "":
				got = append(got, "command "+q.ask.Command)
			case q.kind == toolview.Edit:
				got = append(got, "edit "+q.ask.Path)
			case q.kind == toolview.Read:
				got = append(got, "read "+q.ask.Path)
			case q.kind == toolview.Fetch:
				got = append(got, "fetch "+string(q.ask.Input))
			default:
				got = append(got, "tool "+q.ask.Tool)
			}
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q %v", text, got, err)
		}
	}
	for _, text := range []string{"", "mcp github"} {
		if _, err := questions(c, text); err == nil {
			t.Errorf("%q is explained", text)
		}
	}
}

// An explanation names the rule with its number, its origin and its age, else the reason.
func TestExplained(t *testing.T) {
	now := time.Date(2026, 11, 22, 20, 0, 0, 0, time.Local)
	r := parsed(t, "command go test *")
	r.Number, r.Origin, r.Since = 3, permission.FromProject, now.AddDate(0, 0, -1)
	q := command("go test ./...")
	for want, d := range map[string]permission.Decision{
		"go test ./... would run without asking: allowed by rule 3 of this project, since yesterday (command go test *).": {Ruling: permission.Allow, Rule: &r},
		"go test ./... would be asked about: no rule allows it.":                                                          {Ruling: permission.Ask},
		"go test ./... would be asked about: it writes a file.":                                                           {Ruling: permission.Ask, Reason: "Asked: it writes a file."},
		"go test ./... would run without asking: allowed by the permission mode.":                                         {Ruling: permission.Allow},
	} {
		if got := explained(q, d, now); got != want {
			t.Errorf("%s", got)
		}
	}
	d := permission.Decision{Parts: []session.CommandPart{{Start: 0, End: 7, Allowed: true, Why: "rule 3"}, {Start: 8, End: 13}, {Start: 9, End: 99}}}
	if got := parts("go test ./...", d); !slices.Equal(got, []string{"  go test: allowed, rule 3", "  ./...: asked"}) {
		t.Errorf("%q", got)
	}
}

// Mistakes in the command name what is wrong and change nothing.
func TestMistakes(t *testing.T) {
	dir := t.TempDir()
	store := rules.New(rules.Options{Config: filepath.Join(dir, "c"), Data: filepath.Join(dir, "d")})
	c := Chat{Dir: dir}
	for args, says := range map[string]string{
		"burn":                   "write /permissions explain",
		"allow":                  "a rule begins with",
		"deny --global command":  "say which command",
		"remove":                 "write /permissions remove project NUMBER",
		"remove project":         "NUMBER",
		"remove project 1 2":     "NUMBER",
		"remove policy 1":        "policy rules can't be changed here",
		"remove session 1":       "there is no rule 1 in the session rules",
		"edit session 1 tool X":  "session rules can't be changed here",
		"edit project x tool X":  "can't be changed here",
		"move project 3":         "there is no rule 3",
		"edit global 1 comand x": "there is no rule 1",
	} {
		if lines, err := Run(t.Context(), store, c, args, time.Now()); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %q %v", args, lines, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "d")); err == nil {
		t.Error("something was written")
	}
}

// A rule that allows nothing is added, because it harms nothing, with the reason.
func TestVoidRulesSaySo(t *testing.T) {
	dir := t.TempDir()
	store := rules.New(rules.Options{Config: filepath.Join(dir, "c"), Data: filepath.Join(dir, "d")})
	c := Chat{Dir: dir}
	for _, step := range [][2]string{
		{"allow command bash *", "Added to the project rules: allow command bash *. It allows nothing: bash runs what its arguments say."},
		{"edit project 1 allow command sh *", "Changed in the project rules: allow command sh *. It allows nothing: sh runs"},
		{"deny command bash *", "Added to the project rules: deny command bash *"},
	} {
		lines, err := Run(t.Context(), store, c, step[0], time.Now())
		if err != nil || len(lines) != 1 || !strings.HasPrefix(lines[0], step[1]) || strings.HasPrefix(step[0], "deny") && lines[0] != step[1] {
			t.Errorf("%s: %q %v", step[0], lines, err)
		}
	}
}
