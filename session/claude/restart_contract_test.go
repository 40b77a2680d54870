//go:build contract

package claude

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"parley/session"
	"parley/session/claude/driver"
	"parley/session/live"
)

func (w *whole) settings() {
	w.completes("hello", "hello")
	set := func(model, effort string) {
		w.t.Helper()
		if err := w.s.Configure(session.Settings{Model: model, Effort: effort, Mode: session.ModeDefault}); err != nil {
			w.t.Fatal(err)
		}
		w.eventually("the runtime to be told", func() bool { return w.told().Model == model && w.told().Effort == effort })
	}
	effort := func(body map[string]any) any {
		config, _ := body["output_config"].(map[string]any)
		return config["effort"]
	}
	set("claude-opus-4.6", "low")
	w.completes("second please", "second please")
	if body := w.request("second please"); body["model"] != "claude-opus-4.6" || effort(body) != "low" {
		w.t.Errorf("model %v, effort %v", body["model"], effort(body))
	}
	set("claude-haiku-4.5", "low")
	w.completes("third please", "third please")
	if body := w.request("third please"); body["model"] != "claude-haiku-4.5" || effort(body) != nil {
		w.t.Errorf("model %v, effort %v", body["model"], effort(body))
	}
	set("claude-sonnet-4.6", "high")
	w.completes("fourth please", "fourth please")
	if body := w.request("fourth please"); body["model"] != "claude-sonnet-4.6" || effort(body) != "high" {
		w.t.Errorf("model %v, effort %v", body["model"], effort(body))
	}
	var want []string
	for _, e := range []string{"high", "xhigh", "max"} { // a model that 2.1.112 does not know
		set("claude-opus-4.8", e)
		words := "with " + e
		w.completes(words, words)
		body := w.request(words)
		if body["model"] == "claude-opus-4.8" && effort(body) == e {
			continue
		}
		want = append(want, "asks for high instead of "+e)
		if !strings.Contains(w.t.Name(), "/2.1.112/") || body["model"] != "claude-opus-4.8" || effort(body) != "high" {
			w.t.Errorf("model %v, effort %v instead of %v", body["model"], effort(body), e)
		}
	}
	for _, e := range w.all() {
		n, ok := e.(session.Notice)
		switch {
		case ok && len(want) > 0 && strings.Contains(n.Text, want[0]):
			want = want[1:]
		case ok:
			w.t.Errorf("%+v", n)
		}
	}
	if len(want) > 0 {
		w.t.Errorf("nothing says %q", want)
	}
}

// told returns the settings of the running process.
func (w *whole) told() session.Settings {
	w.mu.Lock()
	c := w.conv
	w.mu.Unlock()
	c.Mu.Lock()
	defer c.Mu.Unlock()
	if c.Link == nil {
		return session.Settings{}
	}
	s, _ := c.Link.applied.get()
	return s
}

func (w *whole) crash() {
	w.completes("hello", "hello")
	// What a runtime says is in its file some moments later; killed before that, it has forgotten it.
	w.eventually("the first turn on disk", func() bool { return w.stored("You said: hello") })
	id := w.send("endless")
	w.until("word", w.begun(id))
	if err := w.s.Configure(session.Settings{Model: "claude-opus-4.6", Mode: session.ModePlan}); err != nil {
		w.t.Fatal(err)
	}
	old := w.runtime()
	if err := syscall.Kill(old, syscall.SIGKILL); err != nil {
		w.t.Fatal(err)
	}
	if end := w.ends(id); end.Outcome != session.TurnFailed || end.Problem == nil || !end.Problem.Retry {
		w.t.Errorf("%+v", end)
	}
	w.completes("after all", "after all")
	if body := w.request("after all"); body["model"] != "claude-opus-4.6" || !strings.Contains(fmt.Sprint(body["messages"]), "hello") {
		w.t.Errorf("went on with %v and %v", body["model"], body["messages"])
	}
	if w.s.Settings().Mode != session.ModePlan {
		w.t.Errorf("mode %q", w.s.Settings().Mode)
	}
}

// stored reports whether the runtime's file of the session holds the text.
func (w *whole) stored(text string) bool {
	files, _ := filepath.Glob(filepath.Join(w.home, ".claude", "projects", "*", string(w.s.ID())+".jsonl"))
	return slices.ContainsFunc(files, func(name string) bool {
		data, _ := os.ReadFile(name)
		return strings.Contains(string(data), text)
	})
}

