package host_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/session"
	"parley/session/sessiontest"
)

// extended is an agent with a server, a hook and a skill.
type extended struct {
	*sessiontest.Agent
	k *extensions
}

func (a extended) ExtensionsFor(string) session.Extensions {
	return session.Extensions{Servers: a.k, Hooks: a.k, Skills: a.k}
}

// extensions keeps what was asked of it.
type extensions struct {
	mu   sync.Mutex
	said []string
}

func (k *extensions) say(what string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.said = append(k.said, what)
}

func (k *extensions) Servers(_ context.Context, settled bool) []session.Server {
	return []session.Server{{Name: fmt.Sprintf("files-%v", settled), State: session.ServerConnected, Tools: 3}}
}

func (k *extensions) SwitchServer(_ context.Context, name string, on bool) error {
	k.say(fmt.Sprintf("%s %v", name, on))
	if name == "none" {
		return &session.Error{Op: "switch the server", Kind: session.KindNotFound, Err: errors.New("there is no such server")}
	}
	return nil
}

func (k *extensions) SignOut(_ context.Context, name string) (bool, error) {
	k.say("out of " + name)
	return true, nil
}

func (k *extensions) Resources() []session.ServerResource {
	return []session.ServerResource{{Mention: "files:a", Name: "a"}}
}

func (k *extensions) Hooks(context.Context) session.HookReport {
	return session.HookReport{Hooks: []session.Hook{{Event: "Stop", Timeout: time.Second}}, Faults: []string{"one"}}
}

func (k *extensions) Skills(context.Context) []session.Skill {
	return []session.Skill{{Name: "review", Kind: "skill", Tokens: 9}}
}

// A screen shows and switches what extends a session in a host.
func TestExtensions(t *testing.T) {
	w := newWorld(t, nil)
	w.stop()
	k := &extensions{}
	w.Deps.Agents = []session.Agent{extended{w.Agent, k}}
	w.start(t)
	m := w.screen(t)
	s := draft(t, m)
	must(s.Send(session.Prompt{Text: "hello"}))(t)
	w.Agent.Turn(t).End(session.TurnCompleted)
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	e := s.Extensions()
	if e.Servers == nil || e.Hooks == nil || e.Skills == nil {
		t.Fatalf("%+v", e)
	}
	if all := e.Servers.Servers(t.Context(), true); len(all) != 1 || all[0] != (session.Server{Name: "files-true", State: session.ServerConnected, Tools: 3}) {
		t.Errorf("%+v", all)
	}
	if err := e.Servers.SwitchServer(t.Context(), "files", true); err != nil {
		t.Error(err)
	}
	if err := e.Servers.SwitchServer(t.Context(), "none", false); session.KindOf(err) != session.KindNotFound {
		t.Error(err)
	}
	if was, err := e.Servers.SignOut(t.Context(), "files"); !was || err != nil {
		t.Error(was, err)
	}
	if want := []string{"files true", "none false", "out of files"}; !slices.Equal(k.said, want) {
		t.Errorf("%q", k.said)
	}
	if r := e.Hooks.Hooks(t.Context()); len(r.Hooks) != 1 || r.Hooks[0].Timeout != time.Second || len(r.Faults) != 1 {
		t.Errorf("%+v", r)
	}
	if all := e.Skills.Skills(t.Context()); len(all) != 1 || all[0].Tokens != 9 {
		t.Errorf("%+v", all)
	}
	lister := e.Servers.(session.ResourceLister)
	for deadline := time.After(wait); len(lister.Resources()) == 0; { // it answers from memory
		select {
		case <-time.After(time.Millisecond):
		case <-deadline:
			t.Fatal("no resources")
		}
	}
}

// Where the host is gone, each page shows one entry that says so, and none if nobody waits for it.
func TestExtensionsOfNoHost(t *testing.T) {
	w := newWorld(t, nil)
	w.stop()
	w.Deps.Agents = []session.Agent{extended{w.Agent, &extensions{}}}
	w.start(t)
	m := w.screen(t)
	s := draft(t, m)
	must(s.Send(session.Prompt{Text: "hello"}))(t)
	w.Agent.Turn(t).End(session.TurnCompleted)
	if err := errors.Join(s.Wait(t.Context()), s.Stored(t.Context())); err != nil {
		t.Fatal(err)
	}
	e := s.Extensions()
	given, cancel := context.WithCancel(t.Context())
	cancel()
	if all := e.Servers.Servers(given, false); len(all) != 0 {
		t.Errorf("given up: %+v", all)
	}
	w.stop()
	if all := e.Servers.Servers(t.Context(), false); len(all) != 1 || all[0].State != session.ServerFailed || all[0].Name != "session host" || all[0].Why == "" {
		t.Errorf("%+v", all)
	}
	if r := e.Hooks.Hooks(t.Context()); len(r.Faults) != 1 || !strings.HasPrefix(r.Faults[0], "session host: ") {
		t.Errorf("%+v", r)
	}
	if all := e.Skills.Skills(t.Context()); len(all) != 1 || all[0].Why == "" {
		t.Errorf("%+v", all)
	}
}
