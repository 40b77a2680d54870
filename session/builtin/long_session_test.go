package builtin_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/copilot"
	"parley/copilot/login"
	"parley/copilot/sim"
	"parley/copilot/sim/script"
	"parley/internal/repeat"
	"parley/proxy"
	"parley/session"
	"parley/session/builtin"
	"parley/session/live"
	"parley/session/store"
)

// longScript answers the prompts of a long session: each kind of turn, in children and beside them.
const longScript = `
rules:
  - name: summary
    when: {note: about to be shortened}
    reply: "The user works on parts of a small program. {{last_user}} Files: a.txt, b.txt. Next: go on with the next turn."
  - name: done
    when: {result: true}
    reply:
      - think: "The result is there."
      - filler: {tokens: 60}
  - name: child
    when: {prompt: '/^look into (\S+) for turn \d+/'}
    reply:
      - tool: Read
        input: {file_path: "{{1}}"}
  - name: read
    when: {prompt: '/^turn \d+: read (\S+)/'}
    reply:
      - text: "I read {{1}}."
      - tool: Read
        input: {file_path: "{{1}}"}
  - name: several
    when: {prompt: '/^turn \d+: several/'}
    reply:
      - think: "Several at once."
      - tool: Read
        input: {file_path: a.txt}
      - tool: Grep
        input: {pattern: "line 7", output_mode: content}
      - tool: Glob
        input: {pattern: "**/*.txt"}
  - name: many
    when: {prompt: '/^turn \d+: many/'}
    reply:
      - {tool: Glob, input: {pattern: "*.a"}}
      - {tool: Glob, input: {pattern: "*.b"}}
      - {tool: Glob, input: {pattern: "*.c"}}
      - {tool: Glob, input: {pattern: "*.d"}}
      - {tool: Glob, input: {pattern: "*.e"}}
      - {tool: Glob, input: {pattern: "*.f"}}
      - {tool: Glob, input: {pattern: "*.g"}}
      - {tool: Glob, input: {pattern: "*.h"}}
      - {tool: Glob, input: {pattern: "*.i"}}
      - {tool: Glob, input: {pattern: "*.j"}}
      - {tool: Glob, input: {pattern: "*.k"}}
      - {tool: Glob, input: {pattern: "*.l"}}
  - name: run
    when: {prompt: '/^turn (\d+): run/'}
    reply:
      - tool: Bash
        input: {command: "seq 1 300; echo turn {{1}}"}
  - name: write
    when: {prompt: '/^turn (\d+): write/'}
    reply:
      - tool: Write
        input: {file_path: "out/{{1}}.txt", content: "written in turn {{1}}\n"}
  - name: patch
    when: {prompt: '/^turn (\d+): patch/', offers: apply_patch}
    reply:
      - tool: apply_patch
        input: {input: "*** Begin Patch\n*** Add File: out/p{{1}}.txt\n+patched in turn {{1}}\n*** Add File: out/q{{1}}.txt\n+too\n*** End Patch"}
  - name: edits
    when: {prompt: '/^turn (\d+): patch/', offers: MultiEdit}
    reply:
      - tool: MultiEdit
        input: {file_path: a.txt, edits: [{old_string: "line 3 of a", new_string: "line 3 (turn {{1}}) of a"}, {old_string: "line 3 (turn {{1}}) of a", new_string: "line 3 of a"}, {old_string: "a.txt\nline 5 ", new_string: "a.txt\nline 5  "}, {old_string: "line 5  ", new_string: "line 5 "}]}
  - name: todo
    when: {prompt: '/^turn (\d+): todo/', offers: TodoWrite}
    reply:
      - tool: TodoWrite
        input: {todos: [{content: "finish turn {{1}}", status: in_progress, activeForm: "finishing turn {{1}}"}, {content: "the next one", status: pending, activeForm: "doing the next one"}]}
  - name: children
    when: {prompt: '/^turn (\d+): children/', offers: Task}
    reply:
      - {tool: Task, input: {description: "look into a", prompt: "look into a.txt for turn {{1}}", subagent_type: explore}}
      - {tool: Task, input: {description: "look into b", prompt: "look into b.txt for turn {{1}}", subagent_type: explore}}
  - name: think
    when: {prompt: '/^turn \d+: think/'}
    reply:
      - think: "A long thought about the turn, with its reasons and what follows from them."
      - filler: {tokens: 200}
  - name: say
    reply:
      - filler: {tokens: 120}
`

// longKinds are the kinds of turns of the long session, in order.
var longKinds = []string{"say", "read a.txt", "several", "image", "todo", "run", "children", "think", "write", "read b.txt", "many", "read shot.png", "patch"}

