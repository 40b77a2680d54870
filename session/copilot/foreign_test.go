package copilot

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
)

// write adds lines of another program to the session's file.
func (s *stage) write(lines ...string) {
	s.t.Helper()
	f, err := os.OpenFile(filepath.Join(s.home, "session-state", string(stageSession), "events.jsonl"), os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		s.t.Fatal(err)
	}
	defer f.Close()
	for i, data := range lines {
		kind := "user.message"
		if i > 0 {
			kind = "assistant.message"
		}
		at := time.Now().Add(time.Second).UTC().Format(time.RFC3339Nano)
		if _, err := fmt.Fprintf(f, `{"type":%q,"id":"e-%d-%s","timestamp":%q,"data":%s}`+"\n", kind, i, at, at, data); err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *stage) notices() (texts []string) {
	for _, e := range s.all() {
		if n, ok := e.(session.Notice); ok && strings.Contains(n.Text, "gone on with this session") {
			texts = append(texts, n.Text)
		}
	}
	return texts
}

// What another program adds to a session is noticed once, between turns, and read by the runtime anew. Its own prompts are not.
func TestForeignPromptsOpenTheSessionAgain(t *testing.T) {
	s := newStage(t, nil)
	s.ask("one", "hello")
	s.store(stageSession)
	s.write(`{"content":"mine","source":"command-parley-one"}`)
	s.ask("two", "hello")
	if got := s.notices(); got != nil || len(s.runtime.Requests("session.resume")) != 0 {
		t.Fatalf("notices %q, opened %d times", got, len(s.runtime.Requests("session.resume")))
	}
	s.write(`{"content":"from elsewhere","source":"user","messageId":"m1"}`, `{"content":"answered there","messageId":"a1"}`)
	if err := s.conv.(session.Waker).Wake(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := s.notices(); len(got) != 1 || !strings.Contains(got[0], "as shown above") || len(s.runtime.Requests("session.resume")) != 1 {
		t.Errorf("notices %q", got)
	}
	s.until("the turn of the other program", func(e session.Event) bool {
		started, ok := e.(session.TurnStarted)
		return ok && started.Prompt.Text == "from elsewhere"
	})
	s.ask("three", "hello")
	s.write(`{"content":"once more","source":"","messageId":"m2"}`)
	s.ask("four", "hello")
	if got := s.notices(); len(got) != 2 || !strings.Contains(got[1], "open the session again") || len(s.runtime.Requests("session.resume")) != 2 {
		t.Errorf("notices %q", got)
	}
}

// While the other program has the session open, its turns are not shown half.
func TestForeignPromptsWaitForTheOtherProgram(t *testing.T) {
	pid := os.Getpid()
	s := newStage(t, nil)
	s.agent.Archive.Alive = func(p int) bool { return p == pid }
	s.ask("one", "hello")
	s.store(stageSession)
	s.write(`{"content":"from elsewhere","source":"user","messageId":"m1"}`)
	folder := filepath.Join(s.home, "session-state", string(stageSession))
	lock := filepath.Join(folder, fmt.Sprintf("inuse.%d.lock", pid))
	if err := os.WriteFile(lock, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := s.agent.Archive.Users(stageSession); len(got) != 1 || got[0] != pid {
		t.Fatalf("users %v", got)
	}
	if err := s.conv.(session.Waker).Wake(t.Context()); err != nil || s.notices() != nil {
		t.Fatalf("%v, notices %q", err, s.notices())
	}
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	if err := s.conv.(session.Waker).Wake(t.Context()); err != nil || len(s.notices()) != 1 {
		t.Fatalf("%v, notices %q", err, s.notices())
	}
}
