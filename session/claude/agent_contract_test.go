//go:build contract

package claude

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/claude/mapper"
	"parley/session/runtimes/runtimestest"
)

var yes = session.Answer{Decision: session.Allow, Scope: session.ScopeOnce}

func always(a session.Answer) func(session.Asked) (session.Answer, bool) {
	return func(session.Asked) (session.Answer, bool) { return a, true }
}

// TestContractAgent lets the agent do on real runtimes what a user makes it do.
func TestContractAgent(t *testing.T) {
	dir := runtimestest.Installed(t)
	for _, rt := range runtimes {
		for _, step := range agentSteps {
			t.Run(rt.name+"/"+step.name, func(t *testing.T) {
				t.Parallel()
				step.run(newWhole(t, runtimestest.Claude(t, dir, rt.version)))
			})
		}
	}
}

var agentSteps = []struct {
	name string
	run  func(w *whole)
}{
	{"turns", (*whole).turns},
	{"permissions", (*whole).permissions},
	{"question", (*whole).question},
	{"plan", (*whole).plan},
	{"bypass", (*whole).bypass},
	{"edits", (*whole).edits},
	{"abort", (*whole).abort},
	{"abort command", (*whole).abortCommand},
	{"abort with prompts", (*whole).abortWithPrompts},
	{"steer", (*whole).steer},
	{"steer late", (*whole).steerLate},
	{"queue", (*whole).queue},
	{"settings", (*whole).settings},
	{"crash", (*whole).crash},
	{"crash at once", (*whole).crashAtOnce},
	{"resume", (*whole).resume},
	{"warm", (*whole).warmUp},
	{"attachments", (*whole).attachments},
	{"quota", (*whole).quota},
	{"children", (*whole).children},
	{"background", (*whole).background},
	{"meanwhile", (*whole).meanwhile},
	{"own servers", (*whole).ownServers},
	{"form", (*whole).form},
	{"link", (*whole).link},
	{"form interrupted", (*whole).formInterrupted},
}

func (w *whole) turns() {
	w.completes("hello", "You said: hello")
	pid := w.runtime()
	w.completes("second", "You said: second")
	if w.runtime() != pid {
		w.t.Error("another process for the second turn")
	}
	for _, e := range w.all() {
		if m, ok := e.(session.ModelChanged); ok && m.Model != "claude-sonnet-4.6" {
			w.t.Errorf("model %q", m.Model)
		}
	}
}

func (w *whole) permissions() {
	w.answers(always(session.Answer{Decision: session.Deny, Message: "not now"}))
	w.completes("run it", "not now")
	w.answers(always(yes))
	w.completes("run it", "made it")
	made := filepath.Join(w.dir, "made")
	if _, err := os.Stat(made); err != nil {
		w.t.Error(err)
	}
	// No rule covers such a command, so that one is asked about each time, and nothing is written into the repository.
	w.answers(func(a session.Asked) (session.Answer, bool) {
		if len(a.Permission.Rules) > 0 {
			w.t.Errorf("offered %+v", a.Permission.Rules)
		}
		return session.Answer{Decision: session.Allow, Scope: session.ScopeSession}, true
	})
	w.completes("run it", "made it")
	w.answers(always(session.Answer{Decision: session.Deny, Message: "not again"}))
	w.completes("run it", "not again")
	if _, err := os.Stat(filepath.Join(w.dir, ".claude")); err == nil {
		w.t.Error("something was written into the repository")
	}
}

func (w *whole) question() {
	w.answers(func(a session.Asked) (session.Answer, bool) {
		if a.Kind != session.AskQuestion {
			w.t.Errorf("asked %+v", a)
		}
		return session.Answer{Decision: session.Allow, Choices: map[string][]string{"Which colour?": {"a free green"}}}, true
	})
	w.completes("ask me", "a free green")
	w.answers(always(session.Answer{Decision: session.Deny}))
	w.completes("ask me", mapper.RefusedUnanswered[:30])
}

func (w *whole) plan() {
	if err := w.s.Configure(session.Settings{Mode: session.ModePlan}); err != nil {
		w.t.Fatal(err)
	}
	var asked []string
	w.answers(func(a session.Asked) (session.Answer, bool) {
		if a.Kind != session.AskPlan {
			return yes, true
		}
		asked = append(asked, a.Plan.Plan)
		if len(asked) == 1 {
			return session.Answer{Decision: session.Allow, Message: "smaller steps please"}, true
		}
		return session.Answer{Decision: session.Allow, Mode: session.ModeAcceptEdits}, true
	})
	w.completes("make a plan", "smaller steps please")
	if w.s.Settings().Mode != session.ModePlan {
		w.t.Errorf("mode %q after feedback", w.s.Settings().Mode)
	}
	w.completes("make a plan", "The tool said")
	if w.s.Settings().Mode != session.ModeAcceptEdits {
		w.t.Errorf("mode %q after approval", w.s.Settings().Mode)
	}
	w.until("change of mode", func(e session.Event) bool {
		m, ok := e.(session.ModeChanged)
		return ok && m.Mode == session.ModeAcceptEdits
	})
}

