//go:build unix

package guard

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/permission"
	"parley/session/process/scope"
	"parley/session/toolview"
)

// testGuard returns a guard of a new directory with the rules.
func testGuard(t *testing.T, mode session.Mode, rules ...string) Guard {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	g := Guard{Scope: scope.Scope{Dirs: []string{dir}, Home: t.TempDir(), Environ: []string{"PATH=/usr/bin:/bin"}}, Mode: mode, Servers: []string{"t", "t-x"}, Client: []string{"save"}}
	for _, text := range rules {
		ruling := permission.Allow
		if rest, ok := strings.CutPrefix(text, "deny "); ok {
			ruling, text = permission.Deny, rest
		}
		r, err := permission.ParseRule(text)
		if err != nil {
			t.Fatal(err)
		}
		r.Ruling = ruling
		g.Rules.Rules = append(g.Rules.Rules, r)
	}
	return g
}

// in puts the directory of the guard where a text has DIR.
func (g Guard) in(text string) string { return strings.ReplaceAll(text, "DIR", g.Dirs[0]) }

// shellRequest is a permission request for a command line.
func shellRequest(line string) json.RawMessage {
	b, _ := json.Marshal(map[string]any{"kind": "shell", "toolCallId": "c", "fullCommandText": line, "intention": "why"})
	return b
}

func TestRequestsAreJudged(t *testing.T) {
	shell := func(line string) string { return string(shellRequest(line)) }
	const (
		write   = `{"kind":"write","toolCallId":"c","fileName":"DIR/a.txt","diff":"\ndiff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n"}`
		outside = `{"kind":"write","fileName":"/etc/passwd","diff":""}`
		mcp     = `{"kind":"mcp","serverName":"t","toolName":"t-act","toolTitle":"act","args":{"x":1}}`
		fetch   = `{"kind":"url","url":"https://example.com/x"}`
	)
	for _, test := range []struct {
		name, request string
		mode          session.Mode
		rules         []string
		want          permission.Ruling
	}{
		{"a read in the directory", `{"kind":"read","path":"DIR/a.txt"}`, "", nil, permission.Allow},
		{"a read elsewhere", `{"kind":"read","path":"/etc/hostname"}`, "", nil, permission.Ask},
		{"a harmless command", shell("ls"), "", nil, permission.Allow},
		{"a command", shell("touch x"), "", nil, permission.Ask},
		{"a command in acceptEdits", shell("make"), session.ModeAcceptEdits, nil, permission.Ask},
		{"a command in plan", shell("touch x"), session.ModePlan, nil, permission.Deny},
		{"a command in bypass", shell("touch x"), session.ModeBypass, nil, permission.Allow},
		{"a command with a rule", shell("touch x"), "", []string{"command touch *"}, permission.Allow},
		{"a denied command", shell("touch x"), session.ModeBypass, []string{"deny command touch *"}, permission.Deny},
		{"an edit", write, "", nil, permission.Ask},
		{"an edit in acceptEdits", write, session.ModeAcceptEdits, nil, permission.Allow},
		{"an edit elsewhere in acceptEdits", outside, session.ModeAcceptEdits, nil, permission.Ask},
		{"an edit in plan", write, session.ModePlan, nil, permission.Deny},
		{"a guarded edit", `{"kind":"write","fileName":"DIR/.git/config","diff":""}`, session.ModeAcceptEdits, nil, permission.Ask},
		{"a page", fetch, "", nil, permission.Ask},
		{"a page with a rule", fetch, "", []string{"fetch example.com"}, permission.Allow},
		{"a server's tool", mcp, "", nil, permission.Ask},
		{"a server's tool with a rule", mcp, "", []string{"mcp t/act"}, permission.Allow},
		{"a memory", `{"kind":"memory","fact":"the sky is blue"}`, "", nil, permission.Ask},
		{"a tool of ours", `{"kind":"custom-tool","toolName":"save","args":{}}`, "", nil, permission.Ask},
		{"a tool of ours named bash", `{"kind":"custom-tool","toolName":"bash","args":{"command":"ls"}}`, "", nil, permission.Ask},
		{"a policy of the organization", `{"kind":"read","path":"DIR/a.txt","managedApprovalRequired":true}`, session.ModeBypass, nil, permission.Ask},
		{"a sandbox left", strings.Replace(shell("ls"), "{", `{"requestSandboxBypass":true,`, 1), "", nil, permission.Ask},
		{"an unknown kind", `{"kind":"extension-management","operation":"install"}`, "", nil, permission.Ask},
		{"the hook's own ask", `{"kind":"hook","toolName":"bash","toolArgs":{"command":"touch x"}}`, "", []string{"command touch *"}, permission.Allow},
	} {
		mode := test.mode
		if mode == "" {
			mode = session.ModeDefault
		}
		g := testGuard(t, mode, test.rules...)
		c, ok := ReadRequest(json.RawMessage(g.in(test.request)), Call{}, g.Servers, nil)
		if !ok {
			t.Errorf("%s: not read", test.name)
			continue
		}
		j := g.Judge(c)
		if j.Ruling != test.want {
			t.Errorf("%s: %s (%s), want %s", test.name, j.Ruling, j.Reason, test.want)
		}
		if ask := g.Ask(c, j); j.Ruling == permission.Ask && (ask.Tool == "" || len(ask.Input) == 0) {
			t.Errorf("%s: the user sees %+v", test.name, ask)
		}
	}
}

