package builtin

import (
	"context"
	"strings"
	"testing"

	"parley/session"
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
	command := [3]string{"b1", "Bash", `{"command":"echo hi"}`}
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

func TestPlanModeIsRefused(t *testing.T) {
	a := New(Options{})
	if a.Unsupported(session.ModePlan) == "" || a.Unsupported(session.ModeDefault) != "" {
		t.Error("the wrong modes are unsupported")
	}
	_, err := a.Open(context.Background(), session.OpenOptions{Dir: t.TempDir(), Emit: func(session.Event) {},
		Endpoint: session.Endpoint{BaseURL: "http://127.0.0.1:1"}, Settings: session.Settings{Mode: session.ModePlan}})
	if session.KindOf(err) != session.KindUnsupported {
		t.Error(err)
	}
	ch := openChat(t, newService(t))
	if err := ch.c.Configure(context.Background(), session.Settings{Mode: session.ModePlan}); session.KindOf(err) != session.KindUnsupported {
		t.Error(err)
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
	if len(settled) != 1 || settled[0].How != session.SettledAnswered || settled[0].Answer.Decision != session.Allow {
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
