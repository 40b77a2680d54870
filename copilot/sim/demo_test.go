package sim

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/copilot/sim/script"
)

// chat is a plain agent loop: it runs the tools that the model calls until it calls none.
type chat struct {
	t        *testing.T
	s        *Server
	dir      string
	messages l
	thoughts int
	called   []string
	texts    []string // of the newest prompt's answers
	// decide may refuse a call: a text that is not empty is the result, as an error.
	decide func(tool string, input map[string]any) string
	bash   func(command string) (string, bool)
}

// say sends a prompt and returns everything that the model said until it was done.
func (c *chat) say(prompt string) string {
	c.t.Helper()
	c.messages = append(c.messages, user(prompt))
	c.called, c.texts = nil, nil
	var said []string
	for range 12 {
		r := post(c.t, c.s, with(m{"messages": c.messages, "thinking": m{"type": "adaptive"}, "stream": false,
			"system": "Working directory: " + c.dir, "tools": l{tool("Read"), tool("Glob"), tool("Grep"), tool("Write"), tool("Edit"), tool("Bash"),
				tool("AskUserQuestion"), tool("ExitPlanMode"), tool("Task")}}))
		if r.status != 200 {
			return strings.Join(append(said, "status "+itoa(r.status)), "\n")
		}
		content, _ := dig(r.object(c.t), "content").([]any)
		c.messages = append(c.messages, assistant(content))
		var results l
		for _, blk := range content {
			switch dig(blk, "type") {
			case "thinking":
				c.thoughts++
			case "text":
				said = append(said, dig(blk, "text").(string))
				c.texts = append(c.texts, dig(blk, "text").(string))
			case "tool_use":
				results = append(results, c.run(blk))
			}
		}
		if results == nil {
			return strings.Join(said, "\n")
		}
		c.messages = append(c.messages, user(results))
	}
	c.t.Fatalf("the conversation does not end: %v", c.called)
	return ""
}

func (c *chat) run(call any) any {
	name, input := dig(call, "name").(string), dig(call, "input").(map[string]any)
	c.called = append(c.called, name)
	text, failed := "", false
	if c.decide != nil {
		text = c.decide(name, input)
		failed = text != ""
	}
	if !failed {
		text, failed = c.perform(name, input)
	}
	return m{"type": "tool_result", "tool_use_id": dig(call, "id"), "content": text, "is_error": failed}
}

// perform does what the tools do, just well enough.
func (c *chat) perform(name string, input map[string]any) (text string, failed bool) {
	switch name {
	case "Read":
		data, err := os.ReadFile(input["file_path"].(string))
		if err != nil {
			return err.Error(), true
		}
		return string(data), false
	case "Edit":
		data, err := os.ReadFile(input["file_path"].(string))
		old := input["old_string"].(string)
		if err != nil || strings.Count(string(data), old) != 1 {
			return "the text to replace was not found exactly once", true
		}
		next := strings.Replace(string(data), old, input["new_string"].(string), 1)
		if err := os.WriteFile(input["file_path"].(string), []byte(next), 0o600); err != nil {
			c.t.Fatal(err)
		}
		return "edited", false
	case "Bash":
		return c.bash(input["command"].(string))
	}
	return "some lines", false
}

// demoChat begins a conversation with the demo in a fresh copy of its project.
func demoChat(t *testing.T) *chat {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, script.DemoFiles()); err != nil {
		t.Fatal(err)
	}
	fixed := func(string) (string, bool) {
		data, err := os.ReadFile(filepath.Join(dir, "tally.sh"))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), "-eq 1") {
			return "all sums are right", false
		}
		return "some sums are wrong\nexit status 1", true
	}
	return &chat{t: t, s: start(t, Options{Script: script.Demo()}), dir: dir, bash: fixed}
}

// expect fails unless text has all parts, in this order.
func expect(t *testing.T, text string, parts ...string) {
	t.Helper()
	rest := text
	for _, p := range parts {
		_, after, ok := strings.Cut(rest, p)
		if !ok {
			t.Fatalf("%q is missing (or out of order) in:\n%s", p, text)
		}
		rest = after
	}
}

func (c *chat) expectCalls(want string) {
	c.t.Helper()
	if got := strings.Join(c.called, " "); got != want {
		c.t.Errorf("called %q, want %q", got, want)
	}
}

func TestDemoTour(t *testing.T) {
	for _, prompt := range []string{"hi", "fix my kernel please", "code review of main.go", "tour", "What is this?"} {
		c := demoChat(t)
		said := c.say(prompt)
		expect(t, said, "**simulated**", "skip the heading", "Changed.", "**All sums are right.**",
			"`delete`", "`help`", "`?`", "`/model`", "`parley` in your own project")
		c.expectCalls("Read Edit Bash")
		if c.thoughts < 2 {
			t.Errorf("%d pieces of reasoning", c.thoughts)
		}
		expect(t, c.say("thanks"), "> thanks", "**simulated**")
		c.expectCalls("")
		expect(t, c.say("the tour once more"), "mended it already", "All sums are right")
		c.expectCalls("Read Bash")
	}
}