func TestTheUserSeesTheExactChange(t *testing.T) {
	g := testGuard(t, session.ModeDefault)
	const pairs = `,"fileEdits":[{"before":{"path":"DIR/a.txt","content":"one\n"},"after":{"path":"DIR/a.txt","content":"two\n"}},
		{"before":null,"after":{"path":"DIR/b.txt","content":"new\n"}},{"before":{"path":"DIR/c.txt","content":"x"},"after":null}]`
	const diff = `"\ndiff --git aDIR/a.txt bDIR/a.txt\n--- aDIR/a.txt\n+++ bDIR/a.txt\n@@ -1 +1 @@\n-one\n+two\n\ndiff --git aDIR/b.txt bDIR/b.txt\n--- a/dev/null\n+++ bDIR/b.txt\n@@ -0,0 +1 @@\n+new\n"`
	c, _ := ReadRequest(json.RawMessage(g.in(`{"kind":"write","toolCallId":"c","fileName":"DIR/a.txt","diff":`+diff+pairs+`}`)), Call{}, nil, nil)
	j := g.Judge(c)
	edits := g.Ask(c, j).Edits()
	if len(edits) != 3 || edits[0].Added != 1 || edits[0].Removed != 1 || edits[0].Created || !edits[1].Created || edits[1].Added != 1 || !edits[2].Deleted {
		t.Fatalf("%+v", edits)
	}
	if edits[0].Patch != "@@ -1 +1 @@\n-one\n+two\n" || edits[1].Patch != "@@ -0,0 +1 @@\n+new\n" {
		t.Errorf("%q %q", edits[0].Patch, edits[1].Patch)
	}
	if len(j.Rules) == 0 {
		t.Error("no rule is offered")
	}
	// Older runtimes say only the new content; what the file contains is read.
	c, _ = ReadRequest(json.RawMessage(g.in(`{"kind":"write","fileName":"DIR/a.txt","newFileContents":"two\n","diff":"\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-one\n+two\n \n"}`)), Call{}, nil, nil)
	if e := g.Ask(c, g.Judge(c)).Edit; e == nil || e.Patch != "@@ -1 +1 @@\n-one\n+two\n" {
		t.Errorf("%+v", e)
	}
	// Without either the diff alone says it.
	c, _ = ReadRequest(json.RawMessage(g.in(`{"kind":"write","fileName":"DIR/n.txt","diff":"\ndiff --git a/x b/x\ncreate file mode 100644\n--- a/dev/null\n+++ b/x\n@@ -1,0 +1,1 @@\n+hello\n"}`)), Call{}, nil, nil)
	if e := g.Ask(c, g.Judge(c)).Edit; e == nil || !e.Created || e.Added != 1 || e.Path != g.in("DIR/n.txt") {
		t.Errorf("%+v", e)
	}
}

// A request about a patch may name one of its files; all are judged.
func TestEveryFileOfAPatchIsJudged(t *testing.T) {
	g := testGuard(t, session.ModeAcceptEdits, "deny edit secret/**")
	started := Describe("apply_patch", json.RawMessage(`"*** Begin Patch\n*** Update File: a.txt\n@@\n*** Add File: secret/b.txt\n+x\n"`), nil, nil)
	c, _ := ReadRequest(json.RawMessage(g.in(`{"kind":"write","fileName":"DIR/a.txt","diff":""}`)), started, nil, nil)
	if j := g.Judge(c); j.Ruling != permission.Deny {
		t.Errorf("%+v", j)
	}
	g.Rules.Rules = nil
	if j := g.Judge(c); j.Ruling != permission.Allow {
		t.Errorf("%+v", j)
	}
	if f, _ := g.File(Call{ID: "c", Kind: c.Kind, Paths: c.Paths}); len(f.Paths) != 2 {
		t.Errorf("%q", f.Paths)
	}
}

