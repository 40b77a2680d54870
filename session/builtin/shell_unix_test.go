//go:build unix

package builtin

import (
	"context"
	"os"
	"strings"
	"testing"

	"parley/session"
	"parley/session/permission"
)

func bashCall(id, command string) [3]string {
	return [3]string{id, "Bash", inputJSON(map[string]any{"command": command})}
}

// The policy judges a command line by where it would run: what an earlier one left never makes one pass that would be asked.
func TestTheDirectoryOfTheShellIsJudged(t *testing.T) {
	s := newService(t, callsReply(bashCall("c1", "mkdir sub; cd sub; echo x >new")), callsReply(bashCall("c2", "cat new")),
		callsReply(bashCall("c3", "cd / && export GOFLAGS=-x")), callsReply(bashCall("c4", "ls >/dev/null")), callsReply(bashCall("c5", "unset GOFLAGS; cd -")), says("done"))
	ch := openChat(t, s)
	asked := map[session.CallID]string{}
	ch.on = func(e session.Event) {
		if a, ok := e.(session.Asked); ok {
			asked[a.Call] = a.Permission.Reason
			_ = ch.c.Answer(a.Ask, session.Answer{Decision: session.Allow, Scope: session.ScopeOnce})
		}
	}
	ch.send("x")
	ends := ch.ended()
	if _, was := asked["c2"]; was || ends["c2"].Result.Text != "x\n" || !strings.Contains(ends["c2"].Result.Sent, "(now in sub)") {
		t.Errorf("%v, %+v", asked, ends["c2"])
	}
	if why := asked["c4"]; !strings.Contains(why, "GOFLAGS") {
		t.Errorf("%q", why)
	}
	if len(asked) != 4 || !strings.HasSuffix(ends["c5"].Result.Shell.Dir, "/sub") {
		t.Errorf("%v %+v", asked, ends["c5"].Result)
	}
	// The next process begins in the directory, and says that the rest is gone.
	s.add(callsReply(bashCall("d1", "pwd")), says("there"))
	next := openChat(t, s, in(ch.dir), history(ch.transcript()), mode(session.ModeBypass))
	next.send("where")
	if got := next.ended()["d1"].Result; !strings.HasSuffix(got.Text, "/sub\n") || !strings.Contains(got.Sent, "(the session was resumed") {
		t.Errorf("%+v", got)
	}
}

// A command in the background is a call with two ends. The model is told of the second in a turn that says why it began.
func TestAJobOfAConversation(t *testing.T) {
	background := func(id, command string) [3]string {
		return [3]string{id, "Bash", inputJSON(map[string]any{"command": command, "run_in_background": true})}
	}
	s := newService(t, callsReply(bashCall("c1", "mkfifo go")), callsReply(background("c2", "read x <go; echo built; exit 1")), says("It builds."),
		callsReply([3]string{"c4", "BashOutput", `{"bash_id":"sh1"}`}), says("It failed."))
	ch := openChat(t, s, mode(session.ModeBypass))
	over := make(chan session.TurnStarted, 9)
	var began session.TurnStarted
	ch.on = func(e session.Event) {
		switch e := e.(type) {
		case session.TurnStarted:
			began = e
		case session.TurnEnded:
			over <- began
		}
	}
	ch.send("build")
	<-over
	if first := ch.ended()["c2"]; !first.Result.Background || first.Result.Job != "sh1" {
		t.Fatalf("%+v", first)
	}
	go func() { // as the user's own shell would
		ws := ch.c.(*conversation).top.ws
		_ = writeLine(ws.Dir + "/go")
	}()
	if turn := <-over; turn.Origin != session.OriginAutonomous || turn.Because != "read x <go; echo built; exit 1 ended with exit code 1" || turn.Call != "c2" {
		t.Errorf("%+v", turn)
	}
	ends := ch.ended()
	if end := ends["c2"]; end.Outcome != session.ToolFailed || end.Result.Text != "built\n" || *end.Result.ExitCode != 1 || end.Duration == 0 {
		t.Errorf("%+v", end)
	}
	if got := ends["c4"].Result.Text; got != "built\n" {
		t.Errorf("%q", got)
	}
	before, after := s.messages(2), s.messages(3)
	for i := range before {
		if inputJSON(before[i].Content[0].Content) != inputJSON(after[i].Content[0].Content) {
			t.Errorf("message %d changed: %+v", i, after[i])
		}
	}
}

// What ran in the background ends with the conversation, and after a kill the next one reports it.
func TestJobsEndWithParley(t *testing.T) {
	s := newService(t, callsReply([3]string{"c1", "Bash", `{"command":"sleep 1000","run_in_background":true}`}), says("ok"))
	ch := openChat(t, s, mode(session.ModeBypass))
	ch.send("x")
	killed := ch.transcript() // as it was before the end
	if err := ch.c.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	end := ch.ended()["c1"]
	if end.Result.Background || end.Outcome != session.ToolCancelled || end.Result.Summary != "ended with parley" {
		t.Errorf("%+v", end)
	}
	for name, past := range map[string]*session.Transcript{"closed": ch.transcript(), "killed": killed} {
		s := newService(t, callsReply([3]string{"d1", "Bash", `{"command":"sleep 1000","run_in_background":true}`}), says("ok"))
		next := openChat(t, s, in(ch.dir), history(past), mode(session.ModeBypass))
		next.send("go on")
		if got := next.ended()["d1"].Result.Job; got != "sh2" {
			t.Errorf("%s: %q", name, got)
		}
		if e, again := next.ended()["c1"]; again != (name == "killed") || again && e.Result.Summary != "ended with parley" {
			t.Errorf("%s: %+v", name, e)
		}
		told := false
		for _, m := range s.messages(0) {
			for _, c := range m.Content {
				told = told || strings.Contains(c.Text, "ended with parley")
			}
		}
		if !told {
			t.Errorf("%s: the model is not told: %+v", name, s.messages(0))
		}
	}
}

// Reading and stopping what the agent started needs no permission, but a rule may deny it.
func TestOwnJobsNeedNoPermission(t *testing.T) {
	rules := func(o *Options, _ *session.OpenOptions) {
		o.Rules = func(string) permission.Kept {
			return permission.Kept{Rules: []permission.Rule{{Ruling: permission.Allow, Subject: permission.OnCommand, Pattern: "sleep *"},
				{Ruling: permission.Deny, Subject: permission.OnTool, Pattern: "BashOutput"}}}
		}
	}
	s := newService(t, callsReply([3]string{"c1", "Bash", `{"command":"sleep 1000","run_in_background":true}`}),
		callsReply([3]string{"c2", "BashOutput", `{"bash_id":"sh1"}`}, [3]string{"c3", "KillShell", `{"shell_id":"sh1"}`}), says("ok"))
	ch := openChat(t, s, rules)
	ch.send("x")
	ends := ch.ended()
	if len(eventsOf[session.Asked](ch)) > 0 || ends["c2"].Outcome != session.ToolDenied || !strings.HasPrefix(ends["c3"].Result.Text, "Stopped sh1") {
		t.Errorf("%+v\n%+v", ends["c2"], ends["c3"])
	}
}

// writeLine writes a line into a file, which may wait for a reader.
func writeLine(path string) error { return os.WriteFile(path, []byte("\n"), 0o600) }