func TestDemoDenials(t *testing.T) {
	denials := []string{
		"Refused: parley runs unattended and nobody can approve this. Go on without it, or say what would be needed.",
		"Denied by the user.",
		"The user refused this call. Do not try to do the same in another way; ask what they want instead.",
		"The user refused this call and says: not today",
		"The user denied this call: not in this file please",
		"The user doesn't want to proceed with this tool use. The tool use was rejected.",
		"This action is not permitted here.",
	}
	for _, denial := range denials {
		c := demoChat(t)
		c.decide = func(tool string, _ map[string]any) string {
			if tool == "Edit" || tool == "Bash" {
				return denial
			}
			return ""
		}
		expect(t, c.say("hello"), "**simulated**", "the edit is **not** made", "> "+denial, "```diff")
		c.expectCalls("Read Edit")
		expect(t, c.say("run"), "Then I do not run it", "> "+denial)
		c.decide = nil
		expect(t, c.say("edit"), "only one is a heading", "Done.")
		c.expectCalls("Read Edit")
		if t.Failed() {
			t.Fatalf("with %q", denial)
		}
	}
	c := demoChat(t)
	c.decide = func(string, map[string]any) string { return denials[0] }
	expect(t, c.say("hello"), "I was not allowed to do that")
}

func TestDemoWords(t *testing.T) {
	c := demoChat(t)
	help := c.say("help")
	for _, word := range []string{"tour", "delete", "agent", "background", "/plan fix the hours", "think", "table", "code", "long", "edit", "run", "ask", "parallel", "error"} {
		if !strings.Contains(help, "`"+word+"`") {
			t.Errorf("help does not tell of %s", word)
		}
	}
	expect(t, c.say("table"), "| name | height |", "1. The first")
	expect(t, c.say("code"), "```go", "heap.Push", "```sh")
	if said := c.say("long"); len(said) < 7000 {
		t.Errorf("the long answer has %d bytes", len(said))
	}
	before := c.thoughts
	expect(t, c.say("think"), "Two weighings")
	if c.thoughts == before {
		t.Error("no reasoning")
	}
	expect(t, c.say("run"), "not content", "some sums are wrong")
	expect(t, c.say("edit"), "Done.")
	expect(t, c.say("run"), "the mistake is mended")
	expect(t, c.say("edit"), "put it back", "Done.")
	expect(t, c.say("parallel"), "All three are back")
	c.expectCalls("Read Glob Grep")
	expect(t, c.say("bench:40@0#Q7"), "\nENDMARKQ7\n")
}

// TestDemoStepsAreShort plays the tour from word to word: each says what to write next, in at most six rows of a usual window.
func TestDemoStepsAreShort(t *testing.T) {
	c := demoChat(t)
	c.decide = nil
	for _, step := range []struct{ word, calls, next string }{
		{"hi", "Read Edit Bash", "`delete`"}, {"delete", "Bash", "`agent`"}, {"agent", "Task", "`background`"}, {"background", "Bash", "`/plan fix the hours`"}, {"fix the hours", "ExitPlanMode", "`parley`"},
	} {
		expect(t, c.say(step.word), step.next)
		c.expectCalls(step.calls)
		for _, text := range c.texts {
			rows := 0
			for line := range strings.Lines(text) {
				rows += (len(strings.TrimSpace(line)) + 75) / 76
			}
			if rows > 6 {
				t.Errorf("%s: %d rows:\n%s", step.word, rows, text)
			}
		}
	}
}

// Whatever comes first, the user learns that no model is at work.
func TestDemoSaysThatItIsSimulated(t *testing.T) {
	for _, prompt := range []string{"hi", "help", "table", "code", "long", "think", "run", "edit", "ask", "plan", "parallel", "delete", "agent", "background", "bye"} {
		if said := demoChat(t).say(prompt); !strings.Contains(said, "simulated") {
			t.Errorf("%s: %s", prompt, said)
		}
	}
}