func TestTheHookAsksWhatTheRuntimeWouldNot(t *testing.T) {
	for _, test := range []struct {
		name, input string
		mode        session.Mode
		rules       []string
		want        permission.Ruling
	}{
		{"a command is asked by the runtime", `{"toolName":"bash","toolArgs":{"command":"touch x"}}`, "", nil, ""},
		{"a denied command", `{"toolName":"bash","toolArgs":{"command":"touch x"}}`, "", []string{"deny command touch *"}, permission.Deny},
		{"a denied command in bypass", `{"toolName":"bash","toolArgs":"{\"command\":\"touch x\"}"}`, session.ModeBypass, []string{"deny command touch *"}, permission.Deny},
		{"an edit in plan mode", `{"toolName":"create","toolArgs":{"path":"DIR/n.txt"}}`, session.ModePlan, nil, permission.Deny},
		{"a patch of a denied file", `{"toolName":"apply_patch","toolArgs":"*** Begin Patch\n*** Update File: a.txt\n@@\n"}`, "", []string{"deny edit a.txt"}, permission.Deny},
		{"a server's tool that calls itself harmless", `{"toolName":"t-look","toolArgs":{"x":1}}`, "", nil, permission.Ask},
		{"a server's tool with a rule", `{"toolName":"t-look","toolArgs":{"x":1}}`, "", []string{"mcp t/look"}, ""},
		{"of the longer name", `{"toolName":"t-x-look","toolArgs":{}}`, "", []string{"mcp t-x/look"}, ""},
		{"typing into a program", `{"toolName":"write_bash","toolArgs":{"shellId":"1","input":"rm -rf ~{enter}"}}`, "", []string{"command rm *"}, permission.Ask},
		{"typing in bypass", `{"toolName":"write_bash","toolArgs":{"shellId":"1","input":"x"}}`, session.ModeBypass, nil, ""},
		{"an unknown tool", `{"toolName":"teleport","toolArgs":{}}`, "", nil, permission.Ask},
		{"an unknown tool with a rule", `{"toolName":"teleport","toolArgs":{}}`, "", []string{"tool teleport"}, ""},
		{"the runtime's own table", `{"toolName":"sql","toolArgs":{"query":"select 1"}}`, "", nil, ""},
		{"a child agent", `{"toolName":"task","toolArgs":{"prompt":"x"}}`, "", nil, ""},
		{"a denied child agent", `{"toolName":"task","toolArgs":{"prompt":"x"}}`, "", []string{"deny tool task"}, permission.Deny},
		{"a question in plan mode", `{"toolName":"ask_user","toolArgs":{}}`, session.ModePlan, nil, ""},
		{"a file shown", `{"toolName":"show_file","toolArgs":{"path":"DIR/a.txt"}}`, "", nil, ""},
		{"a file elsewhere shown", `{"toolName":"show_file","toolArgs":{"path":"/etc/hostname"}}`, "", nil, permission.Ask},
	} {
		mode := test.mode
		if mode == "" {
			mode = session.ModeDefault
		}
		g := testGuard(t, mode, test.rules...)
		c, ok := ReadHook(json.RawMessage(g.in(test.input)), g.Servers, g.Client)
		if !ok {
			t.Errorf("%s: not read", test.name)
			continue
		}
		if v := g.BeforeTool(c); v.Ruling != test.want || v.Ruling != "" && v.Reason == "" {
			t.Errorf("%s: %+v, want %q", test.name, v, test.want)
		}
	}
}

func TestUnreadableRulesAllowNothing(t *testing.T) {
	g := testGuard(t, session.ModeBypass, "command touch *")
	g.Rules.Locked = "The file of rules cannot be read."
	c, _ := ReadRequest(json.RawMessage(`{"kind":"shell","fullCommandText":"touch x"}`), Call{}, nil, nil)
	if j := g.Judge(c); j.Ruling != permission.Ask {
		t.Errorf("%+v", j)
	}
}

