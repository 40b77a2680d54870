package builtin

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"parley/internal/repeat"
	"parley/session"
	"parley/session/permission"
)

// Several readers may ask at once; each answer goes to its own, in any order.
func TestSeveralAsksAtOnce(t *testing.T) {
	elsewhere := t.TempDir()
	var calls [][3]string
	for i := range 5 {
		path := filepath.Join(elsewhere, fmt.Sprintf("%d.txt", i))
		calls = append(calls, [3]string{fmt.Sprintf("r%d", i), "Read", inputJSON(obj{"file_path": path})})
	}
	s := newService(t, callsReply(calls...), says("done"))
	ch := openChat(t, s)
	var asked []session.Asked
	ch.on = func(e session.Event) {
		a, ok := e.(session.Asked)
		if !ok {
			return
		}
		asked = append(asked, a)
		if len(asked) < 5 {
			return // until all of them are open
		}
		for i := len(asked) - 1; i >= 0; i-- {
			decision := session.Allow
			if asked[i].Call == "r3" {
				decision = session.Deny
			}
			if err := ch.c.Answer(asked[i].Ask, session.Answer{Decision: decision}); err != nil {
				t.Error(err)
			}
		}
	}
	if end := ch.send("x"); end.Outcome != session.TurnCompleted {
		t.Fatalf("%+v", end)
	}
	for id, e := range ch.ended() {
		want := session.ToolFailed // there are no such files
		if id == "r3" {
			want = session.ToolDenied
		}
		if e.Outcome != want {
			t.Errorf("%s: %+v", id, e)
		}
	}
	if n := len(eventsOf[session.Settled](ch)); n != 5 {
		t.Errorf("%d settled", n)
	}
}

// An answer that lasts settles every open ask that its rule covers, wherever the rule is kept.
func TestOneAnswerSettlesOthers(t *testing.T) {
	elsewhere, apart := t.TempDir(), t.TempDir()
	var calls [][3]string
	for i := range 5 {
		path := filepath.Join(elsewhere, fmt.Sprintf("%d.txt", i))
		if i == 4 {
			path = filepath.Join(apart, "4.txt")
		}
		calls = append(calls, [3]string{fmt.Sprintf("r%d", i), "Read", inputJSON(obj{"file_path": path})})
	}
	for _, scope := range []session.Scope{session.ScopeSession, session.ScopeProject, session.ScopeGlobal} {
		var mu sync.Mutex
		var kept permission.Kept
		s := newService(t, callsReply(calls...), says("done"))
		ch := openChat(t, s, func(o *Options, _ *session.OpenOptions) {
			o.Rules = func(string) permission.Kept {
				mu.Lock()
				defer mu.Unlock()
				return kept
			}
		})
		asked := map[session.CallID]session.Asked{}
		settled := 0
		ch.on = func(e session.Event) {
			switch e := e.(type) {
			case session.Asked:
				asked[e.Call] = e
				if len(asked) < 5 {
					return // until all of them are open
				}
				a := session.Answer{Decision: session.Allow, Scope: scope, Message: "and mind the dates"}
				if scope != session.ScopeSession { // kept by the session, before the agent gets the answer
					granted := permission.GrantedBy(asked["r0"].Permission, a, scope)
					mu.Lock()
					kept.Rules = append(kept.Rules, granted...)
					mu.Unlock()
					if len(granted) == 0 {
						t.Errorf("%s: nothing was granted", scope)
					}
				}
				if err := ch.c.Answer(asked["r0"].Ask, a); err != nil {
					t.Error(err)
				}
			case session.Settled:
				if settled++; settled == 4 { // the last one is not covered
					if err := ch.c.Answer(asked["r4"].Ask, session.Answer{Decision: session.Deny}); err != nil {
						t.Error(err)
					}
				}
			}
		}
		ch.send("x")
		for _, e := range eventsOf[session.Settled](ch) {
			first, denied := e.Ask == asked["r0"].Ask, e.Ask == asked["r4"].Ask
			if (e.Answer.Decision == session.Deny) != denied || (e.Answer.Message != "") != first || (e.Answer.Scope == scope) != first {
				t.Errorf("%s: %+v", scope, e)
			}
		}
		if sent := s.messages(1)[2].Content; !strings.HasPrefix(sent[0].Content, "The user allowed this call and says: ") || strings.HasPrefix(sent[1].Content, "The user allowed this call and says: ") {
			t.Errorf("%s: %+v", scope, sent)
		}
	}
}

// Interrupts at any moment leave a conversation that goes on.
func TestAbortStorm(t *testing.T) {
	s := newService(t)
	ch := openChat(t, s, mode(session.ModeBypass))
	rounds := repeat.Times(24, 48, 150)
	n, at := 0, 0
	ch.on = func(e session.Event) {
		if n++; n == at {
			ch.c.Abort()
		}
	}
	for i := range rounds {
		s.mu.Lock()
		s.replies = nil
		s.mu.Unlock()
		s.add(stream(start("m"), think(0, "s", "a", "b"), text(1, "c", "d"), use(2, fmt.Sprintf("c%d", i), "Bash", `{"command":"echo hi"}`),
			use(3, fmt.Sprintf("d%d", i), "Glob", `{"pattern":"*"}`), end("tool_use")), says("done"))
		n, at = 0, 1+i%24
		end := ch.send("x")
		if end.Outcome != session.TurnCancelled && end.Outcome != session.TurnCompleted {
			t.Fatalf("interrupted at event %d: %+v %+v", at, end, end.Problem)
		}
	}
	ch.on = nil
	s.mu.Lock()
	s.replies = nil
	s.mu.Unlock()
	s.add(says("fine"))
	if end := ch.send("go on"); end.Outcome != session.TurnCompleted {
		t.Fatalf("%+v", end)
	}
	checkShape(t, s.messages(len(s.requests())-1))
}