func (w *whole) bypass() {
	w.answers(func(a session.Asked) (session.Answer, bool) {
		if a.Kind == session.AskPermission {
			w.t.Errorf("asked %+v", a.Permission)
		}
		return session.Answer{Decision: session.Allow, Choices: map[string][]string{"Which colour?": {"Red"}}}, true
	})
	w.completes("hello", "hello")
	if err := w.s.Configure(session.Settings{Mode: session.ModeBypass}); err != nil {
		w.t.Fatal(err)
	}
	w.completes("run it", "made it")
	w.completes("ask me", "Red") // questions are asked in this mode too
}

func (w *whole) edits() {
	w.answers(always(session.Answer{Decision: session.Allow, Scope: session.ScopeSession}))
	w.completes("edit the file", "updated")
	got, err := os.ReadFile(filepath.Join(w.dir, "hello.txt"))
	if err != nil || string(got) != "uno\ntwo\n" {
		w.t.Errorf("%q %v", got, err)
	}
	for _, e := range w.all() {
		if a, ok := e.(session.Asked); ok && (a.Permission == nil || a.Permission.Path == "" || len(a.Permission.Rules) != 1 ||
			a.Permission.Rules[0].Label != "edits under ./") {
			w.t.Errorf("asked %+v", a)
		}
	}
	// The rule is for all tools that edit, and leaves what other programs run to the user.
	w.answers(always(session.Answer{Decision: session.Deny, Message: "not that"}))
	w.completes("write the file another.txt", "another.txt")
	w.completes("write the file .envrc", "not that")
	w.completes("run it", "not that")
}

func (w *whole) send(text string) session.PromptID {
	w.t.Helper()
	id, err := w.s.Send(session.Prompt{Text: text})
	if err != nil {
		w.t.Fatal(err)
	}
	return id
}

func (w *whole) ends(turn session.PromptID) session.TurnEnded {
	w.t.Helper()
	return w.until("end of "+string(turn), func(e session.Event) bool {
		end, ok := e.(session.TurnEnded)
		return ok && end.Turn == session.TurnID(turn)
	}).(session.TurnEnded)
}

func (w *whole) abort() {
	for range 3 {
		id := w.send("endless")
		w.until("word", w.begun(id))
		for range 100 {
			w.s.Abort()
		}
		if end := w.ends(id); end.Outcome != session.TurnCancelled || end.Problem != nil {
			w.t.Errorf("%+v", end)
		}
	}
	// At once, before the runtime has begun.
	w.rests()
	id := w.send("endless")
	w.s.Abort()
	if end := w.ends(id); end.Outcome != session.TurnCancelled {
		w.t.Errorf("%+v", end)
	}
	w.completes("hello", "You said: hello")
}

func (w *whole) abortCommand() {
	w.answers(always(yes))
	id := w.send("long command")
	w.until("command", func(e session.Event) bool {
		s, ok := e.(session.Settled)
		return ok && s.How == session.SettledAnswered
	})
	w.eventually("the command to run", w.sleeps)
	w.s.Abort()
	if end := w.ends(id); end.Outcome != session.TurnCancelled {
		w.t.Errorf("%+v", end)
	}
	w.eventually("the command to be gone", func() bool { return !w.sleeps() })
	// An ask that is open when the turn is interrupted is settled with it.
	w.answers(nil)
	id = w.send("run it")
	w.until("ask", func(e session.Event) bool { a, ok := e.(session.Asked); return ok && a.Turn == session.TurnID(id) })
	w.s.Abort()
	if end := w.ends(id); end.Outcome != session.TurnCancelled {
		w.t.Errorf("%+v", end)
	}
	w.answers(always(yes))
	w.completes("run it", "made it")
}

