package builtin_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley/copilot"
	"parley/copilot/login"
	"parley/copilot/sim"
	"parley/proxy"
	"parley/session"
	"parley/session/builtin"
)

// hurry is a clock whose time passes as soon as somebody waits for it.
type hurry struct{ ahead atomic.Int64 }

func (h *hurry) Now() time.Time { return time.Now().Add(time.Duration(h.ahead.Load())) }

func (h *hurry) Sleep(ctx context.Context, d time.Duration) error {
	h.ahead.Add(int64(d))
	return ctx.Err()
}

// A conversation through everything that stands between the agent and the service. The simulated service refuses what the
// real one refuses: unknown fields, unanswered calls, changed signatures, too many cache marks.
func TestThroughTheHouse(t *testing.T) {
	sim, err := sim.Start(sim.Options{Clock: &hurry{}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = sim.Close() }()
	client, err := copilot.New(copilot.Options{
		Credential:   login.Credential{Token: login.NewSecret(sim.Token()), Host: "github.com"},
		GitHubAPIURL: sim.GitHubURL(),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	server, err := proxy.Start(proxy.Options{Upstream: client})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = server.Close(ctx)
	}()
	models := []session.Model{
		{ID: "claude-sonnet-4.6", MaxOutput: 64000, AdaptiveThinking: true, Efforts: []string{"low", "medium", "high", "max"}},
		{ID: "claude-opus-4.8", MaxOutput: 64000, AdaptiveThinking: true, Efforts: []string{"low", "medium", "high", "xhigh", "max"}},
		{ID: "claude-haiku-4.5", MaxOutput: 64000, MinThinking: 1024, MaxThinking: 32000},
	}
	for _, m := range models {
		t.Run(m.ID, func(t *testing.T) {
			bearer, err := server.Open("s")
			if err != nil {
				t.Fatal(err)
			}
			defer server.Revoke("s")
			converse(t, models, session.Settings{Model: m.ID, Effort: "high"}, session.Endpoint{BaseURL: server.URL(), Bearer: bearer})
		})
	}
	for _, r := range sim.Requests() {
		if strings.Contains(r.Path, "messages") && r.Status != 200 {
			t.Errorf("refused with %d: %s", r.Status, r.Path)
		}
	}
}

// talker keeps a conversation's transcript and answers its asks.
type talker struct {
	mu     sync.Mutex
	conv   session.Conversation
	log    session.Transcript
	answer session.Answer
}

func (k *talker) emit(e session.Event) {
	k.mu.Lock()
	k.log.Apply(e)
	answer := k.answer
	k.mu.Unlock()
	if asked, ok := e.(session.Asked); ok {
		_ = k.conv.Answer(asked.Ask, answer)
	}
}

func converse(t *testing.T, models []session.Model, settings session.Settings, e session.Endpoint) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("a teapot\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	agent := builtin.New(builtin.Options{Models: func(context.Context) ([]session.Model, error) { return models, nil }})
	k := &talker{answer: session.Answer{Decision: session.Allow}}
	open := func(gen session.Generation, past *session.Transcript) {
		conv, err := agent.Open(context.Background(), session.OpenOptions{Session: "s", Gen: gen, Dir: dir, Endpoint: e,
			Settings: settings, Emit: k.emit, History: past})
		if err != nil {
			t.Fatal(err)
		}
		k.conv = conv
	}
	n := 0
	send := func(text string) *session.Turn {
		n++
		if err := k.conv.Send(context.Background(), session.TurnID([]string{"", "t1", "t2", "t3", "t4", "t5", "t6", "t7"}[n]),
			session.Prompt{Text: text}, session.OriginUser); err != nil {
			t.Fatal(err)
		}
		k.mu.Lock()
		defer k.mu.Unlock()
		turn := k.log.Turns[len(k.log.Turns)-1]
		if turn.Outcome != session.TurnCompleted {
			t.Fatalf("%q ended %s: %+v", text, turn.Outcome, turn.Problem)
		}
		return turn
	}
	open(1, nil)
	send("think about it")
	if turn := send("read a.txt"); !strings.Contains(said(turn), "a teapot") {
		t.Errorf("%q", said(turn))
	}
	send("write b.txt some words")
	if b, _ := os.ReadFile(filepath.Join(dir, "b.txt")); string(b) != "some words\n" {
		t.Errorf("%q", b)
	}
	if turn := send("run echo one; echo two"); !strings.Contains(said(turn), "one\ntwo") {
		t.Errorf("%q", said(turn))
	}
	// Another conversation goes on from the transcript.
	if err := k.conv.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	k.mu.Lock()
	k.answer = session.Answer{Decision: session.Deny, Message: "not today"}
	past := k.log
	k.mu.Unlock()
	open(2, &past)
	if turn := send("edit a.txt teapot -> kettle"); !strings.Contains(said(turn), "not today") {
		t.Errorf("%q", said(turn))
	}
	send("think again")
	if err := k.conv.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// said is what the model said in a turn.
func said(turn *session.Turn) string {
	var b strings.Builder
	for _, e := range turn.Entries {
		if p, ok := e.(*session.Part); ok && p.Kind == session.PartText {
			b.WriteString(p.Text())
		}
	}
	return b.String()
}
