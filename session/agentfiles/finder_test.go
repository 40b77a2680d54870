package agentfiles

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
)

// world is a home directory with a repository below it.
type world struct {
	t          *testing.T
	home, repo string
	trusted    bool
	f          *Finder
}

func newWorld(t *testing.T) *world {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, home: home, repo: filepath.Join(home, "repo"), trusted: true}
	w.f = New(Options{Home: home, ConfigDir: filepath.Join(home, "parley"), CopilotDir: filepath.Join(home, ".copilot"),
		ClaudeDir: filepath.Join(home, ".claude"), Trusted: func(string) bool { return w.trusted }})
	w.put("repo/.git/HEAD", "")
	return w
}

func (w *world) put(name, text string) string {
	w.t.Helper()
	path := filepath.Join(w.home, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
	return path
}

func (w *world) find() session.Customs { return w.f.Customs(w.t.Context(), w.repo) }

// names returns what was found as "name origin", and the problems as "file:line: what".
func (w *world) names() (agents, problems []string) {
	c := w.find()
	for _, a := range c.Agents {
		agents = append(agents, a.Name+" "+string(a.Origin))
	}
	for _, p := range c.Problems {
		problems = append(problems, strings.TrimPrefix(filepath.ToSlash(p.Text()), filepath.ToSlash(w.home)+"/"))
	}
	return agents, problems
}

func TestAgentsAreFoundWhereCopilotAndClaudeCodeLook(t *testing.T) {
	w := newWorld(t)
	w.put("repo/.github/agents/a.agent.md", "---\nname: alpha\ndescription: of the repository\n---\nA\n")
	w.put("repo/.github/agents/plain.md", "---\ndescription: plain\n---\nP\n")
	w.put("repo/.github/agents/sub/deep.agent.md", "---\ndescription: deep\n---\nD\n")
	w.put("repo/.github/agents/README.md", "# Agents\n")
	w.put("repo/.github/agents/notes.md", "Some notes without a head.\n")
	w.put("repo/.claude/agents/c.md", "---\nname: claudish\ndescription: from Claude Code\ntools: Read, Grep\n---\nC\n")
	w.put("repo/.github/prompts/fix.prompt.md", "---\ndescription: fix it\nargument-hint: '[file]'\n---\nFix ${input:file}.\n")
	w.put(".copilot/agents/u.agent.md", "---\nname: mine\ndescription: the user's\n---\nU\n")
	w.put(".claude/agents/cu.md", "---\nname: mine-too\ndescription: the user's\n---\nU\n")
	w.put("parley/agents/p.agent.md", "---\nname: alpha\ndescription: of the user\n---\nmine wins\n")
	w.put("plug/agents/x.agent.md", "---\ndescription: of a plugin\n---\nX\n")
	w.put("plug/more/y.md", "---\ndescription: of a plugin\n---\nY\n")
	w.put("secret.md", "---\ndescription: not of the plugin\n---\nZ\n")
	w.f.o.Plugins = func(context.Context) []Plugin {
		return []Plugin{{Name: "tool", Dir: filepath.Join(w.home, "plug"), Agents: []string{"more/y.md", "../secret.md"}}}
	}
	w.put("above.agent.md", "---\ndescription: no folder of agents\n---\nX\n")

	agents, problems := w.names()
	want := "alpha user,mine user,mine-too user,claudish repository,plain repository,sub--deep repository,tool:x plugin,tool:y plugin"
	if got := strings.Join(agents, ","); got != want {
		t.Errorf("agents: %s", got)
	}
	if len(problems) != 2 || problems[1] != "secret.md: it is a link that leads elsewhere" || !strings.HasPrefix(problems[0], "repo/.github/agents/a.agent.md: the name alpha is taken by ") {
		t.Errorf("problems: %q", problems)
	}
	c := w.find()
	if a := c.Named("claudish"); a == nil || fmt.Sprint(a.Tools) != "[Read Grep]" || a.Prompt != "C" {
		t.Errorf("%+v", a)
	}
	if len(c.Prompts) != 1 || c.Prompts[0].Name != "fix" || c.Prompts[0].Arguments != "[file]" {
		t.Errorf("%+v", c.Prompts)
	}

	// From a directory below, and without trust.
	sub := filepath.Join(w.repo, "cmd")
	if err := os.MkdirAll(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	if below := w.f.Customs(t.Context(), sub); len(below.Agents) != len(c.Agents) {
		t.Errorf("below: %+v", below.Agents)
	}
	w.trusted = false
	c = w.find()
	if len(c.Agents) != 5 || len(c.Prompts) != 0 || c.Untrusted != 5 {
		t.Errorf("untrusted: %d agents, %d prompts, %d left out", len(c.Agents), len(c.Prompts), c.Untrusted)
	}
	items := w.f.Items(t.Context(), w.repo)
	if len(items) != 5 || items[0].Kind != "agent" || items[0].Name != "alpha" || items[4].Kind != "command" {
		t.Errorf("items: %+v", items)
	}
}

func TestFaultsNameFileAndLine(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		want string // one line for each problem
		used bool
	}{
		"fine":             {"---\ndescription: d\n---\np\n", "", true},
		"windows":          {"\xef\xbb\xbf---\r\ndescription: d\r\ntools: [read]\r\n---\r\np\r\n", "", true},
		"no head":          {"just text\n", "1: the head is missing", false},
		"empty":            {"", "1: the head is missing", false},
		"open head":        {"---\ndescription: d\n", "1: the head has no end", false},
		"no description":   {"---\nname: x\n---\np\n", "2: add a description", false},
		"no prompt":        {"---\ndescription: d\n---\n", "2: there is no text behind the head", true},
		"bad yaml":         {"---\nname: x\ntools: [\n---\np\n", "3: the head is not YAML", false},
		"a colon":          {"---\nname: x\ndescription: use this: often\n---\np\n", `3: put the value in quotes`, true},
		"unknown key":      {"---\ndescription: d\ntool: [read]\n---\np\n", `3: "tool" is not known and is ignored; did you mean "tools"?`, true},
		"a list":           {"---\n- description\n---\np\n", "2: the head must consist of lines", false},
		"wrong types":      {"---\ndescription: d\ntools: {a: b}\ninfer: maybe\nname: [x]\n---\np\n", "5: name must be a text|3: tools must be a list|4: infer must be true or false", true},
		"twice":            {"---\ndescription: d\ndescription: e\n---\np\n", "3: description is there twice; line 2 counts", true},
		"references":       {"---\ndescription: &a d\ntools: [*a]\n---\np\n", "2: the head is not YAML: references", false},
		"servers":          {"---\ndescription: d\nmcp-servers:\n  a: {command: x}\n  b: y\n---\np\n", "5: the MCP server b must have keys", true},
		"servers, wrong":   {"---\ndescription: d\nmcpServers: x\n---\np\n", "3: mcp-servers must be an object", true},
		"a title":          {"---\nname: Code Reviewer!\ndescription: d\n---\np\n", "", true},
		"a name too long":  {"---\nname: " + strings.Repeat("x", 100) + "\ndescription: d\n---\np\n", "", true},
		"a long head":      {"---\ndescription: d\n# " + strings.Repeat("x", 64<<10) + "\n---\np\n", "2: the head has 65", false},
		"a long prompt":    {"---\ndescription: d\n---\n" + strings.Repeat("x", maxPrompt+1), "2: the text is too long", false},
		"a huge file":      {"---\ndescription: d\n---\n" + strings.Repeat("x", maxFile), ": it is too large", false},
		"many tools":       {"---\ndescription: d\ntools: \"" + strings.Repeat("a,", 512) + strings.Repeat("b", 4<<10+1) + "\"\n---\np\n", "3: tools is too long", true},
		"keys of runtimes": {"---\ndescription: d\ncolor: red\npermissionMode: plan\nhooks: {}\ntarget: vscode\nmaxTurns: 3\n---\np\n", "", true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			path := w.put("repo/.github/agents/x.agent.md", tc.text)
			agents, problems := w.names()
			for i, p := range problems {
				problems[i] = strings.TrimPrefix(strings.TrimPrefix(p, "repo/.github/agents/x.agent.md"), ":")
			}
			var want []string
			if tc.want != "" {
				want = strings.Split(tc.want, "|")
			}
			if len(want) != len(problems) || (len(agents) == 1) != tc.used {
				t.Fatalf("%d agents, problems %q", len(agents), problems)
			}
			for i := range want {
				if !strings.HasPrefix(strings.TrimPrefix(problems[i], " "), strings.TrimPrefix(want[i], ": ")) {
					t.Errorf("problem %q, not %q", problems[i], want[i])
				}
			}
			a, err := w.f.Chosen(t.Context(), w.repo, path)
			if (err == nil) != tc.used || err != nil && !strings.Contains(err.Error(), path+":") {
				t.Errorf("the file itself: %+v, %v", a, err)
			}
			if _, err := w.f.Chosen(t.Context(), w.repo, "x"); (err == nil) != tc.used {
				t.Errorf("by its name: %v", err)
			}
		})
	}
}

