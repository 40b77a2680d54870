package permission

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/toolview"
)

// goodRules are rules with their labels.
var goodRules = map[string]string{
	"command go test *": "go test *", "command make lint": "make lint", "command git commit -m 'a b' *": "git commit -m 'a b' *", "command make lint && make test": "make lint && make test",
	"command echo 'a;b'": "echo 'a;b'", "command ls | wc -l": "ls | wc -l", "command rm *": "rm *", "command find . -name '*.go'": "find . -name '*.go'", "edit **": "edits of any file of this project",
	"edit src/**": "edits of src/**", "edit ~/notes/*.md": "edits of ~/notes/*.md", "edit /a b/c": "edits of /a b/c", "read /etc/hosts": "reads of /etc/hosts", "read **/.env": "reads of **/.env",
	"read C:/x/**": "reads of C:/x/**", "fetch example.com": "pages of example.com", "fetch *.example.com": "pages of example.com and its subdomains", "fetch 127.0.0.1": "pages of 127.0.0.1", "fetch [::1]": "pages of [::1]",
	"fetch bücher.de": "pages of bücher.de", "fetch localhost": "pages of localhost", "mcp github": "every tool of the MCP server github", "mcp github/list_issues": "list_issues of the MCP server github", "tool WebSearch": "every call of WebSearch",
}

func TestParseRule(t *testing.T) {
	for text, label := range goodRules {
		r, err := ParseRule(text)
		if err != nil || r.String() != text || r.Ruling != Allow || r.Label() != label {
			t.Errorf("%q: %+v, %q, %v", text, r, r.Label(), err)
		}
		if again, err := ParseRule("  " + text + " \t"); err != nil || again != r {
			t.Errorf("%q with blanks around: %+v, %v", text, again, err)
		}
	}
	for text, want := range map[string]string{
		"": "begins with", "go test *": "begins with", "Bash(npm test:*)": "command npm test *", "Bash(ls)": "command ls", "command": "nothing follows", "command ": "nothing follows", "command *": "name a program",
		"command go test:*": "command go test *", "command ls 'x": "not complete", "command $x *": "only words", "command ls > x *": "only words", "command ls *.go": "stand for themselves", "command f() { ls; }": "cannot allow",
		"command ls\nrm": "one line", "edit": "nothing follows", "edit ../x": "no . and no ..", "edit a/../b": "no . and no ..", "edit a**": "whole directories", "edit a//b": "extra slash", "edit ~root/x": "only ~/", "edit ./x": "no . and no ..",
		"edit **/**/**/**/**": "at most four", "fetch https://example.com": "without https://", "fetch example.com/x": "without a path", "fetch *": "only at the front", "fetch a.*.com": "only at the front", "fetch *.com": "more than the end",
		"fetch example.com:80": "without a port", "fetch a b": "not the name", "fetch 0x7f.1": "not the name", "fetch 2130706433": "not the name", "mcp a/b/c": "MCP server", "mcp a b": "MCP server", "mcp /x": "MCP server", "mcp *": "MCP server",
		"tool a b": "its name alone", "tool Bash(*)": "its name alone", "Edit src/**": "begins with", "command \x1b[2J": "control", "command ls\u00a0x": "<U+00A0>",
		"edit a\u0085b": "<U+0085>", "edit a\u009bb": "control characters", "read x\u202ey": "<U+202E>", "edit a\u2066b": "cannot be seen", "edit a\u200bb": "cannot be seen", "tool Web\u00adSearch": "<U+00AD>", "mcp a\ufeffb": "<U+FEFF>",
		"edit a\u2028b": "cannot be seen", "edit a\u3164b": "cannot be seen", "edit a\U000e0041b": "cannot be seen", "edit a\xffb": "not UTF-8", "command echo 'a\u202eb'": "<U+202E>",
	} {
		if r, err := ParseRule(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v, %v, want %q", text, r, err, want)
		}
	}
}

func FuzzParseRule(f *testing.F) {
	for text := range goodRules {
		f.Add(text)
	}
	p := testPolicy(session.ModeDefault)
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseRule(text)
		if err != nil {
			return
		}
		again, err := ParseRule(r.String())
		if err != nil || again != r {
			t.Fatalf("%q becomes %q and then %+v, %v", text, r.String(), again, err)
		}
		for _, ruling := range []Ruling{Allow, Ask, Deny} {
			r.Ruling = ruling
			p.Rules = []Rule{r}
			for _, line := range []string{"ls", "evil x", "cat /etc/passwd", "sh -c 'evil'"} {
				if d := p.Decide(toolview.Command, session.PermissionAsk{Command: line}); d.Ruling == Allow && strings.Contains(line, "/etc") && r.Subject != OnRead {
					t.Fatalf("%q allows %q", r.String(), line)
				}
			}
			p.Decide(toolview.Edit, session.PermissionAsk{Path: "/home/u/src/a.go"})
		}
		_, _ = r.Label(), r.Void()
	})
}

