//go:build contract

package claude

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"parley/copilot"
	"parley/copilot/copilottest"
	"parley/proxy"
	"parley/session"
	"parley/session/claude/driver"
	"parley/session/proc"
	"parley/session/runtimes/runtimestest"
	"parley/session/sessiontest"
)

// whole is the program but for the screen: a manager with the agent, on a real runtime, a proxy and a strict simulation.
type whole struct {
	t       *testing.T
	sim     *copilottest.Server
	server  *proxy.Server
	agent   *Agent
	m       *session.Manager
	journal *sessiontest.MemoryJournals
	group   *proc.Group
	home    string
	dir     string
	s       *session.Session

	mu     sync.Mutex
	events []session.Event
	heard  chan struct{}
	answer func(a session.Asked) (session.Answer, bool)
	conv   *conversation // the newest
}

// opener is the agent, and takes note of what it opens.
type opener struct {
	*Agent
	w *whole
}

func (o *opener) Open(ctx context.Context, options session.OpenOptions) (session.Conversation, error) {
	conv, err := o.Agent.Open(ctx, options)
	if err == nil {
		o.w.mu.Lock()
		o.w.conv = conv.(*conversation)
		o.w.mu.Unlock()
	}
	return conv, err
}

type proxyEndpoints struct{ *proxy.Server }

func (e proxyEndpoints) Open(_ context.Context, id session.ID) (session.Endpoint, error) {
	bearer, err := e.Server.Open(string(id), proxy.WithMarker())
	return session.Endpoint{BaseURL: e.URL(), Bearer: bearer}, err
}
func (e proxyEndpoints) Close(id session.ID) { e.Revoke(string(id)) }

// contractModels are what the simulated login offers, as far as these tests use it.
var contractModels = []session.Model{
	{ID: "claude-sonnet-4.6", Default: true, Efforts: []string{"low", "medium", "high"}},
	{ID: "claude-opus-4.6", Efforts: []string{"low", "medium", "high"}},
	{ID: "claude-haiku-4.5"},
}

func newWhole(t *testing.T, argv []string) *whole {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "agent.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	script, err := copilottest.ParseScript(strings.NewReader(string(data)), "agent.yaml")
	if err != nil {
		t.Fatal(err)
	}
	w := &whole{t: t, home: t.TempDir(), heard: make(chan struct{})}
	w.dir = filepath.Join(w.home, "project")
	if err := os.MkdirAll(w.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.dir, "hello.txt"), []byte("one\ntwo\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if w.sim, err = copilottest.Start(copilottest.Options{Script: script, Strict: true}); err != nil {
		t.Fatal(err)
	}
	client, err := copilot.New(copilot.Options{
		Credential:    copilot.Credential{Token: copilot.NewSecret(w.sim.Token()), Source: "test", Host: "github.com"},
		CopilotAPIURL: w.sim.CopilotURL(),
	})
	if err != nil {
		t.Fatal(err)
	}
	if w.server, err = proxy.Start(proxy.Options{Upstream: client}); err != nil {
		t.Fatal(err)
	}
	w.group = proc.New(proc.Options{})
	w.agent = New(Options{
		Runtime: func(context.Context) (Program, error) { return Program{Argv: argv}, nil },
		Models:  func(context.Context) ([]session.Model, error) { return contractModels, nil },
		Home:    w.home, Processes: w.group,
		Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + w.home, "LANG=C.UTF-8", "SHELL=/bin/sh", "TMPDIR=" + w.home, "IS_SANDBOX=1",
			"CLAUDE_CODE_MAX_RETRIES=0"},
		Spent: func(id session.ID) int64 { return w.server.Spent(string(id)).NanoAIU },
	})
	w.journal = sessiontest.Journals()
	w.manage()
	t.Cleanup(func() {
		if err := w.m.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if err := w.group.Close(); err != nil {
			t.Error(err)
		}
		if left := w.processes(); len(left) > 0 {
			t.Errorf("processes are left: %q", left)
		}
		w.server.Close(context.Background())
		client.Close()
		w.sim.Close()
		if t.Failed() {
			for _, r := range w.sim.Requests() {
				t.Logf("upstream saw %s %s: %d", r.Method, r.Path, r.Status)
			}
			t.Logf("events: %s", strings.Join(outline(w.all()), " "))
		}
	})
	if w.s, err = w.m.Draft(session.DraftOptions{Agent: "claude", Dir: w.dir, Settings: session.Settings{Mode: session.ModeDefault}}); err != nil {
		t.Fatal(err)
	}
	w.watch()
	return w
}

