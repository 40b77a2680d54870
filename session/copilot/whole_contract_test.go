//go:build contract && unix

package copilot

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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
	"parley/session/copilot/driver"
	"parley/session/live"
	"parley/session/proc"
	"parley/session/sessiontest"
)

// whole is the program but for the screen: a manager with the agent, on a real runtime and a strict simulation of Copilot.
type whole struct {
	t       *testing.T
	sim     *sim.Server
	server  *proxy.Server
	argv    []string
	direct  bool
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
}

// patience is how long something may take that takes moments, on a slow machine that does other things too.
const patience = 2 * time.Minute

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
	return conv, nil
}

type proxyEndpoints struct{ *proxy.Server }

func (e proxyEndpoints) Open(_ context.Context, id session.ID) (session.Endpoint, error) {
	bearer, err := e.Server.Open(string(id))
	return session.Endpoint{BaseURL: e.URL(), Bearer: bearer}, err
}
func (e proxyEndpoints) Close(id session.ID) { e.Revoke(string(id)) }

// contractModels are the models of the simulated login that these tests use.
var contractModels = []session.Model{
	{ID: "claude-sonnet-4.6", Default: true, ContextWindow: 200_000, Efforts: []string{"low", "medium", "high"}},
	{ID: "claude-opus-4.6", ContextWindow: 200_000, Efforts: []string{"low", "medium", "high"}},
	{ID: "claude-haiku-4.5", ContextWindow: 200_000},
}

func newWhole(t *testing.T, argv []string, direct bool) *whole {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "agent.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	rules, err := script.Parse(strings.NewReader(string(data)), "agent.yaml")
	if err != nil {
		t.Fatal(err)
	}
	w := &whole{t: t, argv: argv, direct: direct, home: t.TempDir(), heard: make(chan struct{}), journal: sessiontest.Journals()}
	w.dir = filepath.Join(w.home, "project")
	if err := os.MkdirAll(w.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if w.sim, err = sim.Start(sim.Options{Script: rules}); err != nil {
		t.Fatal(err)
	}
	client, err := copilot.New(copilot.Options{
		Credential:    login.Credential{Token: login.NewSecret(w.sim.Token()), Source: "test", Host: "github.com"},
		CopilotAPIURL: w.sim.CopilotURL(),
	})
	if err != nil {
		t.Fatal(err)
	}
	if w.server, err = proxy.Start(proxy.Options{Upstream: client}); err != nil {
		t.Fatal(err)
	}
	w.start()
	t.Cleanup(func() {
		w.end()
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
	if w.s, err = w.m.Draft(live.DraftOptions{Agent: "copilot", Dir: w.dir, Settings: session.Settings{Mode: session.ModeDefault}}); err != nil {
		t.Fatal(err)
	}
	w.watch()
	return w
}

// start starts the program.
func (w *whole) start() {
	w.group = proc.New(proc.Options{})
	o := Options{
		Runtime: func(context.Context) (Program, error) { return Program{Argv: w.argv}, nil },
		Models:  func(context.Context) ([]session.Model, error) { return contractModels, nil },
		Home:    filepath.Join(w.home, ".copilot"), UserHome: w.home, Processes: w.group,
		Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + w.home, "LANG=C.UTF-8", "SHELL=/bin/sh", "TMPDIR=" + w.home,
			"COPILOT_CACHE_HOME=" + os.Getenv("COPILOT_CACHE_HOME")},
		Customs: contractCustoms,
		Spent:   func(id session.ID) int64 { return w.server.Spent(string(id)).NanoAIU },
		Grace:   patience, // what is tested is how things end by themselves
		Limits:  driver.Limits{Handshake: patience},
	}
	if w.direct {
		o.Token = func(context.Context) (string, error) { return w.sim.Token(), nil }
		o.APIURL, o.GitHubURL = w.sim.CopilotURL(), w.sim.GitHubURL()
	}
	w.agent = New(o)
	w.m = live.NewManager(live.Deps{Agents: []session.Agent{&opener{w.agent, w}}, Journals: w.journal, Endpoints: proxyEndpoints{w.server}, Grace: patience})
}

// end ends the program.
func (w *whole) end() {
	if err := w.m.Close(context.Background()); err != nil {
		w.t.Error(err)
	}
	if err := w.agent.Close(context.Background()); err != nil {
		w.t.Error(err)
	}
	if err := w.group.Close(); err != nil {
		w.t.Error(err)
	}
}

// watch records the events of the session, beginning with its history.
func (w *whole) watch() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events, _ = w.s.Attach(w.hear)
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

// allows makes every ask be allowed once.
func (w *whole) allows() {
	w.answers(func(session.Asked) (session.Answer, bool) {
		return session.Answer{Decision: session.Allow, Scope: session.ScopeOnce}, true
	})
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
			w.t.Fatalf("no %s; events: %s", what, strings.Join(outline(w.all()), " "))
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

func (w *whole) transcript() *session.Transcript {
	t := &session.Transcript{}
	for _, e := range w.all() {
		t.Apply(e)
	}
	return t
}

// wrote is the text of a turn at the top level.
func (w *whole) wrote(turn session.TurnID) string {
	var out strings.Builder
	for _, u := range w.transcript().Turns {
		if u.ID != turn {
			continue
		}
		for _, entry := range u.Entries {
			if p, ok := entry.(*session.Part); ok && p.Kind == session.PartText && p.Child == "" {
				out.WriteString(p.Text())
			}
		}
	}
	return out.String()
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

func (w *whole) begun(prompt session.PromptID) func(session.Event) bool {
	return func(e session.Event) bool {
		d, ok := e.(session.PartDelta)
		return ok && d.Turn == session.TurnID(prompt)
	}
}

// client is the process that runs the session.
func (w *whole) client() *driver.Client {
	w.t.Helper()
	w.mu.Lock()
	c := w.conv
	w.mu.Unlock()
	c.Mu.Lock()
	defer c.Mu.Unlock()
	if c.Link == nil {
		w.t.Fatal("no runtime runs")
	}
	return c.Link.client
}

// eventually waits for a condition of the disk or the service.
func (w *whole) eventually(what string, is func() bool) {
	w.t.Helper()
	for end := time.Now().Add(patience); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("no %s", what)
		}
	}
}

// outline names the events in order, with repeated ones once, so that chunking and timing do not matter.
func outline(events []session.Event) []string {
	var names []string
	for _, e := range events {
		name := session.EventType(e)
		switch e := e.(type) {
		case session.ToolEnded:
			name += ":" + string(e.Outcome)
		case session.TurnEnded:
			name += ":" + string(e.Outcome)
		case session.Asked:
			name += ":" + string(e.Kind)
		case session.Notice:
			name += fmt.Sprintf(":%q", e.Text)
		}
		if len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	return names
}