func TestValuesOfAHead(t *testing.T) {
	a, faults := agentOf([]byte("---\nname: Code Reviewer\ndescription: \"a: b\"\ntools: [\"read\", 'Bash(git diff:*, ls)']\n"+
		"disallowedTools: Write, Edit\nmodel: [gpt-5.4, claude-haiku-4.5]\neffort: high\nmcp-servers:\n  s:\n    type: local\n    command: echo\n    args: [x]\n"+
		"skills: one, two\ninfer: false\nuser-invocable: false\n---\n\nBe kind.\n\n---\nand brief\n"), "reviewer")
	if len(faults) != 0 {
		t.Fatal(faults)
	}
	if a.Name != "reviewer" || !a.FileNamed || a.Label() != "Code Reviewer" || a.About != "a: b" || a.Prompt != "Be kind.\n\n---\nand brief" ||
		fmt.Sprintf("%q", a.Tools) != `["read" "Bash(git diff:*, ls)"]` || fmt.Sprint(a.Denied) != "[Write Edit]" ||
		a.Model != "gpt-5.4" || fmt.Sprint(a.Others) != "[claude-haiku-4.5]" || a.Effort != "high" || !a.Hidden || !a.Unlisted ||
		string(a.Servers) != `{"s":{"args":["x"],"command":"echo","type":"local"}}` || fmt.Sprint(a.Skills) != "[one two]" {
		t.Errorf("%+v", a)
	}
	for text, want := range map[string]string{
		"": "all", "tools:\n": "all", "tools: []\n": "0", "tools: ''\n": "0", "tools: ['*']\n": "all", "tools: read\n": "1", "tools: [a, b, a]\n": "2",
	} {
		a, faults := agentOf([]byte("---\ndescription: d\n"+text+"---\np"), "x")
		got := "all"
		if a != nil && a.Tools != nil {
			got = fmt.Sprint(len(a.Tools))
		}
		if a == nil || got != want || len(faults) > 0 {
			t.Errorf("%q: %s, %+v", text, got, faults)
		}
	}
}

