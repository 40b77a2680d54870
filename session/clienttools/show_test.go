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
	open := func(_ context.Context, path string, line int) error { opened, at = path, line; return problem }
	tool := opener(open, false, session.OpenOptions{Dir: dir})
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
	var write []byte
	tool = opener(func(ctx context.Context, path string, line int) error {
		if _, limited := ctx.Deadline(); limited {
			t.Error("the user has to hurry")
		}
		return errors.Join(open(ctx, path, line), os.WriteFile(path, write, 0o600))
	}, true, session.OpenOptions{Dir: dir})
	problem = nil
	if write = []byte("more"); call(`{"file_path":"a.go"}`) != "The user left the editor and changed the file: read it again before you change it." {
		t.Error("a change is not reported")
	}
	tool = opener(open, true, session.OpenOptions{Dir: dir})
	if got := call(`{"file_path":"a.go"}`); got != "The user left the editor without changing the file." {
		t.Error(got)
	}
}