// abortWithPrompts interrupts a turn while one prompt was written into it and another waits: both get turns of their own, in
// that order, and the model reads each once.
func (w *whole) abortWithPrompts() {
	w.answers(always(yes))
	for n, running := range []string{"long command", "endless"} {
		id := w.send(running)
		w.until("begin", w.acts(id))
		if running == "long command" {
			w.eventually("the command to run", w.sleeps)
		}
		steered := w.steers(fmt.Sprintf("hello steered %d", n))
		queued := w.send(fmt.Sprintf("hello queued %d", n))
		w.s.Abort()
		if end := w.ends(id); end.Outcome != session.TurnCancelled {
			w.t.Errorf("%+v", end)
		}
		for _, waited := range []session.PromptID{steered, queued} {
			if end := w.ends(waited); end.Outcome != session.TurnCompleted {
				w.t.Errorf("%+v", end)
			}
		}
		w.rests()
	}
	w.completes("hello last", "hello last")
	var prompts []string
	for _, e := range w.all() {
		if s, ok := e.(session.TurnStarted); ok {
			prompts = append(prompts, s.Prompt.Text)
		}
	}
	want := []string{"long command", "hello steered 0", "hello queued 0", "endless", "hello steered 1", "hello queued 1", "hello last"}
	if !slices.Equal(prompts, want) {
		w.t.Errorf("turns of %q, want %q", prompts, want)
	}
	body := fmt.Sprint(w.request("hello last")["messages"])
	for _, text := range []string{"hello steered 0", "hello queued 0", "hello steered 1", "hello queued 1"} {
		if n := strings.Count(body, "You said: "+text); n != 1 {
			w.t.Errorf("%q was answered %d times: %s", text, n, body)
		}
		if n := strings.Count(body, text); n != 2 {
			w.t.Errorf("%q is there %d times, with its answer: %s", text, n, body)
		}
	}
}

// acts tells the first thing that the agent does in the turn of a prompt.
func (w *whole) acts(prompt session.PromptID) func(session.Event) bool {
	return func(e session.Event) bool {
		if e.Header().Turn != session.TurnID(prompt) {
			return false
		}
		switch e.(type) {
		case session.PartDelta, session.ToolReady:
			return true
		}
		return false
	}
}

// sleeps reports whether a long command runs.
func (w *whole) sleeps() bool {
	return slices.ContainsFunc(w.processes(), func(line string) bool { return strings.HasPrefix(line, "sleep 600") })
}

// rests waits until nothing runs.
func (w *whole) rests() {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := w.s.Wait(ctx); err != nil {
		w.t.Fatal(err)
	}
}

func (w *whole) eventually(what string, is func() bool) {
	w.t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if is() {
			return
		}
	}
	w.t.Fatalf("waited in vain for %s", what)
}

func (w *whole) steer() {
	w.answers(always(yes))
	id := w.send("short command")
	w.until("answer", func(e session.Event) bool {
		s, ok := e.(session.Settled)
		return ok && s.How == session.SettledAnswered
	})
	steered := w.steers("and mind this")
	if err := os.WriteFile(filepath.Join(w.dir, "go"), nil, 0o600); err != nil { // for which the command waits
		w.t.Fatal(err)
	}
	if end := w.ends(id); end.Outcome != session.TurnCompleted {
		w.t.Errorf("%+v", end)
	}
	e := w.until("steered", func(e session.Event) bool { s, ok := e.(session.Steered); return ok && s.Prompt == steered })
	if e.Header().Turn != session.TurnID(id) {
		w.t.Errorf("steered into %q", e.Header().Turn)
	}
	w.request("and mind this")
	w.completes("hello", "You said: hello")
}

// steers writes a prompt into the running turn, and returns when the runtime has read it.
func (w *whole) steers(text string) session.PromptID {
	w.t.Helper()
	id, err := w.s.Steer(session.Prompt{Text: text})
	if err != nil {
		w.t.Fatal(err)
	}
	w.eventually("the prompt to be written", func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		taken, done := w.offered[id]
		if done && !taken {
			w.t.Fatal("the prompt was not taken")
		}
		return done
	})
	w.mcpStatus() // the answer to what was written later proves it
	return id
}

// steerLate steers into a turn that makes no further request: the prompt gets a turn of its own.
func (w *whole) steerLate() {
	id := w.send("wait for me")
	w.until("word", w.begun(id))
	steered := w.steers("hello late")
	w.sim.Release("late")
	if end := w.ends(id); end.Outcome != session.TurnCompleted {
		w.t.Errorf("%+v", end)
	}
	if end := w.ends(steered); end.Outcome != session.TurnCompleted {
		w.t.Errorf("%+v", end)
	}
	started := w.until("turn", func(e session.Event) bool {
		s, ok := e.(session.TurnStarted)
		return ok && s.Turn == session.TurnID(steered)
	})
	if s := started.(session.TurnStarted); s.Origin != session.OriginSteer || s.Prompt.Text != "hello late" {
		w.t.Errorf("%+v", s)
	}
	if got := w.wrote(session.TurnID(id)); !strings.HasSuffix(got, "at last.") {
		w.t.Errorf("the turn was cut off: %q", got)
	}
	w.completes("hello", "You said: hello")
}

func (w *whole) queue() {
	var ids []session.PromptID
	for _, text := range []string{"hello 1", "hello 2", "hello 3"} {
		ids = append(ids, w.send(text))
	}
	for i, id := range ids {
		if end := w.ends(id); end.Outcome != session.TurnCompleted {
			w.t.Errorf("%+v", end)
		}
		if got := w.wrote(session.TurnID(id)); !strings.Contains(got, fmt.Sprintf("hello %d", i+1)) {
			w.t.Errorf("turn %d: %q", i+1, got)
		}
	}
}
