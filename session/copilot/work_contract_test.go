//go:build contract && unix

package copilot

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/uuid"

	"parley/session"
)

// clientTool lets the model call a tool of parley.
func (w *whole) clientTool() {
	w.tools = []session.ClientTool{{Name: "get_weather", Description: "Returns the weather.",
		Schema: []byte(`{"type":"object","properties":{"city":{"type":"string"}}}`),
		Call: func(_ context.Context, c session.ClientCall) (session.ToolResult, error) {
			var in struct{ City string }
			if err := json.Unmarshal(c.Input, &in); err != nil {
				return session.ToolResult{}, err
			}
			return session.ToolResult{Text: "rain in " + in.City}, nil
		}}}
	w.allows()
	w.completes("weather", "rain in Berlin")
	w.completes("weather", "rain in Berlin") // the tools of a session that is already open
}

func (w *whole) steer() {
	w.allows()
	id := w.send("run sleep 1; echo first")
	w.until("call", is[session.ToolReady])
	if _, err := w.s.Steer(session.Prompt{Text: "hello meanwhile"}); err != nil {
		w.t.Fatal(err)
	}
	w.until("steered prompt", is[session.Steered])
	if end := w.ends(id); end.Outcome != session.TurnCompleted {
		w.t.Errorf("%+v", end)
	}
	if got := w.wrote(session.TurnID(id)); !strings.Contains(got, "You said: hello meanwhile") {
		w.t.Errorf("%q", got)
	}
}

func is[E session.Event](e session.Event) bool {
	_, ok := e.(E)
	return ok
}

// settings changes the model and the effort between turns.
func (w *whole) settings() {
	w.completes("hello", "hello")
	for _, s := range []session.Settings{{Model: "claude-opus-4.6", Effort: "low"}, {Model: "claude-sonnet-4.6", Effort: "high"},
		{Model: "claude-sonnet-4.6"}} {
		s.Mode = session.ModeDefault
		if err := w.s.Configure(s); err != nil {
			w.t.Fatal(err)
		}
		w.eventually("the runtime to have the settings", func() bool { return w.told() == s })
		prompt := "hello " + s.Model + " " + s.Effort + "."
		w.completes(prompt, prompt)
		body := w.request(prompt)
		config, _ := body["output_config"].(map[string]any)
		if body["model"] != s.Model || config["effort"] != s.Effort && (s.Effort != "" || config["effort"] == "high") {
			w.t.Errorf("model %v, effort %v; want %+v", body["model"], config["effort"], s)
		}
	}
}

// told returns the settings that the runtime has.
func (w *whole) told() session.Settings {
	w.mu.Lock()
	c := w.conv
	w.mu.Unlock()
	leave, err := c.Applying(w.t.Context()) // it would be half applied
	if err != nil {
		return session.Settings{}
	}
	defer leave()
	c.Mu.Lock()
	defer c.Mu.Unlock()
	if c.Link == nil {
		return session.Settings{}
	}
	return c.Link.applied
}

// request is the newest request for a message that the service saw.
func (w *whole) request(contains string) map[string]any {
	w.t.Helper()
	for _, r := range slices.Backward(w.sim.Requests()) {
		if strings.HasPrefix(r.Path, "/v1/messages") && strings.Contains(string(r.Body), contains) {
			var body map[string]any
			if err := json.Unmarshal(r.Body, &body); err != nil {
				w.t.Fatal(err)
			}
			return body
		}
	}
	w.t.Fatalf("no request says %q", contains)
	return nil
}

// children runs child agents alone, side by side and within each other. Each begins and ends once.
func (w *whole) children() {
	w.allows()
	w.completes("delegate hello there", "hello there")
	w.childrenAre(1)
	w.completes("both hello you two", "hello you two")
	w.childrenAre(3)
	w.completes("delegate delegate hello inside", "hello inside")
	w.childrenAre(5)
	nested := false
	for _, e := range w.all() {
		if s, ok := e.(session.ChildStarted); ok {
			nested = nested || s.Child != ""
		}
	}
	if !nested {
		w.t.Error("no child within a child")
	}
}