func TestWanderingCommandsAreNotRuled(t *testing.T) {
	for _, line := range []string{"cat a.txt", "touch x", "ls", "true"} {
		g := testGuard(t, session.ModeDefault, "command cat *", "command touch *")
		c, _ := ReadRequest(shellRequest(line), Call{}, nil, nil)
		if j := g.Judge(c); j.Ruling != permission.Allow {
			t.Errorf("%s: %+v", line, j)
		}
		g.Wandering = true
		if j := g.Judge(c); j.Ruling != permission.Ask || j.Reason != wanderingReason || len(j.Rules) != 0 {
			t.Errorf("%s in a shell of earlier commands: %+v", line, j)
		}
		if v := g.BeforeTool(Describe("bash", json.RawMessage(`{"command":"cat *.txt"}`), nil, nil)); v.Args != nil {
			t.Errorf("the line is changed: %+v", v)
		}
		g.Mode = session.ModeBypass
		if j := g.Judge(c); j.Ruling != permission.Allow {
			t.Errorf("%s in bypass: %+v", line, j)
		}
		g.Rules = testGuard(t, g.Mode, "deny command rm *").Rules
		if j := g.Judge(c); j.Ruling != permission.Ask {
			t.Errorf("%s in bypass with a rule that denies: %+v", line, j)
		}
	}
}

func TestFilesOfACall(t *testing.T) {
	g := testGuard(t, session.ModeDefault)
	for input, want := range map[string][]string{
		`{"toolName":"edit","toolArgs":{"path":"DIR/a.txt"}}`: {"DIR/a.txt"},
		`{"toolName":"create","toolArgs":{"path":"b.txt"}}`:   {"DIR/b.txt"},
		`{"toolName":"apply_patch","toolArgs":{"input":"*** Update File: a.txt\n*** Move to: c.txt\n*** Add File: b.txt\n*** Add File: b.txt"}}`: {"DIR/a.txt", "DIR/c.txt", "DIR/b.txt"},
		`{"toolName":"view","toolArgs":{"path":"DIR/a.txt"}}`:                                  nil,
		`{"toolName":"str_replace_editor","toolArgs":{"command":"view","path":"DIR/a.txt"}}`:   nil,
		`{"toolName":"str_replace_editor","toolArgs":{"command":"create","path":"DIR/a.txt"}}`: {"DIR/a.txt"},
	} {
		c, _ := ReadHook(json.RawMessage(g.in(input)), nil, nil)
		c.ID = "c"
		f, _ := g.File(c)
		for i := range want {
			want[i] = g.in(want[i])
		}
		if !slices.Equal(f.Paths, want) {
			t.Errorf("%s: %q", input, f.Paths)
		}
	}
	c, _ := ReadHook(json.RawMessage(`{"toolName":"bash","toolArgs":{"command":"make"}}`), nil, nil)
	c.ID = "c"
	if f, ok := g.File(c); !ok || f.Command != "make" {
		t.Errorf("%+v", f)
	}
	c.Command = "ls"
	if f, ok := g.File(c); ok {
		t.Errorf("a command that only reads: %+v", f)
	}
}

func FuzzCalls(f *testing.F) {
	f.Add(`{"kind":"write","fileName":"a","diff":"diff --git a b\n@@\n+x","fileEdits":[{"before":null,"after":{"path":"b"}}]}`)
	f.Add(`{"toolName":"apply_patch","toolArgs":"*** Add File: ../x"}`)
	f.Add(`{"kind":"hook","toolName":"bash","toolArgs":{"command":7}}`)
	g := Guard{Scope: scope.Scope{Dirs: []string{"/w"}}, Mode: session.ModeDefault}
	f.Fuzz(func(t *testing.T, raw string) {
		for _, read := range []func() (Call, bool){
			func() (Call, bool) { return ReadRequest(json.RawMessage(raw), Call{}, []string{"t"}, nil) },
			func() (Call, bool) { return ReadHook(json.RawMessage(raw), []string{"t"}, nil) },
		} {
			c, ok := read()
			if !ok {
				continue
			}
			j := g.Judge(c)
			if j.Ruling == permission.Allow && (c.Kind == toolview.Edit || c.Kind == toolview.Fetch || c.Kind == toolview.MCP) {
				t.Errorf("allowed without a rule: %+v", c)
			}
			_ = g.Ask(c, j)
			_ = g.BeforeTool(c)
			_, _ = g.File(c)
		}
	})
}
