package copilot

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"parley/session"
	"parley/session/extensions/inventory"
	"parley/session/proc"
	"parley/session/proc/pipe"
	"parley/session/terminals"
)

// A change of the files that the runtime reads opens the session again, once, with the next prompt.
func TestOpenedAgainForChangedFiles(t *testing.T) {
	var off inventory.Off
	var files atomic.Int64
	s := newStage(t, func(_ *stage, o *Options) {
		o.Extends = func(context.Context, string) string { return string(rune('a' + files.Load())) }
		o.Off = func(session.ID) inventory.Off { return off }
		o.Plugins = func(context.Context) []string { return []string{"/plugins/p", "/plugins/q"} }
	})
	s.ask("t1", "hello")
	s.store(stageSession)
	s.ask("t2", "again")
	if n := len(s.runtime.Requests("session.resume")); n != 0 {
		t.Fatalf("opened again %d times without a change", n)
	}
	off = off.Switched(inventory.Item{Kind: inventory.Skill, Name: "greet"}, false).Switched(inventory.Item{Kind: inventory.Plugin, Name: "p", From: "/plugins/p"}, false)
	files.Add(1)
	files.Add(1)
	s.ask("t3", "changed")
	s.ask("t4", "and again")
	opened := s.runtime.Requests("session.resume")
	if len(opened) != 1 {
		t.Fatalf("opened again %d times", len(opened))
	}
	var p struct {
		Skills  []string `json:"disabledSkills"`
		Plugins []string `json:"pluginDirectories"`
	}
	if err := json.Unmarshal(opened[0].Params, &p); err != nil || !slices.Equal(p.Skills, []string{"greet"}) || !slices.Equal(p.Plugins, []string{"/plugins/q"}) {
		t.Errorf("%+v %v", p, err)
	}
}

// A prompt from a terminal with another environment opens the session in a runtime with that. One process serves each environment.
func TestAnotherTerminal(t *testing.T) {
	book := &terminals.Book{}
	var mu sync.Mutex
	var started []string
	s := newStage(t, func(s *stage, o *Options) {
		o.Terminals, o.Environ = book, append(o.Environ, "SSH_AUTH_SOCK=/host")
		book.Begin(stageSession, []string{"SSH_AUTH_SOCK=/one"})
		o.Start = func(ctx context.Context, c proc.Command) (pipe.Process, error) {
			mu.Lock()
			started = append(started, proc.Lookup(c.Env, "SSH_AUTH_SOCK"))
			mu.Unlock()
			return s.startProcess(ctx, c)
		}
	})
	s.ask("t1", "hello")
	s.store(stageSession)
	for i, socket := range []string{"/one", "/two", "/two", "/one"} {
		book.Prompted(stageSession, []string{"SSH_AUTH_SOCK=" + socket})
		s.ask(session.TurnID(fmt.Sprint("next", i)), "again")
	}
	book.Prompted(stageSession, []string{"SSH_AUTH_SOCK=/three"}) // its prompt waits
	_, _ = s.agent.Fork(t.Context(), stageSession, "")            // the runtime of the test copies nothing
	if n := len(s.runtime.Requests("sessions.fork")); n != 1 {
		t.Errorf("asked %d times for a copy", n)
	}
	mu.Lock()
	defer mu.Unlock()
	if !slices.Equal(started, []string{"/one", "/two"}) {
		t.Errorf("started for %q", started)
	}
	if n := len(s.runtime.Requests("session.resume")); n != 2 {
		t.Errorf("opened again %d times", n)
	}
}