// crashAtOnce kills the runtime before anything of the session is on disk.
func (w *whole) crashAtOnce() {
	id := w.send("endless")
	w.until("word", w.begun(id))
	if err := syscall.Kill(w.runtime(), syscall.SIGKILL); err != nil {
		w.t.Fatal(err)
	}
	w.ends(id)
	w.completes("hello again", "hello again")
}

// plainly goes on with the session in Claude Code itself.
func (w *whole) plainly(id session.ID, text string) {
	w.t.Helper()
	bearer, err := w.server.Open("plain")
	if err != nil {
		w.t.Fatal(err)
	}
	defer w.server.Revoke("plain")
	program, _ := w.agent.o.Runtime(context.Background())
	cmd := exec.Command(program.Argv[0], append(program.Argv[1:], "-p", "--resume", string(id), "--model", "claude-sonnet-4-6", text)...)
	cmd.Dir = w.dir
	cmd.Env = append(slices.Clone(w.agent.o.Environ), "ANTHROPIC_BASE_URL="+w.server.URL(), "ANTHROPIC_AUTH_TOKEN="+bearer,
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), text) {
		w.t.Fatalf("plain: %v: %s", err, out)
	}
}

// meanwhile goes on with the session in Claude Code itself while it is open: what was said there is shown when the user
// begins to type, the model knows it, and nothing is lost or there twice.
func (w *whole) meanwhile() {
	w.completes("hello first", "hello first")
	w.eventually("the first turn on disk", func() bool { return w.stored("You said: hello first") })
	w.plainly(w.s.ID(), "hello plain")
	w.s.Warm()
	w.until("what was said there", func(e session.Event) bool {
		end, ok := e.(session.TurnEnded)
		return ok && strings.Contains(w.wrote(end.Turn), "hello plain")
	})
	w.completes("hello third", "hello third")
	w.eventually("the third turn on disk", func() bool { return w.stored("You said: hello third") })
	w.plainly(w.s.ID(), "hello fourth")
	w.completes("hello fifth", "hello fifth") // without a key before
	body := fmt.Sprint(w.request("hello fifth")["messages"])
	at := 0
	for _, text := range []string{"hello first", "hello plain", "hello third", "hello fourth", "hello fifth"} {
		i := strings.Index(body[at:], text)
		if i < 0 || strings.Count(body, "You said: "+text) > 1 {
			w.t.Fatalf("%q is missing, out of order or there twice: %s", text, body)
		}
		at += i
	}
	var told []string
	for _, e := range w.all() {
		if n, ok := e.(session.Notice); ok {
			told = append(told, n.Text)
		}
	}
	if len(told) != 2 || !strings.Contains(told[0], "shown above") || !strings.Contains(told[1], "open the session again") {
		w.t.Errorf("told %q", told)
	}
	id := w.s.ID()
	w.eventually("the fifth turn on disk", func() bool { return w.stored("You said: hello fifth") })
	if err := w.m.Close(context.Background()); err != nil {
		w.t.Fatal(err)
	}
	w.manage()
	_, events, err := w.m.Read(context.Background(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	var prompts []string
	for _, turn := range session.Fold(events).Turns {
		if turn.ID != "" {
			prompts = append(prompts, turn.Prompt.Text)
		}
	}
	if want := []string{"hello first", "hello plain", "hello third", "hello fourth", "hello fifth"}; !slices.Equal(prompts, want) {
		w.t.Errorf("replayed %q", prompts)
	}
}

func (w *whole) resume() {
	w.completes("hello first", "hello first")
	id := w.s.ID()
	if err := w.m.Close(context.Background()); err != nil {
		w.t.Fatal(err)
	}
	// Plain Claude Code goes on with the session, and parley with what that has made of it.
	w.plainly(id, "hello plain")
	w.manage()
	list, err := w.m.List(context.Background())
	if err != nil || len(list) != 1 || list[0].ID != id {
		w.t.Fatalf("%+v %v", list, err)
	}
	if w.s, err = w.m.Resume(context.Background(), id); err != nil {
		w.t.Fatal(err)
	}
	w.watch()
	w.completes("hello third", "hello third")
	if body := fmt.Sprint(w.request("hello third")["messages"]); !strings.Contains(body, "hello first") || !strings.Contains(body, "hello plain") {
		w.t.Error("the past is missing in what the model sees")
	}
}

func (w *whole) warmUp() {
	w.s.Warm()
	w.eventually("a runtime", func() bool { return w.agent.hasWarm() })
	w.agent.mu.Lock()
	pid := w.agent.warm.started.p.(*driver.Process).Pid()
	w.agent.mu.Unlock()
	if !w.s.Draft() || w.journal.Count() != 0 {
		w.t.Error("it is announced")
	}
	w.completes("hello", "hello")
	if w.runtime() != pid {
		w.t.Error("what was warm was not taken")
	}
	// Thrown away when an option changes.
	s, err := w.m.Draft(live.DraftOptions{Agent: "claude", Dir: w.dir})
	if err != nil {
		w.t.Fatal(err)
	}
	s.Warm()
	w.eventually("a runtime", func() bool { return w.agent.hasWarm() })
	if err := s.Configure(session.Settings{Mode: session.ModePlan}); err != nil {
		w.t.Fatal(err)
	}
	w.eventually("it to be gone", func() bool { return !w.agent.hasWarm() })
}

// hasWarm reports whether a runtime is warm and ready.
func (a *Agent) hasWarm() bool {
	a.mu.Lock()
	w := a.warm
	a.mu.Unlock()
	if w == nil {
		return false
	}
	select {
	case <-w.ready:
		return w.started != nil
	default:
		return false
	}
}

func (w *whole) attachments() {
	png := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89\x00\x00\x00\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\x00\x05\x00\x01\xff\x89\x99=\x1d\x00\x00\x00\x00IEND\xaeB`\x82")
	w.completes("look at this", "look at this",
		session.Attachment{Kind: session.AttachFile, Path: filepath.Join(w.dir, "hello.txt")},
		session.Attachment{Kind: session.AttachDirectory, Path: w.dir},
		session.Attachment{Kind: session.AttachSelection, Path: filepath.Join(w.dir, "hello.txt"), FirstLine: 2, LastLine: 2, Text: "two"},
		session.Attachment{Kind: session.AttachPaste, Text: "long pasted words"},
		session.Attachment{Kind: session.AttachImage, MediaType: "image/png", Data: png})
	body := fmt.Sprint(w.request("look at this")["messages"])
	for _, want := range []string{"hello.txt\n", "hello.txt:2", "project/\n", "long pasted words", "image/png"} {
		if !strings.Contains(body, want) {
			w.t.Errorf("%q is missing in %s", want, body)
		}
	}
}

func (w *whole) quota() {
	ended, _ := w.ask("over quota")
	if ended.Outcome != session.TurnFailed || ended.Problem == nil || ended.Problem.Kind != session.KindQuota ||
		strings.Contains(ended.Problem.What, "parley-error") {
		w.t.Errorf("%+v %+v", ended, ended.Problem)
	}
	w.completes("hello", "hello")
}

// children lets two agents work at the same time, each of which asks before it runs a command.
func (w *whole) children() {
	asked := map[session.ChildID]bool{}
	var mu sync.Mutex
	w.answers(func(a session.Asked) (session.Answer, bool) {
		mu.Lock()
		defer mu.Unlock()
		asked[a.Child] = true
		return yes, true
	})
	w.completes("two colleagues", "The tool said")
	mu.Lock()
	defer mu.Unlock()
	if len(asked) != 2 || asked[""] {
		w.t.Errorf("asked by %v", asked)
	}
	for _, name := range []string{"made-a", "made-b"} {
		if _, err := os.Stat(filepath.Join(w.dir, name)); err != nil {
			w.t.Error(err)
		}
	}
	started, ended := map[session.ChildID]int{}, map[session.ChildID]int{}
	for _, e := range w.all() {
		switch e := e.(type) {
		case session.ChildStarted:
			started[e.ID]++
		case session.ChildEnded:
			ended[e.ID]++
			if started[e.ID] != 1 || e.Outcome != session.TurnCompleted {
				w.t.Errorf("%+v", e)
			}
		}
	}
	if len(started) != 2 || len(ended) != 2 {
		w.t.Errorf("started %v, ended %v", started, ended)
	}
}

// background lets an agent work on while its parent's turn is over, and end later.
func (w *whole) background() {
	w.answers(always(yes))
	w.completes("a late colleague", "")
	ended := w.until("end of the colleague", func(e session.Event) bool { _, ok := e.(session.ChildEnded); return ok }).(session.ChildEnded)
	if ended.Outcome != session.TurnCompleted {
		w.t.Errorf("%+v", ended)
	}
	w.rests()
	w.completes("hello", "You said: hello")
	for _, e := range w.all() {
		if s, ok := e.(session.TurnStarted); ok && s.Prompt.Text == "" && s.Origin != session.OriginAutonomous {
			w.t.Errorf("%+v", s)
		}
	}
}
