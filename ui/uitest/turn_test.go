package uitest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/sessiontest"
)

// sizes are the windows that the screens of a turn are checked in.
var sizes = []struct {
	name string
	w, h int
}{{"80x24", 80, 24}, {"120x40", 120, 40}}

const question = "why does the upload test flake?"

const answer = "The test closes the server before the **last retry** has been read. In `retry.go` the backoff timer is " +
	"started after the response, so a slow machine loses the race:\n\n```go\ntimer := time.NewTimer(backoff) // too late\n" +
	"resp, err := c.Do(req)\n```\n\nThree things follow:\n\n1. start the timer first\n2. stop it when done\n3. read the last retry\n"

// eachSize runs f in windows of all sizes.
func eachSize(t *testing.T, c Config, f func(p *Program, size string)) {
	t.Helper()
	for _, s := range sizes {
		t.Run(s.name, func(t *testing.T) {
			c := c
			c.Width, c.Height, c.World = s.w, s.h, nil
			Run(t, c, func(p *Program) { f(p, s.name) })
		})
	}
}

// opus is what the drafts of these tests are set to.
var opus = session.Settings{Model: "claude-opus-4.8", Effort: "high"}

func TestEmptyChatScreen(t *testing.T) {
	eachSize(t, Config{Settings: opus}, func(p *Program, size string) { p.Golden("empty-" + size) })
}