// The demo reacts to everything that can be decided about a plan and a question.
func TestDemoAsks(t *testing.T) {
	for name, c := range map[string]struct {
		prompt string
		told   []string // to the calls, one after the other; "" lets one succeed
		calls  string
		says   string
	}{
		"answered":      {"ask", []string{""}, "AskUserQuestion", "some lines"},
		"not answered":  {"ask me something", []string{"The user closed the question without answering."}, "AskUserQuestion", "ask no further"},
		"unattended":    {"ask", []string{"Refused: parley runs unattended and nobody can approve this."}, "AskUserQuestion", "I was not allowed"},
		"as offered":    {"fix the hours", []string{""}, "ExitPlanMode", "Approved."},
		"approved":      {"plan", []string{""}, "ExitPlanMode", "Approved."},
		"wrong mode":    {"a plan", []string{"Plan mode is not on, so there is nothing to approve."}, "ExitPlanMode", "`/plan fix the hours`"},
		"sent back":     {"plan", []string{"The user does not approve the plan yet and says: shorter", ""}, "ExitPlanMode ExitPlanMode", "Approved."},
		"refused":       {"plan", []string{"The user does not approve the plan yet. Do not begin with it."}, "ExitPlanMode", "nothing happens"},
		"refused twice": {"plan", []string{"The user does not approve the plan yet and says: a", "The user does not approve the plan yet and says: b"}, "ExitPlanMode ExitPlanMode", "says: b"},
	} {
		t.Run(name, func(t *testing.T) {
			chat := demoChat(t)
			chat.decide = func(string, map[string]any) string {
				told := c.told[0]
				c.told = c.told[1:]
				return told
			}
			expect(t, chat.say(c.prompt), "simulated", c.says)
			chat.expectCalls(c.calls)
		})
	}
}

func TestDemoErrors(t *testing.T) {
	c := demoChat(t)
	expect(t, c.say("error"), "status 529")
	c.messages = c.messages[:len(c.messages)-1]
	expect(t, c.say("error"), "the next attempt came through")
	for prompt, want := range map[string]string{"error quota": "status 402", "error rate": "status 429", "error login": "status 401"} {
		for range 2 {
			expect(t, c.say(prompt), want)
			c.messages = c.messages[:len(c.messages)-1]
		}
	}
	if r := post(t, c.s, ask("error cut")); r.err == nil || !strings.HasPrefix(r.text(), "The connection") {
		t.Errorf("error cut: %q %v", r.text(), r.err)
	}
	if r := post(t, c.s, ask("error stream")); !strings.HasSuffix(r.names(), "error") {
		t.Errorf("error stream: %s", r.names())
	}
}

func TestDemoWithoutItsProject(t *testing.T) {
	c := demoChat(t)
	c.dir = t.TempDir()
	expect(t, c.say("hello"), "cannot find the program of the demo")
}

func TestDemoWithoutTools(t *testing.T) {
	s := start(t, Options{Script: script.Demo()})
	if r := post(t, s, ask("hello")); !strings.Contains(r.text(), "**simulated**") {
		t.Errorf("text %q", r.text())
	}
}

func TestDemoFilesAreSmallAndComplete(t *testing.T) {
	var names []string
	err := fs.WalkDir(script.DemoFiles(), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, path)
		}
		return err
	})
	if err != nil || strings.Join(names, " ") != "README.md check.sh hours.csv tally.sh" {
		t.Errorf("files %v, %v", names, err)
	}
}

func TestDefaultScriptTools(t *testing.T) {
	tests := []struct{ prompt, tool, input string }{
		{"read a/b.txt", "Read", `{"file_path":"/w/a/b.txt"}`},
		{"read /etc/hosts", "Read", `{"file_path":"/etc/hosts"}`},
		{"find **/*.go", "Glob", `{"path":"/w","pattern":"**/*.go"}`},
		{"search some words", "Grep", `{"output_mode":"content","path":"/w","pattern":"some words"}`},
		{"run echo 'a b' && ls", "Bash", `{"command":"echo 'a b' && ls","description":"Run what the user asked for"}`},
		{"write x.txt one\ntwo", "Write", `{"content":"one\ntwo\n","file_path":"/w/x.txt"}`},
		{"edit x.txt old word -> new", "Edit", `{"file_path":"/w/x.txt","new_string":"new","old_string":"old word"}`},
	}
	s := start(t, Options{})
	for _, tt := range tests {
		t.Run(tt.prompt, func(t *testing.T) {
			body := func(tools any) string {
				return with(m{"stream": false, "system": "cwd: /w", "messages": l{user(tt.prompt)}, "tools": tools})
			}
			v := post(t, s, body(l{tool(tt.tool)})).object(t)
			input, err := json.Marshal(dig(v, "content", 1, "input"))
			want := tt.input
			var unescaped any
			_ = json.Unmarshal([]byte(want), &unescaped)
			wanted, _ := json.Marshal(unescaped)
			if err != nil || dig(v, "content", 1, "name") != tt.tool || string(input) != string(wanted) {
				t.Errorf("got %v", dig(v, "content"))
			}
			v = post(t, s, body(nil)).object(t)
			if dig(v, "stop_reason") != "end_turn" {
				t.Errorf("a tool that is not offered was called: %v", v)
			}
		})
	}
}