// childrenAre checks that so many children have begun and ended, once each.
func (w *whole) childrenAre(n int) {
	w.t.Helper()
	begun, ended := map[session.ChildID]int{}, map[session.ChildID]int{}
	for _, e := range w.all() {
		switch e := e.(type) {
		case session.ChildStarted:
			if !e.Background && !e.Resumed {
				begun[e.ID]++
			}
		case session.ChildEnded:
			ended[e.ID]++
			if e.Outcome != session.TurnCompleted {
				w.t.Errorf("%+v", e)
			}
		}
	}
	if len(begun) != n || len(ended) != n {
		w.t.Errorf("%d children began, %d ended; want %d", len(begun), len(ended), n)
	}
	for id := range begun {
		if begun[id] != 1 || ended[id] != 1 {
			w.t.Errorf("child %s began %d times and ended %d times", id, begun[id], ended[id])
		}
	}
}

// background lets a child go on after its turn. Its end begins a turn, and it can be resumed.
func (w *whole) background() {
	w.allows()
	w.completes("behind run sleep 1; echo done", "The tool said")
	child := w.until("child", is[session.ChildStarted]).(session.ChildStarted)
	if !child.Background {
		w.t.Errorf("%+v", child)
	}
	w.until("end of the child", is[session.ChildEnded])
	w.until("turn about it", func(e session.Event) bool {
		s, ok := e.(session.TurnStarted)
		return ok && s.Origin == session.OriginAutonomous && s.Because != ""
	})
	w.until("end of that turn", func(e session.Event) bool {
		end, ok := e.(session.TurnEnded)
		return ok && strings.HasPrefix(string(end.Turn), "auto-")
	})
	if err := w.s.ResumeChild(context.Background(), child.ID, session.Prompt{Text: "hello again"}); err != nil {
		w.t.Fatal(err)
	}
	ends := 0
	w.until("second end of the child", func(e session.Event) bool {
		if is[session.ChildEnded](e) {
			ends++
		}
		return ends == 2
	})
}

// abortBeside interrupts a turn while a child works in the background, which goes on.
func (w *whole) abortBeside() {
	w.allows()
	w.completes("behind run sleep 3; echo done", "The tool said")
	id := w.send("endless")
	w.until("word", w.begun(id))
	w.s.Abort()
	if end := w.ends(id); end.Outcome != session.TurnCancelled {
		w.t.Errorf("%+v", end)
	}
	if end := w.until("end of the child", is[session.ChildEnded]).(session.ChildEnded); end.Outcome != session.TurnCompleted {
		w.t.Errorf("%+v", end)
	}
}

// abortChild interrupts a turn that waits for a child, which ends with it.
func (w *whole) abortChild() {
	w.allows()
	id := w.send("delegate run sleep 60")
	w.until("command of the child", func(e session.Event) bool { return is[session.ToolReady](e) && e.Header().Child != "" })
	w.s.Abort()
	if end := w.ends(id); end.Outcome != session.TurnCancelled {
		w.t.Errorf("%+v", end)
	}
	if end := w.until("end of the child", is[session.ChildEnded]).(session.ChildEnded); end.Outcome != session.TurnCancelled {
		w.t.Errorf("%+v", end)
	}
	w.completes("after all", "after all")
	var list struct{ Tasks []task }
	w.mu.Lock()
	c := w.conv
	w.mu.Unlock()
	l, err := openLink(c, "list")
	if err != nil {
		w.t.Fatal(err)
	}
	if err := l.call(context.Background(), "session.tasks.list", nil, &list); err != nil {
		w.t.Fatal(err)
	}
	for _, t := range list.Tasks {
		if t.Status == "running" {
			w.t.Errorf("%+v still runs", t)
		}
	}
}

