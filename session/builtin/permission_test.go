package builtin

import (
	"context"
	"strings"
	"testing"

	"parley/session"
	"parley/session/permission"
)

var anEdit = [3]string{"e1", "Write", `{"file_path":"new/a.txt","content":"hello\n"}`}

func TestAllowOnce(t *testing.T) {
	s := newService(t, callsReply(anEdit), says("done"))
	ch := openChat(t, s)
	ch.answerAll(session.Answer{Decision: session.Allow, Scope: session.ScopeOnce})
	ch.send("x")
	if got := ch.content("new/a.txt"); got != "hello\n" {
		t.Error(got)
	}
	asked := eventsOf[session.Asked](ch)[0]
	p := asked.Permission
	if asked.Call != "e1" || p.Tool != "Write" || p.Edit == nil || !p.Edit.Created || p.Edit.Added != 1 || p.Edit.Patch != "@@ -0,0 +1 @@\n+hello\n" {
		t.Errorf("%+v %+v", asked, p.Edit)
	}
	if len(p.Rules) == 0 {
		t.Error("no rule is offered")
	}
	if ended := ch.ended()["e1"]; len(ended.Edits) != 1 || ended.Edits[0].Path != p.Path {
		t.Errorf("%+v", ended)
	}
}

func TestDenyWithMessage(t *testing.T) {
	for message, want := range map[string]string{"": refusedNote, "use b.txt": refusedSay + "use b.txt", session.UnattendedReason: session.UnattendedReason} {
		s := newService(t, callsReply(anEdit), says("all right"))
		ch := openChat(t, s)
		ch.answerAll(session.Answer{Decision: session.Deny, Message: message})
		if end := ch.send("x"); end.Outcome != session.TurnCompleted {
			t.Errorf("%+v", end)
		}
		if got := ch.ended()["e1"]; got.Outcome != session.ToolDenied {
			t.Errorf("%+v", got)
		}
		if r := s.messages(1)[2].Content[0]; r.Content != want || !r.IsError {
			t.Errorf("%+v", r)
		}
		if how := eventsOf[session.Settled](ch)[0].How; (how == session.SettledUnattended) != (message == session.UnattendedReason) {
			t.Error(how)
		}
		if got := ch.content("new/a.txt"); !strings.HasPrefix(got, "(") {
			t.Error("written all the same")
		}
	}
}

func TestAllowForTheSession(t *testing.T) {
	again := [3]string{"e2", "Write", `{"file_path":"new/b.txt","content":"b"}`}
	s := newService(t, callsReply(anEdit, again), says("done"))
	ch := openChat(t, s)
	ch.answerAll(session.Answer{Decision: session.Allow, Scope: session.ScopeSession})
	ch.send("x")
	if n := len(eventsOf[session.Asked](ch)); n != 1 {
		t.Errorf("asked %d times", n)
	}
	// A resumed session remembers.
	third := [3]string{"e3", "Write", `{"file_path":"new/c.txt","content":"c"}`}
	s2 := newService(t, callsReply(third), says("done"))
	resumed := openChat(t, s2, in(ch.dir), history(ch.transcript()))
	resumed.send("y")
	if n := len(eventsOf[session.Asked](resumed)); n != 0 || resumed.content("new/c.txt") != "c" {
		t.Errorf("asked %d times after resuming", n)
	}
}

func TestModes(t *testing.T) {
	command := [3]string{"b1", "Bash", `{"command":"sh -c 'echo hi'"}`}
	for m, want := range map[session.Mode]int{session.ModeDefault: 2, session.ModeAcceptEdits: 1, session.ModeBypass: 0} {
		s := newService(t, callsReply(anEdit, command), says("done"))
		ch := openChat(t, s, mode(m))
		ch.answerAll(session.Answer{Decision: session.Allow})
		ch.send("x")
		if n := len(eventsOf[session.Asked](ch)); n != want {
			t.Errorf("%s: asked %d times", m, n)
		}
		if got := ch.ended()["b1"].Result.Text; got != "hi\n" {
			t.Errorf("%s: %q", m, got)
		}
	}
}

// In plan mode a call that changes something is refused without asking, and reading works.
func TestPlanModeChangesNothing(t *testing.T) {
	s := newService(t, callsReply(anEdit, [3]string{"b1", "Bash", `{"command":"echo x > b.txt"}`}, [3]string{"r1", "Read", `{"file_path":"a"}`}), says("done"))
	ch := openChat(t, s, mode(session.ModePlan))
	ch.file("a", "one\n")
	ch.send("x")
	if n := len(eventsOf[session.Asked](ch)); n != 0 {
		t.Errorf("asked %d times", n)
	}
	ended := ch.ended()
	for _, id := range []session.CallID{"e1", "b1"} {
		if got := ended[id]; got.Outcome != session.ToolDenied || got.Result.Text != permission.PlanModeReason {
			t.Errorf("%s: %+v", id, got)
		}
	}
	if ended["r1"].Outcome != session.ToolOK || !strings.HasPrefix(ch.content("new/a.txt")+ch.content("b.txt"), "(") {
		t.Errorf("%+v", ended["r1"])
	}
}