func TestChosenExplains(t *testing.T) {
	w := newWorld(t)
	w.put("repo/.github/agents/reviewer.agent.md", "---\ndescription: d\n---\np\n")
	for custom, want := range map[string]string{
		"": "", "reviewer": "", "Reviewer": "", "reviever": `did you mean "reviewer"?`, "zzz": `there is no custom agent "zzz"`,
		filepath.Join(w.home, "none.md"): "there is no such file", w.home: "it is not a regular file",
	} {
		a, err := w.f.Chosen(t.Context(), w.repo, custom)
		if want == "" && (err != nil || (a == nil) != (custom == "")) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %+v, %v", custom, a, err)
		}
	}
	w.trusted = false
	if _, err := w.f.Chosen(t.Context(), w.repo, "reviewer"); err == nil || session.KindOf(err) != session.KindNotFound || !strings.Contains(err.Error(), "/trust") {
		t.Errorf("untrusted: %v", err)
	}
}

func TestCreate(t *testing.T) {
	w := newWorld(t)
	path, err := w.f.Create(" checker ")
	if err != nil {
		t.Fatal(err)
	}
	a, err := w.f.Chosen(t.Context(), w.repo, "checker")
	if err != nil || a.Path != path || len(a.Tools) != 2 || a.Origin != session.CustomUser {
		t.Errorf("%+v, %v", a, err)
	}
	if c := w.find(); len(c.Problems) != 0 {
		t.Errorf("the template has faults: %+v", c.Problems)
	}
	for _, name := range []string{"checker", "", "../x", "a/b", "a b", "-x", strings.Repeat("x", 65)} {
		if _, err := w.f.Create(name); session.KindOf(err) != session.KindInvalid {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// Servers that are refused are left out of agents that were found and of one whose file the user named.
func TestServersAreRefused(t *testing.T) {
	w := newWorld(t)
	const text = "---\ndescription: d\nmcp-servers: {s: {command: x}}\n---\np\n"
	w.put(".copilot/agents/mine.agent.md", text)
	file := w.put("repo/named.agent.md", text)
	w.f.o.Refuses = func(dir string, a session.CustomAgent) bool { return dir == w.repo && a.Name != "mine" }
	w.put("repo/.github/agents/theirs.agent.md", text)
	got := map[string]bool{}
	for _, custom := range []string{"mine", "theirs", file} {
		a, err := w.f.Chosen(t.Context(), w.repo, custom)
		if err != nil {
			t.Fatal(err)
		}
		got[a.Name] = len(a.Servers) > 0
	}
	if fmt.Sprint(got) != "map[mine:true named:false theirs:false]" {
		t.Error(got)
	}
}
