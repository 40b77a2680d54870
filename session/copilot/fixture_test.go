package copilot

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/session"
	"parley/session/copilot/copilottest"
	"parley/session/proc"
	"parley/session/proc/pipe"
)

// stage is an agent on a simulated runtime, with one conversation.
type stage struct {
	t       testing.TB
	runtime *copilottest.Runtime
	agent   *Agent
	home    string
	dir     string
	conv    session.Conversation

	mu      sync.Mutex
	events  []session.Event
	heard   chan struct{}
	starts  int // of processes
	conns   []*copilottest.Conn
	refuses error // the next starts
}

// newStage opens a conversation. change may change the options and the runtime before.
func newStage(t testing.TB, change func(s *stage, o *Options)) *stage {
	t.Helper()
	s := &stage{t: t, runtime: &copilottest.Runtime{}, home: t.TempDir(), dir: t.TempDir(), heard: make(chan struct{})}
	o := Options{
		Runtime: func(context.Context) (Program, error) {
			return Program{Argv: []string{"copilot-runtime"}, Version: "1.0.102"}, nil
		},
		Models:   func(context.Context) ([]session.Model, error) { return stageModels, nil },
		Home:     s.home,
		UserHome: s.home,
		Environ:  []string{"PATH=/usr/bin:/bin"},
		Start:    s.startProcess,
		Grace:    30 * time.Second, IdleAfter: -1,
	}
	if change != nil {
		change(s, &o)
	}
	s.agent = New(o)
	t.Cleanup(func() {
		if s.conv != nil {
			_ = s.conv.Close(context.Background())
		}
		if err := s.agent.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	s.open(nil)
	return s
}

var stageModels = []session.Model{{ID: "claude-sonnet-5", Default: true, Efforts: []string{"low", "high"}}, {ID: "gpt-5.4"}}

// startProcess starts the simulated runtime. The agent finds what it creates in the store.
func (s *stage) startProcess(_ context.Context, c proc.Command) (pipe.Process, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refuses != nil {
		return nil, s.refuses
	}
	s.starts++
	return copilottest.Start(func(c *copilottest.Conn) {
		s.mu.Lock()
		s.conns = append(s.conns, c)
		s.mu.Unlock()
		s.runtime.Play(c)
	}, c), nil
}

// store writes a file of the session, so that it is resumed.
func (s *stage) store(id session.ID) {
	s.t.Helper()
	folder := filepath.Join(s.home, "session-state", string(id))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "events.jsonl"), []byte("{}\n"), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

const stageSession session.ID = "11111111-2222-4333-8444-555555555555"

// open opens the conversation.
func (s *stage) open(h *session.Transcript) {
	s.t.Helper()
	conv, err := s.agent.Open(s.t.Context(), session.OpenOptions{Session: stageSession, Gen: 1, Dir: s.dir, History: h, Emit: s.hear,
		Settings: session.Settings{Mode: session.ModeDefault}, Endpoint: session.Endpoint{BaseURL: "http://127.0.0.1:1", Bearer: "secret"}})
	if err != nil {
		s.t.Fatal(err)
	}
	s.conv = conv
}

func (s *stage) conversation() *conversation { return s.conv.(*conversation) }

func (s *stage) hear(e session.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, e)
	close(s.heard)
	s.heard = make(chan struct{})
}

func (s *stage) all() []session.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.events)
}

// until waits for an event.
func (s *stage) until(what string, is func(session.Event) bool) session.Event {
	s.t.Helper()
	timeout := time.After(30 * time.Second)
	for seen := 0; ; {
		s.mu.Lock()
		events, heard := s.events[seen:], s.heard
		s.mu.Unlock()
		for _, e := range events {
			if is(e) {
				return e
			}
		}
		seen += len(events)
		select {
		case <-heard:
		case <-timeout:
			s.t.Fatalf("no %s; events %s", what, s.types())
		}
	}
}

// types names the events in order, with repeated ones once.
func (s *stage) types() string {
	var names []string
	for _, e := range s.all() {
		if name := session.EventType(e); len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

// send sends a prompt in the background. The channel has the result.
func (s *stage) send(turn session.TurnID, text string) chan error {
	result := make(chan error, 1)
	go func() {
		result <- s.conv.Send(context.Background(), turn, session.Prompt{ID: session.PromptID(turn), Text: text}, session.OriginUser)
	}()
	return result
}

// ask sends a prompt and returns the end of its turn.
func (s *stage) ask(turn session.TurnID, text string) session.TurnEnded {
	s.t.Helper()
	if err := <-s.send(turn, text); err != nil {
		s.t.Fatalf("send %q: %v", text, err)
	}
	return s.end(turn)
}

// end returns the end of a turn.
func (s *stage) end(turn session.TurnID) session.TurnEnded {
	s.t.Helper()
	ends := 0
	var end session.TurnEnded
	for _, e := range s.all() {
		if t, ok := e.(session.TurnEnded); ok && t.Turn == turn {
			end, ends = t, ends+1
		}
	}
	if ends != 1 {
		s.t.Fatalf("turn %s ended %d times; events %s", turn, ends, s.types())
	}
	return end
}

// begun waits until a turn has text.
func (s *stage) begun(turn session.TurnID) {
	s.t.Helper()
	s.until("text", func(e session.Event) bool {
		d, ok := e.(session.PartDelta)
		return ok && d.Turn == turn
	})
}

// kill ends the newest process.
func (s *stage) kill() {
	s.mu.Lock()
	c := s.conns[len(s.conns)-1]
	s.mu.Unlock()
	go c.Die()
	<-c.Killed()
}

// text returns what the agent wrote in a turn.
func (s *stage) text(turn session.TurnID) string {
	t := &session.Transcript{}
	for _, e := range s.all() {
		t.Apply(e)
	}
	var out strings.Builder
	for _, u := range t.Turns {
		if u.ID != turn {
			continue
		}
		for _, entry := range u.Entries {
			if p, ok := entry.(*session.Part); ok && !p.Retracted {
				out.WriteString(p.Text())
			}
		}
	}
	return out.String()
}