func TestStreamingScreen(t *testing.T) {
	eachSize(t, Config{Settings: opus}, func(p *Program, size string) {
		p.Type(question)
		turn := p.Turn()
		turn.Emit(session.ContextReported{Used: 62000, Window: 200000},
			session.LimitReported{Quota: session.Quota{Name: "premium_interactions", Entitlement: 300, Remaining: 214}})
		turn.Reasoning(6*time.Second, "The test might race with the server's shutdown.")
		turn.Tool("Read", `{"file_path":"/home/ada/src/acme/upload_test.go"}`, strings.Repeat("line\n", 214))
		turn.OpenPart(session.PartText, answer[:len(answer)/2])
		p.Pass(14 * time.Second)
		p.Send("and add a test that")
		p.Golden("streaming-" + size)
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

func TestReasoningScreen(t *testing.T) {
	eachSize(t, Config{Settings: opus}, func(p *Program, size string) {
		p.Type(question)
		turn := p.Turn()
		long := ""
		for i := range 12 {
			long += "Thought number " + string(rune('A'+i)) + " is about the timer and goes on for a while, so that it wraps. "
		}
		part := turn.OpenPart(session.PartReasoning, long)
		p.Pass(3 * time.Second)
		p.Golden("reasoning-streaming-" + size)
		turn.Emit(session.PartEnded{Part: part, Duration: 6 * time.Second})
		turn.Text("It is the timer.")
		p.Settle()
		p.Golden("reasoning-folded-" + size)
		p.Keys("tab")
		p.Golden("reasoning-open-" + size)
		turn.End(session.TurnCompleted)
	})
}

func code(n int) *int { return &n }

func TestToolScreens(t *testing.T) {
	eachSize(t, Config{Settings: opus}, func(p *Program, size string) {
		p.Type(question)
		turn := p.Turn()
		turn.Tool("Read", `{"file_path":"/home/ada/src/acme/upload_test.go"}`, strings.Repeat("line\n", 214))
		turn.Tool("Grep", `{"pattern":"NewTimer"}`, "retry.go:42\nretry.go:60\n")
		run := turn.StartTool("Bash", `{"command":"go test -run Upload -count 20 ./..."}`)
		out := "ok  \tacme/a\t0.01s\nok  \tacme/b\t0.01s\n--- FAIL: TestUpload (0.02s)\n    upload_test.go:41: lost the race\nFAIL\nFAIL\tacme/upload\t0.1s\n"
		turn.Emit(session.ToolOutput{Call: run, Text: out})
		p.Pass(12 * time.Second)
		p.Golden("tool-running-" + size)
		turn.Emit(session.ToolEnded{Call: run, Outcome: session.ToolFailed, Duration: 12 * time.Second,
			Result: session.ToolResult{Text: out, ExitCode: code(1)}})
		edit := turn.StartTool("Edit", `{"file_path":"/home/ada/src/acme/retry.go","old_string":"a","new_string":"b"}`)
		turn.Emit(session.ToolEnded{Call: edit, Outcome: session.ToolOK, Edits: []session.FileEdit{retryEdit}})
		denied := turn.StartTool("Bash", `{"command":"rm -rf build"}`)
		turn.Emit(session.ToolEnded{Call: denied, Outcome: session.ToolDenied})
		stopped := turn.StartTool("WebFetch", `{"url":"https://go.dev/doc"}`)
		turn.Emit(session.ToolEnded{Call: stopped, Outcome: session.ToolCancelled})
		p.Settle()
		p.Golden("tool-done-" + size)
		p.Keys("ctrl+up", "ctrl+up", "ctrl+up", "tab")
		p.Golden("tool-open-" + size)
		turn.End(session.TurnCompleted)
	})
}

var retryEdit = session.FileEdit{Path: "/home/ada/src/acme/retry.go", Added: 3, Removed: 2, Patch: `@@ -41,4 +41,5 @@
 func (c *Client) do(req *http.Request) (*http.Response, error) {
-	resp, err := c.Do(req)
-	timer := time.NewTimer(backoff)
+	timer := time.NewTimer(backoff)
+	defer timer.Stop()
+	resp, err := c.Do(req)
 	return resp, err
`}

// editAsk asks for the edit above.
func editAsk(turn *sessiontest.Turn) <-chan session.Answer {
	in := json.RawMessage(`{"file_path":"/home/ada/src/acme/retry.go","old_string":"a","new_string":"b"}`)
	call := turn.StartTool("Edit", string(in))
	_, ch := turn.Ask(session.Asked{Call: call, Permission: &session.PermissionAsk{Tool: "Edit", Input: in, Path: retryEdit.Path,
		Edit: &retryEdit, Rules: []session.Rule{{Text: "edit **", Label: "edits of every file here"}}}})
	return ch
}

// commandAsk asks to run a command.
func commandAsk(turn *sessiontest.Turn, command string) (session.CallID, <-chan session.Answer) {
	in, _ := json.Marshal(map[string]string{"command": command})
	call := turn.StartTool("Bash", string(in))
	word, _, _ := strings.Cut(command, " ")
	_, ch := turn.Ask(session.Asked{Call: call, Permission: &session.PermissionAsk{Tool: "Bash", Input: in, Command: command,
		Rules: []session.Rule{{Text: "command " + word + " *", Label: word + " *"}}}})
	return call, ch
}

func TestEditPromptScreen(t *testing.T) {
	eachSize(t, Config{Settings: opus}, func(p *Program, size string) {
		p.Type("start the timer first")
		turn := p.Turn()
		first := editAsk(turn)
		_, second := commandAsk(turn, "go test ./...")
		p.Settle()
		p.Golden("prompt-edit-unfocused-" + size)
		p.Pass(time.Second)
		p.Golden("prompt-edit-" + size)
		p.Keys("y")
		if a := got(p, first); a.Decision != session.Allow || a.Scope != session.ScopeOnce {
			t.Errorf("answered %+v", a)
		}
		p.Pass(time.Second)
		p.Golden("prompt-command-" + size)
		p.Keys("a")
		if a := got(p, second); a.Decision != session.Allow || a.Scope != session.ScopeSession || a.Rule == nil || a.Rule.Text != "command go *" {
			t.Errorf("answered %+v", a)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// The keys without room stand behind ?, and work without it. The field follows the question, and the last row of keys is gone.
func TestKeysOfAQuestionTakeOneRow(t *testing.T) {
	Run(t, Config{Settings: opus}, func(p *Program) {
		p.Type("run it")
		turn := p.Turn()
		_, answer := commandAsk(turn, "go test ./...")
		p.Pass(time.Second)
		rows := p.Rows()
		at := slices.IndexFunc(rows, func(row string) bool { return strings.HasPrefix(row, "  ↑↓ enter") })
		if at < 0 || !strings.HasSuffix(rows[at], "? more") || !strings.HasPrefix(rows[at+2], ">") || p.Has("why am I asked") || p.Has("? keys") {
			t.Errorf("%s", p.Text())
		}
		p.Answer("?")
		if !p.Has("i why am I asked · ? fewer") || len(answer) > 0 {
			t.Errorf("%s", p.Text())
		}
		p.Answer("?")
		if p.Answer("i"); !p.Has("command go *") || p.Has("? fewer") {
			t.Errorf("%s", p.Text())
		}
		p.Answer("n")
		if a := got(p, answer); a.Decision != session.Deny {
			t.Errorf("answered %+v", a)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

func TestDenyWithMessageScreen(t *testing.T) {
	eachSize(t, Config{Settings: opus}, func(p *Program, size string) {
		p.Type("clean up")
		p.Send("next I want")
		turn := p.Turn()
		call, answer := commandAsk(turn, "rm -rf build && git clean -fdx")
		p.Pass(time.Second)
		p.Keys("f2") // something is written
		p.Answer("m")
		p.Send("keep build/cache")
		p.Settle()
		p.Golden("deny-message-" + size)
		p.Keys("enter")
		if a := got(p, answer); a.Decision != session.Deny || a.Message != "keep build/cache" {
			t.Errorf("answered %+v", a)
		}
		turn.Emit(session.ToolEnded{Call: call, Outcome: session.ToolDenied})
		turn.Text("Then I keep it.")
		turn.End(session.TurnCompleted)
		p.Settle()
		p.Golden("denied-" + size)
	})
}

func TestQueueScreen(t *testing.T) {
	eachSize(t, Config{Settings: opus}, func(p *Program, size string) {
		p.Type("first")
		turn := p.Turn()
		turn.OpenPart(session.PartText, "Working on the first.")
		p.Type("second")
		p.Type("third")
		p.Golden("queue-" + size)
		p.Keys("up")
		p.Golden("queue-taken-back-" + size)
		turn.End(session.TurnCompleted)
		next := p.Turn()
		if next.Prompt.Text != "second" {
			t.Errorf("the next prompt is %q", next.Prompt.Text)
		}
		next.End(session.TurnCompleted)
		p.Settle()
	})
}
