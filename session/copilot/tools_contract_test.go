//go:build contract && unix

package copilot

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"parley/session"
	"parley/session/clienttools"
	"parley/session/runtimes/runtimestest"
	"parley/session/toolview"
)

// TestContractClientTools lets the models of real runtimes call tools of parley, also those of child agents.
func TestContractClientTools(t *testing.T) {
	dir := runtimestest.Installed(t)
	for _, version := range runtimestest.Copilots {
		for name, run := range map[string]func(w *whole){
			"question": (*whole).toolAsks, "child": (*whole).toolOfChildAsks, "permission": (*whole).toolAsked,
			"interrupted": (*whole).toolInterrupted, "others": (*whole).toolsChange, "kit": (*whole).toolsOfTheKit,
		} {
			t.Run(version+"/"+name, func(t *testing.T) {
				t.Parallel()
				w := newWhole(t, runtimestest.Copilot(t, dir, version), true)
				ask := clienttools.Ask
				ask.Name = "ask_person" // the runtime has one of that name itself
				w.tools = []session.ClientTool{ask, toolLike("session_search", "Nothing about ")}
				run(w)
			})
		}
	}
}

// toolLike returns a tool that says what it was called with.
func toolLike(name, say string) session.ClientTool {
	return session.ClientTool{Name: name, Description: "Says something.", Schema: []byte(`{"type":"object"}`),
		Call: func(_ context.Context, c session.ClientCall) (session.ToolResult, error) {
			return session.ToolResult{Text: say + string(c.Input) + " for " + string(c.ID)}, nil
		}}
}

// toolQuestion waits for what a tool asks in the turn of a prompt, and finds the call in whose name it does. The tool has no
// row that says that it asks, so the call itself is allowed.
func (w *whole) toolQuestion(prompt session.PromptID) session.Asked {
	w.t.Helper()
	w.answers(func(a session.Asked) (session.Answer, bool) {
		return session.Answer{Decision: session.Allow}, a.Kind == session.AskPermission
	})
	a := w.until("question", func(e session.Event) bool {
		a, ok := e.(session.Asked)
		return ok && a.Turn == session.TurnID(prompt) && a.Kind == session.AskQuestion
	}).(session.Asked)
	call := w.until("call", func(e session.Event) bool {
		s, ok := e.(session.ToolStarted)
		return ok && s.Call == a.Call
	}).(session.ToolStarted)
	if call.Child != a.Child || call.Name != "ask_person" {
		w.t.Errorf("%+v asks in the name of %+v", a, call)
	}
	return a
}

// toolEnds answers what a tool asks, and waits for the end of its call.
func (w *whole) toolEnds(a session.Asked, id session.PromptID) {
	w.t.Helper()
	answer := session.Answer{Decision: session.Allow, Choices: map[string][]string{"Which one?": {"blue"}}}
	if err := w.s.Answer(a.Ask, answer); err != nil {
		w.t.Fatal(err)
	}
	end := w.until("end of the call", func(e session.Event) bool {
		end, ok := e.(session.ToolEnded)
		return ok && end.Call == a.Call
	}).(session.ToolEnded)
	if !strings.Contains(end.Result.Text, "The user answered: blue") || end.Child != a.Child {
		w.t.Errorf("it ended with %+v", end)
	}
	w.ends(id)
}

func (w *whole) toolAsks() {
	id := w.send("ask by the tool Which one?")
	a := w.toolQuestion(id)
	if q := a.Question.Questions; len(q) != 1 || q[0].Text != "Which one?" || len(q[0].Options) != 2 || a.Child != "" {
		w.t.Errorf("%+v", q)
	}
	w.toolEnds(a, id)
}

func (w *whole) toolOfChildAsks() {
	id := w.send("delegate ask by the tool Which one?")
	a := w.toolQuestion(id)
	if a.Child == "" {
		w.t.Errorf("the top level asked: %+v", a)
	}
	w.toolEnds(a, id)
}

func (w *whole) toolAsked() {
	asked := 0
	w.answers(func(a session.Asked) (session.Answer, bool) {
		asked++
		if a.Permission == nil || a.Permission.Tool != "session_search" || len(a.Permission.Rules) == 0 {
			w.t.Errorf("asked %+v", a.Permission)
			return session.Answer{Decision: session.Deny}, true
		}
		if asked == 1 {
			return session.Answer{Decision: session.Deny, Message: "not now"}, true
		}
		return session.Answer{Decision: session.Allow, Scope: session.ScopeSession}, true
	})
	w.completes("look back for beans", "not now")
	w.completes("look back for beans", "Nothing about ")
	w.completes("look back for beans", "Nothing about ")
	if asked != 2 {
		w.t.Errorf("asked %d times", asked)
	}
}