func (w *whole) manage() {
	w.m = session.NewManager(session.Deps{Agents: []session.Agent{&opener{w.agent, w}}, Journals: w.journal, Endpoints: proxyEndpoints{w.server}})
}

// processes are the command lines of living processes that work in this test's directory.
func (w *whole) processes() []string {
	var left []string
	for _, pid := range pidsIn(w.home) {
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err == nil {
			left = append(left, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return left
}

// pidsIn are the processes whose working directory is below dir.
func pidsIn(dir string) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var pids []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if cwd, err := os.Readlink(filepath.Join("/proc", e.Name(), "cwd")); err == nil && strings.HasPrefix(cwd, dir) {
			pids = append(pids, pid)
		}
	}
	return pids
}

func (w *whole) watch() {
	w.mu.Lock()
	w.events = nil
	w.mu.Unlock()
	w.s.Attach(w.hear)
}

func (w *whole) hear(e session.Event) {
	w.mu.Lock()
	w.events = append(w.events, e)
	close(w.heard)
	w.heard = make(chan struct{})
	answer := w.answer
	w.mu.Unlock()
	if a, ok := e.(session.Asked); ok && answer != nil {
		if reply, ok := answer(a); ok {
			go w.s.Answer(a.Ask, reply)
		}
	}
}

func (w *whole) all() []session.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.events)
}

// answers makes f answer what is asked from now on.
func (w *whole) answers(f func(a session.Asked) (session.Answer, bool)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answer = f
}

// until waits for an event.
func (w *whole) until(what string, is func(e session.Event) bool) session.Event {
	w.t.Helper()
	timeout := time.After(time.Minute)
	seen := 0
	for {
		w.mu.Lock()
		events, heard := w.events[seen:], w.heard
		w.mu.Unlock()
		for _, e := range events {
			if is(e) {
				return e
			}
		}
		seen += len(events)
		select {
		case <-heard:
		case <-timeout:
			w.t.Fatalf("no %s; events: %s", what, strings.Join(outline(w.all()), " "))
		}
	}
}

// ask sends a prompt and returns the end of its turn and what the agent wrote in it.
func (w *whole) ask(text string, more ...session.Attachment) (session.TurnEnded, string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	ended, err := w.s.Ask(ctx, session.Prompt{Text: text, Attachments: more})
	if err != nil {
		w.t.Fatalf("%s: %v; events: %s", text, err, strings.Join(outline(w.all()), " "))
	}
	return ended, w.wrote(ended.Turn)
}

func (w *whole) completes(text, want string, more ...session.Attachment) {
	w.t.Helper()
	ended, got := w.ask(text, more...)
	if ended.Outcome != session.TurnCompleted || !strings.Contains(got, want) {
		w.t.Fatalf("%s: %s, %q; want %q in it; problem %+v", text, ended.Outcome, got, want, ended.Problem)
	}
}

// wrote is the text of a turn.
func (w *whole) wrote(turn session.TurnID) string {
	t := &session.Transcript{}
	for _, e := range w.all() {
		t.Apply(e)
	}
	var out strings.Builder
	for _, u := range t.Turns {
		if u.ID != turn {
			continue
		}
		for _, entry := range u.Entries {
			if p, ok := entry.(*session.Part); ok && p.Kind == session.PartText {
				out.WriteString(p.Text())
			}
		}
	}
	return out.String()
}

func (w *whole) begun(prompt session.PromptID) func(session.Event) bool {
	return func(e session.Event) bool {
		d, ok := e.(session.PartDelta)
		return ok && d.Turn == session.TurnID(prompt)
	}
}

