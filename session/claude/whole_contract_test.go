//go:build contract

package claude

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/copilot"
	"parley/copilot/login"
	"parley/copilot/sim"
	"parley/copilot/sim/script"
	"parley/proxy"
	"parley/session"
	"parley/session/claude/driver"
	"parley/session/live"
	"parley/session/proc"
	"parley/session/sessiontest"
)

// whole is the program but for the screen: a manager with the agent, on a real runtime, a proxy and a strict simulation.
type whole struct {
	t       *testing.T
	sim     *sim.Server
	server  *proxy.Server
	agent   *Agent
	m       *live.Manager
	journal *sessiontest.MemoryJournals
	group   *proc.Group
	home    string
	dir     string
	s       *live.Session

	mu     sync.Mutex
	events []session.Event
	heard  chan struct{}
	answer func(a session.Asked) (session.Answer, bool)
	conv   *conversation // the newest
	tools  []session.ClientTool
	// offered are the steered prompts, true once they were sent.
	offered map[session.PromptID]bool
}

// patience is how long something may take that takes moments, on a slow machine that does other things too.
const patience = 3 * time.Minute

// opener is the agent, and takes note of what it opens.
type opener struct {
	*Agent
	w *whole
}

func (o *opener) Open(ctx context.Context, options session.OpenOptions) (session.Conversation, error) {
	options.Tools = o.w.tools
	conv, err := o.Agent.Open(ctx, options)
	if err != nil {
		return nil, err
	}
	o.w.mu.Lock()
	defer o.w.mu.Unlock()
	o.w.conv = conv.(*conversation)
	return &steered{o.w.conv, o.w}, nil
}

// steered is a conversation, and takes note of what was written into its turns.
type steered struct {
	*conversation
	w *whole
}

func (s *steered) Steer(ctx context.Context, p session.Prompt) (bool, error) {
	taken, err := s.conversation.Steer(ctx, p)
	s.w.mu.Lock()
	defer s.w.mu.Unlock()
	s.w.offered[p.ID] = taken && err == nil
	return taken, err
}

type proxyEndpoints struct{ *proxy.Server }

func (e proxyEndpoints) Open(_ context.Context, id session.ID) (session.Endpoint, error) {
	bearer, err := e.Server.Open(string(id), proxy.WithMarker())
	return session.Endpoint{BaseURL: e.URL(), Bearer: bearer}, err
}
func (e proxyEndpoints) Close(id session.ID) { e.Revoke(string(id)) }

// contractModels are the models of the simulated login that these tests use.
var contractModels = []session.Model{
	{ID: "claude-sonnet-4.6", Default: true, Efforts: []string{"low", "medium", "high"}},
	{ID: "claude-opus-4.6", Efforts: []string{"low", "medium", "high"}},
	{ID: "claude-opus-4.8", Efforts: []string{"low", "medium", "high", "xhigh", "max"}},
	{ID: "claude-haiku-4.5"},
}

// newWhole starts the program with a runtime. Options change those of its agent.
func newWhole(t *testing.T, argv []string, options ...func(*Options)) *whole {
	t.Helper()
	return newWholeFalling(t, argv, nil, options...)
}

// newWholeFalling is newWhole with a proxy that has fallback models.
func newWholeFalling(t *testing.T, argv []string, fallback []string, options ...func(*Options)) *whole {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "agent.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	rules, err := script.Parse(strings.NewReader(string(data)), "agent.yaml")
	if err != nil {
		t.Fatal(err)
	}
	w := &whole{t: t, home: t.TempDir(), heard: make(chan struct{}), offered: map[session.PromptID]bool{}}
	w.dir = filepath.Join(w.home, "project")
	if err := os.MkdirAll(w.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.dir, "hello.txt"), []byte("one\ntwo\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if w.sim, err = sim.Start(sim.Options{Script: rules, Strict: true}); err != nil {
		t.Fatal(err)
	}
	client, err := copilot.New(copilot.Options{
		Credential:    login.Credential{Token: login.NewSecret(w.sim.Token()), Source: "test", Host: "github.com"},
		CopilotAPIURL: w.sim.CopilotURL(),
	})
	if err != nil {
		t.Fatal(err)
	}
	if w.server, err = proxy.Start(proxy.Options{Upstream: client, Fallback: fallback, FellBack: func(f proxy.Fallback) {
		w.m.Notify(session.ID(f.Session), session.Warning, f.Used+" for "+f.Wanted)
	}}); err != nil {
		t.Fatal(err)
	}
	w.group = proc.New(proc.Options{})
	o := Options{
		Runtime: func(context.Context) (Program, error) { return Program{Argv: argv}, nil },
		Models:  func(context.Context) ([]session.Model, error) { return contractModels, nil },
		Home:    w.home, Processes: w.group, ManagedSettings: func() bool { return false },
		Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + w.home, "LANG=C.UTF-8", "SHELL=/bin/sh", "TMPDIR=" + w.home, "IS_SANDBOX=1",
			"CLAUDE_CODE_MAX_RETRIES=0"},
		Spent:  func(id session.ID) int64 { return w.server.Spent(string(id)).NanoAIU },
		Settle: func(ctx context.Context, id session.ID) { _ = w.server.Settled(ctx, string(id)) },
		// What is tested is how things end by themselves.
		Grace: patience, Limits: driver.Limits{Handshake: patience, Control: patience, Interrupt: patience, Drain: patience, Terminate: patience},
	}
	for _, change := range options {
		change(&o)
	}
	w.agent = New(o)
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
			t.Logf("events: %s", outlineOf(w.all()))
		}
	})
	if w.s, err = w.m.Draft(live.DraftOptions{Agent: "claude", Dir: w.dir, Settings: session.Settings{Mode: session.ModeDefault}}); err != nil {
		t.Fatal(err)
	}
	w.watch()
	return w
}

func (w *whole) manage() {
	w.m = live.NewManager(live.Deps{Agents: []session.Agent{&opener{w.agent, w}}, Journals: w.journal, Endpoints: proxyEndpoints{w.server}, Grace: patience})
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
	timeout := time.After(patience)
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
			w.t.Fatalf("no %s; events: %s", what, outlineOf(w.all()))
		}
	}
}

// ask sends a prompt and returns the end of its turn and what the agent wrote in it.
func (w *whole) ask(text string, more ...session.Attachment) (session.TurnEnded, string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	ended, err := w.s.Ask(ctx, session.Prompt{Text: text, Attachments: more})
	if err != nil {
		w.t.Fatalf("%s: %v; events: %s", text, err, outlineOf(w.all()))
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

// engine is the runtime that runs the session.
func (w *whole) engine() *engine {
	w.t.Helper()
	w.mu.Lock()
	c := w.conv
	w.mu.Unlock()
	c.Mu.Lock()
	defer c.Mu.Unlock()
	if c.Link == nil {
		w.t.Fatal("no runtime runs")
	}
	return c.Link
}

// runtime is its process.
func (w *whole) runtime() int {
	w.t.Helper()
	return w.engine().p.(*driver.Process).Pid()
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