// stops stops a child and a command in the background.
func (w *whole) stops() {
	w.allows()
	w.completes("behind run sleep 60", "The tool said")
	child := w.until("child", is[session.ChildStarted]).(session.ChildStarted)
	w.until("its command", func(e session.Event) bool { return is[session.ToolReady](e) && e.Header().Child == child.ID })
	if err := w.s.StopCall(context.Background(), child.Call); err != nil {
		w.t.Fatal(err)
	}
	if end := w.until("its end", is[session.ChildEnded]).(session.ChildEnded); end.Outcome != session.TurnCancelled {
		w.t.Errorf("%+v", end)
	}
	w.completes("background sleep 60", "The tool said")
	var call session.CallID
	for _, e := range w.all() {
		if end, ok := e.(session.ToolEnded); ok && end.Result.Background && end.Call != child.Call {
			call = end.Call
		}
	}
	if err := w.s.StopCall(context.Background(), call); err != nil {
		w.t.Fatal(err)
	}
	w.until("end of the command", func(e session.Event) bool {
		end, ok := e.(session.ToolEnded)
		return ok && end.Call == call && end.Outcome == session.ToolCancelled
	})
	if left := w.transcript().Background(); len(left) != 0 {
		w.t.Errorf("%d still in the background", len(left))
	}
}

// toBackground sends a running command to the background.
func (w *whole) toBackground() {
	w.allows()
	id := w.send("run sleep 2; echo done")
	ready := w.until("call", is[session.ToolReady]).(session.ToolReady)
	w.eventually("the command to be sent to the background", func() bool {
		return w.s.ToBackground(context.Background(), ready.Call) == nil
	})
	w.ends(id)
	w.until("end of the command", func(e session.Event) bool {
		end, ok := e.(session.ToolEnded)
		return ok && end.Call == ready.Call && !end.Result.Background
	})
}

// aside asks beside the history.
func (w *whole) aside() {
	w.completes("hello", "hello")
	w.mu.Lock()
	c := w.conv
	w.mu.Unlock()
	var got strings.Builder
	if err := c.AskAside(context.Background(), "aside", func(text string) { got.WriteString(text) }); err != nil {
		w.t.Fatal(err)
	}
	if got.String() != "Beside the history." {
		w.t.Errorf("%q", got.String())
	}
	w.completes("hello again", "hello again")
	if strings.Contains(string(w.bodyOf("hello again")), "Beside the history") {
		w.t.Error("the answer became part of the history")
	}
}

func (w *whole) bodyOf(contains string) []byte {
	body, err := json.Marshal(w.request(contains))
	if err != nil {
		w.t.Fatal(err)
	}
	return body
}

// tasks reads the task list that the agent keeps in a table, also when the session goes on.
func (w *whole) tasks() {
	is := func(e session.Event) bool {
		c, ok := e.(session.TodosChanged)
		return ok && slices.Equal(c.Todos, []session.Todo{{Text: "First", State: session.TodoDone}, {Text: "Second", State: session.TodoActive}})
	}
	w.allows()
	w.completes("tasks", "The tool said")
	w.until("the task list", is)
}

// compact compacts the conversation by the runtime's command.
func (w *whole) compact() {
	w.completes("hello", "hello")
	w.completes("hello again", "hello again")
	w.eventually("commands", func() bool { return len(w.agent.Commands(w.dir)) > 0 })
	if end, _ := w.ask("/compact"); end.Outcome != session.TurnCompleted {
		w.t.Errorf("%+v", end)
	}
	w.until("compaction", is[session.Compacted])
	w.completes("after it", "after it")
	o := w.conv.o
	o.Session, o.Dir = session.ID(uuid.NewString()), w.t.TempDir()
	release, err := w.agent.Warm(w.t.Context(), o)
	if err != nil {
		w.t.Fatal(err)
	}
	defer release()
	if err := w.agent.AwaitCommands(w.t.Context(), o.Dir); err != nil || len(w.agent.Commands(o.Dir)) == 0 {
		w.t.Errorf("the commands of a directory without a conversation: %v, %v", w.agent.Commands(o.Dir), err)
	}
}