// What the user says with an allowance is read by the model with the result, and their own view of the result stays.
func TestAllowWithMessage(t *testing.T) {
	for name, c := range map[string]struct {
		call [3]string
		text string
	}{
		"done":   {anEdit, "Wrote new/a.txt (+1 -0 lines)."},
		"failed": {[3]string{"e1", "Bash", `{"command":"sh -c 'exit 3'"}`}, ""},
	} {
		s := newService(t, callsReply(c.call), says("done"))
		ch := openChat(t, s)
		ch.answerAll(session.Answer{Decision: session.Allow, Scope: session.ScopeOnce, Message: "but use tabs"})
		ch.send("x")
		ended := ch.ended()["e1"]
		if !strings.HasPrefix(ended.Result.Text, c.text) || strings.Contains(ended.Result.Text, "tabs") {
			t.Errorf("%s: the user sees %q", name, ended.Result.Text)
		}
		sent := s.messages(1)[2].Content[0].Content
		if !strings.HasPrefix(sent, "The user allowed this call and says: "+"but use tabs\n\n"+c.text) {
			t.Errorf("%s: the model reads %q", name, sent)
		}
		// A resumed session sends the same.
		s2 := newService(t, says("on"))
		openChat(t, s2, in(ch.dir), history(ch.transcript())).send("y")
		if got := s2.messages(0)[2].Content[0].Content; got != sent {
			t.Errorf("%s: after resuming the model reads %q", name, got)
		}
	}
}

// A mode chosen while something is asked answers what it would not have asked.
func TestModeChangeWhileAsking(t *testing.T) {
	s := newService(t, callsReply(anEdit), says("done"))
	ch := openChat(t, s)
	ch.on = func(e session.Event) {
		if _, ok := e.(session.Asked); ok {
			if err := ch.c.Configure(context.Background(), session.Settings{Model: "claude-test", Mode: session.ModeAcceptEdits}); err != nil {
				t.Error(err)
			}
		}
	}
	ch.send("x")
	if got := ch.content("new/a.txt"); got != "hello\n" {
		t.Error(got)
	}
	settled := eventsOf[session.Settled](ch)
	if len(settled) != 1 || settled[0].How != session.SettledAnswered || settled[0].Answer.Decision != session.Allow || settled[0].Why != session.WhyMode {
		t.Errorf("%+v", settled)
	}
}

func TestAnswersToNothing(t *testing.T) {
	s := newService(t, callsReply(anEdit), says("done"))
	ch := openChat(t, s)
	ch.on = func(e session.Event) {
		if asked, ok := e.(session.Asked); ok {
			if err := ch.c.Answer(asked.Ask, session.Answer{Decision: session.Deny}); err != nil {
				t.Error(err)
			}
			if err := ch.c.Answer(asked.Ask, session.Answer{Decision: session.Allow}); session.KindOf(err) != session.KindNotFound {
				t.Errorf("answered twice: %v", err)
			}
		}
	}
	if err := ch.c.Answer("nothing", session.Answer{}); session.KindOf(err) != session.KindNotFound {
		t.Error(err)
	}
	ch.send("x")
	if got := ch.ended()["e1"].Outcome; got != session.ToolDenied {
		t.Error(got)
	}
}

// What the user agreed to is what happens: a file that changes while they think is left alone.
func TestFileChangesWhileAsking(t *testing.T) {
	s := newService(t, callsReply([3]string{"r", "Read", `{"file_path":"a"}`}),
		callsReply([3]string{"e", "Edit", `{"file_path":"a","old_string":"one","new_string":"two"}`}), says("done"))
	ch := openChat(t, s)
	ch.file("a", "one\n")
	ch.on = func(e session.Event) {
		if asked, ok := e.(session.Asked); ok {
			ch.file("a", "one and more\n")
			_ = ch.c.Answer(asked.Ask, session.Answer{Decision: session.Allow})
		}
	}
	ch.send("x")
	if got := ch.content("a"); got != "one and more\n" {
		t.Error(got)
	}
	if got := ch.ended()["e"]; got.Outcome != session.ToolFailed || !strings.Contains(got.Result.Text, "changed meanwhile") {
		t.Errorf("%+v", got)
	}
}

func TestSettingsFromTheNextRequestOn(t *testing.T) {
	s := newService(t, callsReply([3]string{"g", "Glob", `{"pattern":"*"}`}), says("done"))
	ch := openChat(t, s)
	ch.on = func(e session.Event) {
		if _, ok := e.(session.ToolReady); ok {
			_ = ch.c.Configure(context.Background(), session.Settings{Model: "plain"})
		}
	}
	ch.send("x")
	all := s.requests()
	if !strings.Contains(all[0], `"model":"claude-test"`) || !strings.Contains(all[1], `"model":"plain"`) {
		t.Error("the wrong models were asked")
	}
}
