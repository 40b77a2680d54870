package clienttools

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
)

// The diff is that of the disk or a proposal, whole in the question, and what the user says about it is the result.
func TestShowDiff(t *testing.T) {
	for input, want := range map[string]string{
		`{"message":"Look","files":["a"]}`:                                "```diff\n-a of s in /p\n+x\n```",
		`{"message":"Look","diff":"+ a ` + "```" + `"}`:                   "````diff\n+ a ```\n````",
		`{"message":" "}`:                                                 "message is empty",
		`{"message":"x","files":["none"]}`:                                "has not changed",
		`{"message":"x","files":["broken"]}`:                              "read the changes: disk",
		`{"message":"x","diff":"` + strings.Repeat("+", maxDiff+1) + `"}`: "+\n```\n\nThe rest is not shown.",
	} {
		show := differ(func(_ context.Context, id session.ID, dir string, files []string) (string, error) {
			switch files[0] {
			case "none":
				return "", nil
			case "broken":
				return "", errors.New("disk")
			}
			return "-" + files[0] + " of " + string(id) + " in " + dir + "\n+x\n", nil
		}, session.OpenOptions{Session: "s", Dir: "/p"})
		preview := ""
		r, err := show.Call(t.Context(), session.ClientCall{Input: []byte(input), Ask: func(_ context.Context, q session.QuestionAsk) session.Answer {
			one := q.Questions[0]
			preview = one.Options[0].Preview
			if len(one.Options) != 2 || one.Options[1].Preview != preview || !one.Free || one.Text != "Look" && one.Text != "x" {
				t.Errorf("asked %+v", one)
			}
			return session.Answer{Decision: session.Allow, Choices: map[string][]string{one.Text: {changeFirst}}, Notes: map[string]string{one.Text: "line 3"}}
		}})
		switch {
		case err != nil && !strings.Contains(err.Error(), want), err == nil && !strings.Contains(preview, want):
			t.Errorf("%.80s: %v, %.200q", input, err, preview)
		case err == nil && r.Text != "The user answered: Change something\nNote: line 3":
			t.Errorf("%.80s: %q", input, r.Text)
		}
	}
}

func TestOpenInEditor(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	opened, at := "", 0
	problem := error(nil)
	tool := opener(func(_ context.Context, path string, line int) error { opened, at = path, line; return problem }, session.OpenOptions{Dir: dir})
	call := func(input string) string {
		r, err := tool.Call(t.Context(), session.ClientCall{Input: []byte(input)})
		if err != nil {
			return err.Error()
		}
		return r.Text
	}
	if got := call(`{"file_path":"a.go","line":7}`); got != "The file is open in the user's editor." || opened != filepath.Join(dir, "a.go") || at != 7 {
		t.Errorf("%q, %s:%d", got, opened, at)
	}
	opened = ""
	for input, want := range map[string]string{`{}`: "file_path is empty", `{"file_path":"no.go"}`: "no.go does not exist", `{"file_path":"."}`: ". is not a file"} {
		if got := call(input); !strings.Contains(got, want) || opened != "" {
			t.Errorf("%s: %q, opened %q", input, got, opened)
		}
	}
	if problem = errors.New("no display"); call(`{"file_path":"a.go"}`) != "open the editor: no display" {
		t.Error(call(`{"file_path":"a.go"}`))
	}
}

// BenchmarkClientCall is what parley adds to the work of a call: the message in, the tool found, the result out.
func BenchmarkClientCall(b *testing.B) {
	s := NewServer("1", []session.ClientTool{Ask, tool("idle", func(context.Context, session.ClientCall) (session.ToolResult, error) {
		return session.ToolResult{Text: strings.Repeat("x", 1000)}, nil
	})})
	for b.Loop() {
		if got := say(s, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"idle","arguments":{"a":1},"_meta":{"claudecode/toolUseId":"t1"}}}`); len(got) < 1000 {
			b.Fatal(got)
		}
	}
}