// longModels are one model for each protocol of the service, with windows that fill soon.
func longModels() (service []sim.Model, models []session.Model) {
	for _, m := range sim.DefaultModels() {
		switch m.ID {
		case "claude-sonnet-4.6", "gpt-5.4", "gemini-3-pro":
			m.Context, m.Prompt, m.Output = 28000, 22000, 4000
			service = append(service, m)
			models = append(models, session.Model{ID: m.ID, Name: m.Name, ContextWindow: 28000, MaxPrompt: 22000, MaxOutput: 4000, Vision: true,
				AdaptiveThinking: m.Adaptive, MinThinking: int64(m.MinBudget), MaxThinking: int64(m.MaxBudget), Efforts: m.Efforts, Default: m.Adaptive})
		}
	}
	return service, models
}

// spy passes requests on to the service and counts them.
type spy struct {
	mu       sync.Mutex
	requests map[string]int // by path
	refused  []string
	largest  int // body in bytes
}

func (s *spy) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err == nil && r.Method == http.MethodPost {
		s.note(r.URL.Path, body, answer)
	}
	return answer, err
}

func (s *spy) note(path string, body []byte, answer *http.Response) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests[path]++
	s.largest = max(s.largest, len(body))
	if answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(answer.Body)
		answer.Body = io.NopCloser(bytes.NewReader(text))
		s.refused = append(s.refused, fmt.Sprintf("%s %d: %.300s", path, answer.StatusCode, text))
	}
}

// bench of the long session: the service, the proxy and a manager on a disk.
type longRun struct {
	t       *testing.T
	sim     *sim.Server
	spy     *spy
	server  *proxy.Server
	models  []session.Model
	dir     string
	data    string
	manager *live.Manager
	conv    *live.Session
	usage   map[string]session.Usage // by model
	compact int
	// children counts their ends, calls those of tools by outcome.
	children int
	calls    map[string]int
	outcome  map[session.TurnOutcome]int
	problem  []string
	mu       sync.Mutex
}

// Open and Close implement [session.Endpoints].
func (l *longRun) Open(_ context.Context, id session.ID) (session.Endpoint, error) {
	bearer, err := l.server.Open(string(id))
	return session.Endpoint{BaseURL: l.server.URL(), Bearer: bearer}, err
}

func (l *longRun) Close(id session.ID) { l.server.Revoke(string(id)) }

func newLongRun(t *testing.T) *longRun { return newLongRunOf(t, longScript, 1) }

