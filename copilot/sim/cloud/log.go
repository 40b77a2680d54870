package cloud

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// call is a tool call of a log.
type call struct {
	name   string
	args   any
	result string
}

// writer makes the entries of a log.
type writer struct {
	at      time.Time
	entries []string
	calls   int
	tokens  int
}

// model is the name of the model in every entry.
const model = "Claude Sonnet 4.5"

// chunk adds an entry with choices.
func (l *writer) chunk(choices []map[string]any, usage bool) {
	l.at = l.at.Add(2 * time.Second)
	e := map[string]any{"choices": choices, "created": l.at.Unix(), "id": uuid(), "model": model, "object": "chat.completion.chunk"}
	if usage {
		l.tokens += 300
		e["usage"] = map[string]any{"completion_tokens": 120, "prompt_tokens": 18000 + l.tokens, "total_tokens": 18120 + l.tokens,
			"prompt_tokens_details": map[string]any{"cached_tokens": 17000 + l.tokens}}
	}
	text, err := json.Marshal(e)
	if err != nil {
		panic("sim: encode a value of our own: " + err.Error())
	}
	l.entries = append(l.entries, string(text))
}

// say adds a message of the agent and its calls: an entry that begins them, and one for each result.
func (l *writer) say(text, reasoning, finish string, calls ...call) {
	var choices []map[string]any
	if text != "" {
		choices = append(choices, map[string]any{"delta": map[string]any{"role": "assistant", "content": text}, "finish_reason": finish})
	}
	var begun []map[string]any
	for _, c := range calls {
		args, err := json.Marshal(c.args)
		if err != nil {
			panic("sim: encode a value of our own: " + err.Error())
		}
		l.calls++
		begun = append(begun, map[string]any{"function": map[string]any{"arguments": string(args), "name": c.name},
			"id": fmt.Sprintf("tooluse_%s", uuid()), "type": "function", "index": 0})
		choices = append(choices, map[string]any{"delta": map[string]any{"role": "assistant", "tool_calls": begun[len(begun)-1:]}, "finish_reason": finish})
	}
	l.chunk(choices, true)
	for i, c := range calls {
		delta := map[string]any{"tool_calls": begun[i : i+1], "content": c.result}
		if reasoning != "" && i == 0 {
			delta["reasoning_text"] = reasoning
		}
		l.chunk([]map[string]any{{"finish_reason": finish, "delta": delta}}, false)
	}
}

// setup adds the start of a server, which has no beginning.
func (l *writer) setup(name, result string) {
	args, _ := json.Marshal(map[string]string{"name": name}) // strings always encode
	l.chunk([]map[string]any{{"delta": map[string]any{"content": result, "role": "assistant", "tool_calls": []map[string]any{
		{"function": map[string]any{"name": "run_setup", "arguments": string(args)}, "index": 0, "id": uuid()}}},
		"finish_reason": "tool_calls", "index": 0}}, false)
}

