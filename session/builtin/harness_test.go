package builtin

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/mcp/mcptest"
	"parley/session/proc/proctest"
)

func TestMain(m *testing.M) {
	mcptest.ServeIfAsked()
	if dir := os.Getenv(killVariable); dir != "" {
		streamForever(dir)
		return
	}
	if dir := os.Getenv(commandVariable); dir != "" {
		commandForever(dir)
		return
	}
	goleak.VerifyTestMain(proctest.Watch(m))
}

var testModels = []session.Model{
	{ID: "claude-test", Default: true, ContextWindow: 200000, MaxOutput: 64000, AdaptiveThinking: true, Efforts: []string{"low", "high"}},
	{ID: "claude-budget", ContextWindow: 200000, MaxOutput: 32000, MinThinking: 1024, MaxThinking: 32000},
	{ID: "plain"},
}

// chat is one conversation under test.
type chat struct {
	t       testing.TB
	dir     string
	service *fakeService
	c       session.Conversation
	slept   []time.Duration

	mu     sync.Mutex
	events []session.Event
	// on is called for every event, from within Emit.
	on func(e session.Event)
}

type chatOption func(*Options, *session.OpenOptions)

func openChat(t testing.TB, s *fakeService, opts ...chatOption) *chat {
	t.Helper()
	ch := &chat{t: t, dir: t.TempDir(), service: s}
	clock := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var clockMu sync.Mutex
	o := Options{
		Models: func(context.Context) ([]session.Model, error) { return testModels, nil },
		Home:   filepath.Join(ch.dir, "nowhere"), OutputDir: filepath.Join(t.TempDir(), "out"),
		Now: func() time.Time {
			clockMu.Lock()
			defer clockMu.Unlock()
			clock = clock.Add(time.Millisecond)
			return clock
		},
		Sleep: func(ctx context.Context, d time.Duration) error {
			ch.slept = append(ch.slept, d)
			return ctx.Err()
		},
		Jitter: func(time.Duration) time.Duration { return 0 },
	}
	open := session.OpenOptions{Session: "s", Gen: 1, Dir: ch.dir, Endpoint: session.Endpoint{BaseURL: s.server.URL, Bearer: "secret.s"},
		Settings: session.Settings{Mode: session.ModeDefault}, Emit: ch.emit}
	for _, f := range opts {
		f(&o, &open)
	}
	ch.dir = open.Dir
	c, err := New(o).Open(context.Background(), open)
	if err != nil {
		t.Fatal(err)
	}
	ch.c = c
	t.Cleanup(func() {
		if err := c.Close(context.Background()); err != nil {
			t.Error(err)
		}
		checkOrder(t, ch.all())
	})
	return ch
}

func mode(m session.Mode) chatOption {
	return func(_ *Options, open *session.OpenOptions) { open.Settings.Mode = m }
}

func model(id, effort string) chatOption {
	return func(_ *Options, open *session.OpenOptions) { open.Settings.Model, open.Settings.Effort = id, effort }
}

func in(dir string) chatOption {
	return func(_ *Options, open *session.OpenOptions) { open.Dir = dir }
}

func history(t *session.Transcript) chatOption {
	return func(_ *Options, open *session.OpenOptions) { open.History, open.Gen = t, t.Gen+1 }
}

func (ch *chat) emit(e session.Event) {
	ch.mu.Lock()
	ch.events = append(ch.events, e)
	on := ch.on
	ch.mu.Unlock()
	if on != nil {
		on(e)
	}
}

// listen passes later events to a function, nil for none. What works in the background may emit meanwhile.
func (ch *chat) listen(on func(session.Event)) {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	ch.on = on
}

func (ch *chat) all() []session.Event {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	return append([]session.Event{}, ch.events...)
}

// transcript folds everything so far, through the journal's encoding.
func (ch *chat) transcript() *session.Transcript {
	t := &session.Transcript{}
	for _, e := range ch.all() {
		line, err := session.EncodeEvent(e)
		if err != nil {
			ch.t.Fatal(err)
		}
		e, err := session.DecodeEvent(line)
		if err != nil {
			ch.t.Fatal(err)
		}
		t.Apply(e)
	}
	return t
}

// send runs a turn and returns its end.
func (ch *chat) send(text string) session.TurnEnded {
	ch.t.Helper()
	ch.mu.Lock()
	turn := session.TurnID(fmt.Sprintf("t%d", len(ch.events)))
	ch.mu.Unlock()
	return ch.sendAs(turn, session.Prompt{ID: session.PromptID(turn), Text: text})
}

func (ch *chat) sendAs(turn session.TurnID, p session.Prompt) session.TurnEnded {
	ch.t.Helper()
	if err := ch.c.Send(context.Background(), turn, p, session.OriginUser); err != nil {
		ch.t.Fatal(err)
	}
	for _, e := range ch.all() { // others may follow, of what works in the background
		if ended, ok := e.(session.TurnEnded); ok && ended.Turn == turn {
			return ended
		}
	}
	ch.t.Fatalf("turn %s has no end", turn)
	return session.TurnEnded{}
}