// newLongRunOf returns a run with a service that follows a script and keeps so many bytes of requests.
func newLongRunOf(t *testing.T, lines string, keep int) *longRun {
	sc, err := script.Parse(strings.NewReader(lines), "long.yaml")
	if err != nil {
		t.Fatal(err)
	}
	l := &longRun{t: t, spy: &spy{requests: map[string]int{}}, usage: map[string]session.Usage{}, outcome: map[session.TurnOutcome]int{}, calls: map[string]int{},
		data: t.TempDir()}
	var service []sim.Model
	service, l.models = longModels()
	if l.sim, err = sim.Start(sim.Options{Script: sc, Models: service, Strict: true, Clock: &hurry{}, KeepBytes: keep}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.sim.Close() })
	client, err := copilot.New(copilot.Options{Credential: login.Credential{Token: login.NewSecret(l.sim.Token()), Host: "github.com"},
		GitHubAPIURL: l.sim.GitHubURL(), HTTP: &http.Client{Transport: l.spy}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	if l.server, err = proxy.Start(proxy.Options{Upstream: client}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = l.server.Close(ctx)
	})
	if l.dir, err = filepath.EvalSymlinks(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.txt", "b.txt"} {
		var text strings.Builder
		for i := range 60 {
			fmt.Fprintf(&text, "line %d of %s\n", i, name)
		}
		if err := os.WriteFile(filepath.Join(l.dir, name), []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(l.dir, "shot.png"), picture(77), 0o600); err != nil {
		t.Fatal(err)
	}
	return l
}

// open opens the session: a new one for an empty id.
func (l *longRun) open(id session.ID) {
	l.t.Helper()
	agent := builtin.New(builtin.Options{Models: func(context.Context) ([]session.Model, error) { return l.models, nil }, OutputDir: filepath.Join(l.data, "out")})
	l.manager = live.NewManager(live.Deps{Agents: []session.Agent{agent}, Endpoints: l,
		Journals: store.New(store.Options{Dir: filepath.Join(l.data, "sessions"), LockDir: filepath.Join(l.data, "locks")})})
	var err error
	if id == "" {
		l.conv, err = l.manager.Draft(live.DraftOptions{Dir: l.dir, Settings: session.Settings{Model: l.models[0].ID, Mode: session.ModeBypass}})
	} else {
		l.conv, err = l.manager.Resume(context.Background(), id)
	}
	if err != nil {
		l.t.Fatal(err)
	}
	l.conv.Attach(l.see)
}

func (l *longRun) see(e session.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch e := e.(type) {
	case session.UsageReported:
		l.usage[e.Model] = l.usage[e.Model].Add(e.Usage)
	case session.Compacted:
		l.compact++
	case session.ChildEnded:
		l.children++
	case session.ToolEnded:
		l.calls[string(e.Outcome)]++
		if e.Outcome != session.ToolOK && len(l.problem) < 5 {
			l.problem = append(l.problem, fmt.Sprintf("%s: %s", e.Call, e.Result.Text))
		}
	case session.TurnEnded:
		l.outcome[e.Outcome]++
		if e.Outcome != session.TurnCompleted && len(l.problem) < 5 {
			l.problem = append(l.problem, fmt.Sprintf("%s %s: %+v", e.Turn, e.Outcome, e.Problem))
		}
	}
}

func (l *longRun) close() {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := l.manager.Close(ctx); err != nil {
		l.t.Fatal(err)
	}
}

// use changes to the n-th model.
func (l *longRun) use(n int) {
	l.t.Helper()
	if err := l.conv.Configure(session.Settings{Model: l.models[n%len(l.models)].ID, Mode: session.ModeBypass}); err != nil {
		l.t.Fatal(err)
	}
}

// turn sends the n-th prompt and waits for the end of its turn.
func (l *longRun) turn(n int) {
	l.t.Helper()
	if n%7 == 0 {
		l.use(n / 7)
	}
	kind := longKinds[n%len(longKinds)]
	p := session.Prompt{Text: fmt.Sprintf("turn %d: %s", n, kind)}
	if kind == "image" {
		p.Attachments = []session.Attachment{{Kind: session.AttachImage, Path: "shot.png", MediaType: "image/png", Data: picture(n)}}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	began := time.Now()
	defer func() {
		if time.Since(began) > 5*time.Second {
			l.t.Logf("turn %d (%s) took %v", n, kind, time.Since(began))
		}
	}()
	if _, err := l.conv.Ask(ctx, p); err != nil {
		l.t.Fatalf("turn %d: %v", n, err)
	}
}

// picture returns a small picture that differs from turn to turn.
func picture(n int) []byte {
	img := image.NewRGBA(image.Rect(0, 0, 8, 8))
	img.Set(n%8, n/8%8, color.RGBA{uint8(n), uint8(n >> 8), 200, 255})
	var b bytes.Buffer
	_ = png.Encode(&b, img) // a buffer takes everything
	return b.Bytes()
}

// heap returns the bytes that are in use after a collection.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// converseLong holds a session of so many turns on all three protocols of the service: with compaction, images, children
// and changes of the model, resumed in its middle.
func converseLong(t *testing.T, turns int) {
	l := newLongRun(t)
	l.open("")
	var grown []int64
	for n := range turns {
		if n == turns/2 { // goes on in another process

			id := l.conv.ID()
			l.close()
			l.open(id) // in default mode: no session resumes in one that asks nothing
			l.use(n / 7)
		}
		l.turn(n)
		if (n+1)%(turns/4) == 0 {
			grown = append(grown, heap())
		}
	}
	l.close()
	read, reusable := l.sim.Cached()
	report, _ := json.Marshal(map[string]any{"requests": l.spy.requests, "largest": l.spy.largest, "heap": grown, "usage": l.usage,
		"compactions": l.compact, "children": l.children, "calls": l.calls, "outcomes": l.outcome, "read": read, "reusable": reusable})
	t.Logf("%s", report)
	if l.outcome[session.TurnCompleted] < turns || len(l.problem) > 0 {
		t.Errorf("turns ended %v: %s", l.outcome, l.problem)
	}
	if float64(read) < 0.9*float64(reusable) {
		t.Errorf("%d of %d reusable tokens were read from the cache", read, reusable)
	}
	for _, r := range l.spy.refused {
		t.Errorf("refused: %s", r)
	}
	if l.children == 0 || l.compact == 0 || len(l.spy.requests) < 3 {
		t.Errorf("%d children, %d compactions, requests %v", l.children, l.compact, l.spy.requests)
	}
	// What is said stays for the screen, and the simulation keeps its log: so much a turn, and no more the longer it takes.
	if perTurn := (grown[3] - grown[1]) / int64(turns/2); perTurn > 32<<10 {
		t.Errorf("each turn keeps %d bytes: %v", perTurn, grown)
	}
	if early, late := grown[1]-grown[0], grown[3]-grown[2]; late > 2*early+1<<20 {
		t.Errorf("late turns keep more than early ones: %v", grown)
	}
}

func TestLongSession(t *testing.T) {
	converseLong(t, repeat.Times(48, 52, 2000))
}
