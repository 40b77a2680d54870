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
	"parley/session/sessiontest"
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
		sessiontest.CheckOrder(t, ch.all())
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

func inputJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}