// answerAll answers every ask from within Emit, which is the worst place to do it.
func (ch *chat) answerAll(a session.Answer) {
	ch.listen(func(e session.Event) {
		if asked, ok := e.(session.Asked); ok {
			if err := ch.c.Answer(asked.Ask, a); err != nil {
				ch.t.Error(err)
			}
		}
	})
}

func (ch *chat) file(name, content string) string {
	ch.t.Helper()
	path := filepath.Join(ch.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		ch.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		ch.t.Fatal(err)
	}
	return path
}

func (ch *chat) content(name string) string {
	b, err := os.ReadFile(filepath.Join(ch.dir, name))
	if err != nil {
		return "(" + tool.Cause(err).Error() + ")"
	}
	return string(b)
}

// ended returns the ends of all calls by id.
func (ch *chat) ended() map[session.CallID]session.ToolEnded {
	out := map[session.CallID]session.ToolEnded{}
	for _, e := range ch.all() {
		if t, ok := e.(session.ToolEnded); ok {
			out[t.Call] = t
		}
	}
	return out
}

func eventsOf[E session.Event](ch *chat) []E {
	var out []E
	for _, e := range ch.all() {
		if e, ok := e.(E); ok {
			out = append(out, e)
		}
	}
	return out
}

// names lists the kinds of events, runs of the same kind once.
func names(events []session.Event) string {
	var out []string
	for _, e := range events {
		n := session.EventType(e)
		if len(out) == 0 || out[len(out)-1] != n {
			out = append(out, n)
		}
	}
	return strings.Join(out, " ")
}

// checkOrder checks what every agent promises about the order of its events.
func checkOrder(t testing.TB, events []session.Event) {
	t.Helper()
	parts := map[session.PartID]string{}
	calls := map[session.CallID]string{}
	asks, behind := map[session.AskID]bool{}, map[session.CallID]bool{}
	turns := map[session.TurnID]string{}
	between := map[string]bool{} // parts and calls of agents in the background, which belong to no turn
	bad := func(i int, e session.Event, why string) { t.Errorf("event %d, %T: %s: %+v", i, e, why, e) }
	for i, e := range events {
		h := e.Header()
		if h.Session == "" || h.Gen == 0 || h.At.IsZero() {
			bad(i, e, "the head is not filled")
		}
		if h.Turn != "" && turns[h.Turn] != "open" {
			if _, starts := e.(session.TurnStarted); !starts {
				bad(i, e, "outside of its turn")
			}
		}
		switch e := e.(type) {
		case session.TurnStarted:
			if turns[e.Turn] != "" {
				bad(i, e, "started twice")
			}
			turns[e.Turn] = "open"
		case session.TurnEnded:
			turns[e.Turn] = "ended"
			for id, state := range parts {
				if state == "open" && !between[string(id)] {
					bad(i, e, "part "+string(id)+" is open")
				}
			}
			for id, state := range calls {
				if state != "ended" && !between[string(id)] {
					bad(i, e, "call "+string(id)+" is "+state)
				}
			}
			for id, open := range asks {
				if open {
					bad(i, e, "ask "+string(id)+" is open")
				}
			}
		case session.PartStarted:
			if parts[e.Part] != "" {
				bad(i, e, "started twice")
			}
			parts[e.Part], between[string(e.Part)] = "open", h.Turn == ""
		case session.PartDelta:
			if parts[e.Part] != "open" {
				bad(i, e, "the part is not open")
			}
		case session.PartEnded:
			if parts[e.Part] != "open" {
				bad(i, e, "the part is not open")
			}
			parts[e.Part] = "ended"
		case session.ToolStarted:
			if calls[e.Call] != "" {
				bad(i, e, "started twice")
			}
			calls[e.Call], between[string(e.Call)] = "started", h.Turn == ""
		case session.ToolInput:
			if calls[e.Call] != "started" {
				bad(i, e, calls[e.Call])
			}
		case session.ToolReady:
			if calls[e.Call] != "started" {
				bad(i, e, calls[e.Call])
			}
			calls[e.Call] = "ready"
		case session.ToolOutput:
			if calls[e.Call] != "ready" && !behind[e.Call] {
				bad(i, e, calls[e.Call])
			}
		case session.ToolEnded:
			if calls[e.Call] == "" && e.Result.Summary == "ended with parley" {
				continue // of an earlier process
			}
			again := behind[e.Call] && !e.Result.Background
			behind[e.Call] = e.Result.Background
			if calls[e.Call] == "" || calls[e.Call] == "ended" && !again || calls[e.Call] == "started" && e.Outcome == session.ToolOK {
				bad(i, e, calls[e.Call])
			}
			calls[e.Call] = "ended"
		case session.Asked:
			asks[e.Ask] = true
		case session.Settled:
			if !asks[e.Ask] {
				bad(i, e, "the ask is not open")
			}
			asks[e.Ask] = false
		}
	}
}

func inputJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}