func TestRulesThatAllowNothingSaySo(t *testing.T) {
	for text, void := range map[string]bool{
		"command bash *": true, "command python3.12 *": true, "command xargs *": true, "command sudo *": true, "command env *": true, "command busybox *": true, "command timeout 5 *": true, "command npm run *": true, "command npx *": true,
		"command git -C x *": true, "command tool *": false, "command go test *": false, "command bash -c 'ls'": false, "command git *": false, "command npm run lint *": false, "command rm *": false, "tool Bash": true, "tool Edit": true,
		"tool Read": true, "tool WebSearch": false, "edit **": false, "command ssh *": true, "command docker run *": true, "command npm exec *": true, "command tar *": false, "command sed *": false, "command find *": false,
	} {
		r, err := ParseRule(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if why := r.Void(); (why != "") != void {
			t.Errorf("%q: %q", text, why)
		}
		if r.Ruling = Deny; r.Void() != "" {
			t.Errorf("%q denies nothing", text)
		}
	}
}

// Journals hold rules as versions before wrote them: parley's own, and those of the Claude Code runtime.
func TestReadRulesOfOlderJournals(t *testing.T) {
	for line, want := range map[string]string{
		`{"tool":"Bash","pattern":"go test","label":"go test, which runs this project's tests"}`:   "command go test *",
		`{"tool":"Bash","pattern":"git status","label":"git status, which reads this repository"}`: "command git status *",
		`{"tool":"Bash","pattern":"npm test:*","label":"npm test"}`:                                "",
		`{"tool":"Bash","pattern":"","label":"all commands"}`:                                      "",
		`{"tool":"Bash","pattern":"rm","label":"rm"}`:                                              "",
		`{"tool":"Bash","pattern":"go test; rm x","label":"x"}`:                                    "",
		`{"tool":"Edit","pattern":"/home/u/src","label":"edits under ./"}`:                         "edit /home/u/src/**",
		`{"tool":"Write","pattern":"/home/u/src/","label":"edits under ./"}`:                       "edit /home/u/src/**",
		`{"tool":"Read","pattern":"/etc","label":"reads under /etc"}`:                              "read /etc/**",
		`{"tool":"Grep","pattern":"/etc","label":"reads under /etc"}`:                              "read /etc/**",
		`{"tool":"Edit","pattern":"\u0000","label":"all edits in this session's directories"}`:     "",
		`{"tool":"Edit","pattern":"relative","label":"x"}`:                                         "",
		`{"tool":"Edit","pattern":"/a/../b","label":"x"}`:                                          "edit /b/**",
		`{"tool":"WebFetch","pattern":"domain:x.example","label":"WebFetch of x.example"}`:         "fetch x.example",
		`{"tool":"WebFetch","pattern":"domain:a.example\ndomain:b.example","label":"x"}`:           "",
		`{"tool":"WebSearch","label":"all calls of WebSearch"}`:                                    "tool WebSearch",
		`{"tool":"mcp__github__list_issues","label":"all calls of mcp__github__list_issues"}`:      "mcp github/list_issues",
		`{"label":"nothing"}`:                              "",
		`{"rule":"command make lint","label":"make lint"}`: "command make lint",
		`{"rule":"command $x *","label":"x"}`:              "",
		`{"tool":"Task","pattern":"x","label":"x"}`:        "",
	} {
		var kept session.Rule
		if err := json.Unmarshal([]byte(line), &kept); err != nil {
			t.Fatal(err)
		}
		r, ok := ReadRule(kept)
		got := ""
		if ok {
			got = r.String()
			if again, err := ParseRule(got); err != nil || again != r {
				t.Errorf("%s: %q cannot be read back: %v", line, got, err)
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

func TestExplain(t *testing.T) {
	now := time.Date(2026, 5, 10, 15, 0, 0, 0, time.UTC)
	project := &Rule{Ruling: Allow, Subject: OnCommand, Pattern: "make lint", Origin: FromProject, Number: 3, Since: now.Add(-20 * time.Hour)}
	for want, d := range map[string]Decision{
		"allowed by rule 3 of this project, since yesterday":                   {Ruling: Allow, Rule: project},
		"allowed by rule 2 of yours for every project, for 4 d":                {Ruling: Allow, Rule: &Rule{Origin: FromGlobal, Number: 2, Since: now.Add(-100 * time.Hour)}},
		"allowed by your answer in this session, since today":                  {Ruling: Allow, Rule: &Rule{Origin: FromSession, Since: now.Add(-time.Hour)}},
		"denied by the administrator's rule command rm *":                      {Ruling: Deny, Rule: &Rule{Subject: OnCommand, Pattern: "rm *", Origin: FromPolicy, Number: 1}},
		"asked by a rule of this project":                                      {Ruling: Ask, Rule: &Rule{Origin: FromProject}},
		"allowed: it only reads":                                               {Ruling: Allow, Rule: builtIn(OnRead, "**")},
		"allowed by the permission mode":                                       {Ruling: Allow},
		"asked: no rule allows it":                                             {Ruling: Ask},
		"asked: the file is outside this session's directories":                {Ruling: Ask, Reason: "Always asked: the file is outside this session's directories."},
		"denied: in plan mode nothing is changed. Describe the change instead": {Ruling: Deny, Reason: PlanModeReason},
	} {
		if got := Explain(d, now); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestPartsOfALine(t *testing.T) {
	line := "X=1 ls sub | evil $(ls; evil) >x"
	p := testPolicy(session.ModeDefault)
	parts := p.Decide(toolview.Command, session.PermissionAsk{Command: line}).Parts
	var got []string
	at := 0
	for _, part := range parts {
		if part.Start < at || part.End <= part.Start || part.End > len(line) {
			t.Fatalf("%+v", parts)
		}
		at = part.End
		mark := "?"
		if part.Allowed {
			mark = "+"
		}
		if part.Why == "" {
			t.Errorf("no word about %q", line[part.Start:part.End])
		}
		got = append(got, mark+line[part.Start:part.End])
	}
	if want := []string{"?X=1 ls sub", "?evil $(", "+ls", "?; ", "?evil", "?)", "?>x"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