// ordinary returns the log of a task that goes well. name is "owner/name" of the repository, title
// the title of the pull request.
func ordinary(name, problem, title string, at time.Time) []string {
	_, repo, _ := strings.Cut(name, "/")
	root := "/home/runner/work/" + repo + "/" + repo
	l := &writer{at: at}
	l.setup("Start 'github-mcp-server' MCP server", "MCP server started successfully (version github-mcp-server/remote) with 39 tools - for the full output, see the verbose logs\n\n- get_commit\n- get_issue\n- list_commits")
	l.say("I'll look at the repository before I change anything.", "", "tool_calls",
		call{"view", map[string]any{"path": root}, "\ndiff --git a" + root + " b" + root + "\ncreate file mode 100644\nindex 0000000..0000000\n--- a/dev/null\n+++ b" + root + "\n@@ -1,0 +1,3 @@\n README.md\n go.mod\n greet.go\n"},
		call{"bash", map[string]any{"async": false, "command": "cd " + root + " && go test ./...", "description": "Run the tests", "sessionId": "main"}, "ok  \texample.com/greet\t0.004s\n<exited with exit code 0>"})
	plan := "Work on: " + firstLine(problem) + "\n\n- [%s] Understand the code\n- [%s] Greet by name\n- [%s] Add a test\n"
	l.say("", "", "tool_calls", call{"think", map[string]any{"thought": "The greeting is in one function, so a parameter is enough."}, "The greeting is in one function, so a parameter is enough."})
	l.say("This is my plan:", "", "tool_calls", call{"report_progress", map[string]any{"commitMessage": "Plan the change", "prDescription": fmt.Sprintf(plan, "x", " ", " ")},
		"$ git push -v origin HEAD\nEverything up-to-date"})
	old, now := "func Greet() string { return \"hello\" }", "func Greet(name string) string { return \"hello, \" + name }"
	l.say("Now the change itself.", "Every caller passes a name, so the parameter needs no default.", "tool_calls",
		call{"str_replace", map[string]any{"path": root + "/greet.go", "old_str": old, "new_str": now}, "\ndiff --git a" + root + "/greet.go b" + root + "/greet.go\nindex 0000000..0000000 100644\n--- a" + root + "/greet.go\n+++ b" + root + "/greet.go\n@@ -1,5 +1,5 @@\n package greet\n \n // Greet returns a greeting.\n-" + old + "\n+" + now + "\n \n"},
		call{"create", map[string]any{"path": root + "/greet_test.go", "file_text": "package greet\n\nimport \"testing\"\n\nfunc TestGreet(t *testing.T) {\n\tif Greet(\"you\") != \"hello, you\" {\n\t\tt.Fail()\n\t}\n}\n"}, "\ndiff --git a" + root + "/greet_test.go b" + root + "/greet_test.go\ncreate file mode 100644\nindex 0000000..0000000\n--- a/dev/null\n+++ b" + root + "/greet_test.go\n@@ -1,0 +1,9 @@\n+package greet\n+\n+import \"testing\"\n+\n+func TestGreet(t *testing.T) {\n+\tif Greet(\"you\") != \"hello, you\" {\n+\t\tt.Fail()\n+\t}\n+}\n"})
	l.say("", "", "tool_calls", call{"bash", map[string]any{"async": false, "command": "cd " + root + " && go vet ./... && go test ./...", "description": "Vet and test", "sessionId": "main"}, "ok  \texample.com/greet\t0.005s\n<exited with exit code 0>"})
	l.say("Everything passes, so I push it.", "", "tool_calls", call{"report_progress", map[string]any{"commitMessage": "Greet by name", "prDescription": fmt.Sprintf(plan, "x", "x", "x")},
		"$ git add . -v\nadd 'greet.go'\nadd 'greet_test.go'\n\n$ git push -v origin HEAD"},
		call{"codeql_checker", map[string]any{}, "<info>Analysis completed successfully for .</info>"})
	l.say("The greeting takes a name now, and a test covers it.\n\n- `greet.go`: a parameter\n- `greet_test.go`: the test", "", "stop")
	l.say("<pr_title>\n"+title+"\n</pr_title>\n\n<pr_description>\nGreets by name, with a test.\n</pr_description>", "", "stop")
	return l.entries
}

// LongLog returns the entries of a log of about n bytes: messages, commands and edits.
func LongLog(n int) []string {
	l := &writer{at: time.Unix(1790000000, 0)}
	line := strings.Repeat("ok   example.com/module/with/a/long/name/package 0.123s  coverage: 81.2% of statements\n", 40)
	for size, i := 0, 0; size < n; i++ {
		from := len(l.entries)
		l.say(fmt.Sprintf("Step %d: I run the tests again, and change one line.", i), "", "tool_calls",
			call{"bash", map[string]any{"command": "go test ./...", "description": "Run the tests"}, line + "<exited with exit code 0>"},
			call{"str_replace", map[string]any{"path": "/home/runner/work/r/r/f.go", "old_str": "a", "new_str": "b"},
				"\ndiff --git a/home/runner/work/r/r/f.go b/home/runner/work/r/r/f.go\n--- a/home/runner/work/r/r/f.go\n+++ b/home/runner/work/r/r/f.go\n@@ -1,3 +1,3 @@\n x\n-a\n+b\n y\n"})
		for _, e := range l.entries[from:] {
			size += len(e) + len("data: \n\n")
		}
	}
	l.say("Done.", "", "stop")
	return l.entries
}