// runtime is the process that runs the session.
func (w *whole) runtime() int {
	w.t.Helper()
	w.mu.Lock()
	c := w.conv
	w.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rt == nil {
		w.t.Fatal("no runtime runs")
	}
	return c.rt.p.(*driver.Process).Pid()
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
	// What is allowed for the session is neither asked again nor written into the repository.
	w.answers(always(session.Answer{Decision: session.Allow, Scope: session.ScopeSession}))
	w.completes("run it", "made it")
	w.answers(func(a session.Asked) (session.Answer, bool) {
		w.t.Errorf("asked again: %+v", a.Permission)
		return yes, true
	})
	w.completes("run it", "made it")
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
	w.completes("ask me", messageUnanswered[:30])
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
	w.answers(always(yes))
	w.completes("edit the file", "updated")
	got, err := os.ReadFile(filepath.Join(w.dir, "hello.txt"))
	if err != nil || string(got) != "uno\ntwo\n" {
		w.t.Errorf("%q %v", got, err)
	}
	for _, e := range w.all() {
		if a, ok := e.(session.Asked); ok && (a.Permission == nil || a.Permission.Path == "" || len(a.Permission.Rules) != 1) {
			w.t.Errorf("asked %+v", a)
		}
	}
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
		id := w.send("slow")
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
	id := w.send("slow")
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
	w.eventually("the command to run", func() bool {
		return slices.ContainsFunc(w.processes(), func(line string) bool { return strings.HasPrefix(line, "sleep 60") })
	})
	w.s.Abort()
	if end := w.ends(id); end.Outcome != session.TurnCancelled {
		w.t.Errorf("%+v", end)
	}
	w.eventually("the command to be gone", func() bool {
		return !slices.ContainsFunc(w.processes(), func(line string) bool { return strings.HasPrefix(line, "sleep 60") })
	})
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

// rests waits until nothing runs.
func (w *whole) rests() {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := w.s.Wait(ctx); err != nil {
		w.t.Fatal(err)
	}
}

func (w *whole) eventually(what string, is func() bool) {
	w.t.Helper()
	for range 600 {
		if is() {
			return
		}
		time.Sleep(50 * time.Millisecond)
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
	steered, err := w.s.Steer(session.Prompt{Text: "and mind this"})
	if err != nil {
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

// steerLate steers into a turn that makes no further request: the prompt gets a turn of its own.
func (w *whole) steerLate() {
	id := w.send("slow")
	w.until("word", w.begun(id))
	steered, err := w.s.Steer(session.Prompt{Text: "hello late"})
	if err != nil {
		w.t.Fatal(err)
	}
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
	if got := w.wrote(session.TurnID(id)); !strings.HasSuffix(got, "word.") {
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
	for _, e := range w.all() {
		if n, ok := e.(session.Notice); ok {
			w.t.Errorf("%+v", n)
		}
	}
}

// told is what the living process knows of the settings.
func (w *whole) told() session.Settings {
	w.mu.Lock()
	c := w.conv
	w.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rt == nil {
		return session.Settings{}
	}
	return c.rt.told
}

func (w *whole) crash() {
	w.completes("hello", "hello")
	// What a runtime says is in its file some moments later; killed before that, it has forgotten it.
	w.eventually("the first turn on disk", func() bool { return w.stored("You said: hello") })
	id := w.send("slow")
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
	id := w.send("slow")
	w.until("word", w.begun(id))
	if err := syscall.Kill(w.runtime(), syscall.SIGKILL); err != nil {
		w.t.Fatal(err)
	}
	w.ends(id)
	w.completes("hello again", "hello again")
}

func (w *whole) resume() {
	w.completes("hello first", "hello first")
	id := w.s.ID()
	if err := w.m.Close(context.Background()); err != nil {
		w.t.Fatal(err)
	}
	// Plain Claude Code goes on with the session, and parley with what that has made of it.
	bearer, err := w.server.Open("plain")
	if err != nil {
		w.t.Fatal(err)
	}
	program, _ := w.agent.o.Runtime(context.Background())
	cmd := exec.Command(program.Argv[0], append(program.Argv[1:], "-p", "--resume", string(id), "--model", "claude-sonnet-4-6", "hello plain")...)
	cmd.Dir = w.dir
	cmd.Env = append(slices.Clone(w.agent.o.Environ), "ANTHROPIC_BASE_URL="+w.server.URL(), "ANTHROPIC_AUTH_TOKEN="+bearer,
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "hello plain") {
		w.t.Fatalf("plain: %v: %s", err, out)
	}
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
	pid := w.agent.warm.got.p.(*driver.Process).Pid()
	w.agent.mu.Unlock()
	if !w.s.Draft() || w.journal.Count() != 0 {
		w.t.Error("it is announced")
	}
	w.completes("hello", "hello")
	if w.runtime() != pid {
		w.t.Error("what was warm was not taken")
	}
	// Thrown away when an option changes.
	s, err := w.m.Draft(session.DraftOptions{Agent: "claude", Dir: w.dir})
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
		return w.got != nil
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