func (w *whole) toolInterrupted() {
	id := w.send("ask by the tool Which one?")
	a := w.toolQuestion(id)
	w.s.Abort()
	if end := w.ends(id); end.Outcome != session.TurnCancelled {
		w.t.Errorf("%+v", end)
	}
	if err := w.s.Answer(a.Ask, session.Answer{Decision: session.Allow}); session.KindOf(err) != session.KindNotFound {
		w.t.Errorf("a late answer: %v", err)
	}
	begun, ended := make(chan struct{}), make(chan struct{})
	waits := toolLike("session_search", "")
	waits.Call = func(ctx context.Context, _ session.ClientCall) (session.ToolResult, error) {
		close(begun)
		<-ctx.Done()
		close(ended)
		return session.ToolResult{}, ctx.Err()
	}
	if err := w.conv.SetTools(w.t.Context(), []session.ClientTool{waits}); err != nil {
		w.t.Fatal(err)
	}
	id = w.send("look back for beans")
	<-begun
	w.s.Abort()
	if end := w.ends(id); end.Outcome != session.TurnCancelled {
		w.t.Errorf("%+v", end)
	}
	select {
	case <-ended:
	case <-w.t.Context().Done():
		w.t.Error("the call goes on")
	}
	w.completes("hello", "You said: hello")
}

func (w *whole) toolsChange() {
	w.completes("hello", "You said: hello")
	for range 3 { // more than one change opens the session once more
		if err := w.conv.SetTools(w.t.Context(), []session.ClientTool{toolLike("notify", "Notified of ")}); err != nil {
			w.t.Fatal(err)
		}
	}
	w.completes("notify me of tea", `Notified of {"message":"tea"}`)
}

// toolsOfTheKit calls the tools that show changes, look code up and open files, from the top and from a child. It logs how long a call
// took that does nothing.
func (w *whole) toolsOfTheKit() {
	if err := os.WriteFile(filepath.Join(w.dir, "hello.txt"), []byte("one\n"), 0o600); err != nil {
		w.t.Fatal(err)
	}
	opened := make(chan string, 2)
	kit := clienttools.New(clienttools.Options{
		Diff: func(context.Context, session.ID, string, []string) (string, error) { return "-one\n+two\n", nil },
		Open: func(_ context.Context, path string, line int) error {
			opened <- fmt.Sprintf("%s:%d", path, line)
			return nil
		},
		Lookup: func(session.OpenOptions) (session.ClientTool, bool) { return toolLike("code_lookup", "Found "), true },
	})
	w.tools = kit.For(w.agent, session.OpenOptions{Dir: w.dir})
	var mu sync.Mutex
	permissions := 0
	w.answers(func(a session.Asked) (session.Answer, bool) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case a.Kind == session.AskQuestion && strings.Contains(a.Question.Questions[0].Options[0].Preview, "+two"):
			return session.Answer{Decision: session.Allow, Choices: map[string][]string{"Look here": {"rename it"}}}, true
		case a.Kind == session.AskPermission && a.Permission.Tool == "open_in_editor":
			permissions++
			return session.Answer{Decision: session.Allow}, true
		case a.Kind == session.AskPermission && strings.Contains(a.Permission.Tool, "code_lookup"), a.Kind == session.AskPermission && strings.Contains(a.Permission.Tool, "show_diff"):
			w.t.Errorf("asked %+v", a.Permission)
		}
		return session.Answer{Decision: session.Allow}, true
	})
	for _, from := range []string{"", "delegate "} {
		for prompt, want := range map[string]string{"show changes": "The user answered: rename it", "look up hello.txt": "Found {", "open hello.txt": "The file is open"} {
			id := w.send(from + prompt)
			started := w.until("call", func(e session.Event) bool {
				s, ok := e.(session.ToolStarted)
				return ok && s.Turn == session.TurnID(id) && (s.Child != "") == (from != "") && clientTool(s.Name)
			}).(session.ToolStarted)
			end := w.until("end", func(e session.Event) bool {
				end, ok := e.(session.ToolEnded)
				return ok && end.Call == started.Call
			}).(session.ToolEnded)
			w.ends(id)
			if !strings.Contains(end.Result.Text, want) {
				w.t.Errorf("%s%s: %+v", from, prompt, end)
			}
			w.t.Logf("%s%s: %s", from, prompt, end.At.Sub(started.At))
		}
	}
	if permissions != 2 || len(opened) != 2 || <-opened != filepath.Join(w.dir, "hello.txt")+":2" {
		w.t.Errorf("asked %d times", permissions)
	}
}

// clientTool reports whether a call is one of parley's tools.
func clientTool(name string) bool {
	_, ok := toolview.ClientTool("mcp__parley__" + strings.TrimPrefix(name, "mcp__parley__"))
	return ok
}
