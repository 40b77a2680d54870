package builtin

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"parley/session"
	"parley/session/builtin/form"
	"parley/session/builtin/tool"
	"parley/session/builtin/wire"
)

const thePlan = "# Plan\n\n1. Write a.txt\n"

var aPlan = [3]string{"p1", form.Plan.Name, inputJSON(map[string]string{"plan": thePlan})}

// note returns the note about the mode at the end of the n-th request, "" for none.
func (s *fakeService) note(n int) string {
	messages := s.messages(n)
	last := messages[len(messages)-1].Content
	if text := last[len(last)-1].Text; strings.HasPrefix(text, "<system-reminder>\n") {
		return text
	}
	return ""
}

func TestDecisionsAboutAPlan(t *testing.T) {
	const edited = "# Plan\n\n1. Write b.txt"
	for name, c := range map[string]struct {
		answer  session.Answer
		outcome session.ToolOutcome
		mode    session.Mode
		says    []string
		without string
	}{
		"approved": {session.Answer{Decision: session.Allow, Mode: session.ModeDefault}, session.ToolOK, session.ModeDefault,
			[]string{"approved the plan.", "The permission mode is default"}, "version"},
		"without a mode": {session.Answer{Decision: session.Allow}, session.ToolOK, session.ModeDefault, []string{"approved the plan."}, ""},
		"an impossible mode": {session.Answer{Decision: session.Allow, Mode: "none"}, session.ToolOK, session.ModeDefault,
			[]string{"The permission mode is default"}, ""},
		"accepting edits": {session.Answer{Decision: session.Allow, Mode: session.ModeAcceptEdits}, session.ToolOK, session.ModeAcceptEdits,
			[]string{"The permission mode is acceptEdits"}, ""},
		"bypassing permissions": {session.Answer{Decision: session.Allow, Mode: session.ModeBypass}, session.ToolOK, session.ModeDefault,
			[]string{"The permission mode is default"}, ""},
		"with a message": {session.Answer{Decision: session.Allow, Message: "but use -v"}, session.ToolOK, session.ModeDefault,
			[]string{"approved the plan.", "The user says: but use -v"}, ""},
		"changed": {session.Answer{Decision: session.Allow, Plan: edited, Message: "b is shorter"}, session.ToolOK, session.ModeDefault,
			[]string{"approved the plan with changes", "The user says: b is shorter", edited}, ""},
		"opened and left": {session.Answer{Decision: session.Allow, Plan: "\n" + thePlan + "\n"}, session.ToolOK, session.ModeDefault,
			[]string{"approved the plan."}, "changes"},
		"refused":        {session.Answer{Decision: session.Deny}, session.ToolDenied, session.ModePlan, []string{"does not approve the plan yet. Do not begin with it; ask"}, ""},
		"what to change": {session.Answer{Decision: session.Deny, Message: "use b.txt"}, session.ToolDenied, session.ModePlan, []string{"does not approve the plan yet and says: use b.txt", "Propose the changed plan with ExitPlanMode."}, ""},
		"unattended":     {session.Answer{Decision: session.Deny, Message: session.UnattendedReason}, session.ToolDenied, session.ModePlan, []string{session.UnattendedReason}, "approve the plan"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService(t, callsReply(aPlan), says("all right"))
			ch := openChat(t, s, mode(session.ModePlan))
			ch.answerAll(c.answer)
			ch.send("x")
			asked := eventsOf[session.Asked](ch)
			if len(asked) != 1 || asked[0].Kind != session.AskPlan || asked[0].Plan.Plan != thePlan || asked[0].Call != "p1" || asked[0].Permission != nil {
				t.Fatalf("%+v", asked)
			}
			how := eventsOf[session.Settled](ch)[0]
			if (how.How == session.SettledUnattended) != (name == "unattended") || how.Answer.Plan != c.answer.Plan {
				t.Errorf("%+v", how)
			}
			result := s.messages(1)[2].Content[0]
			for _, want := range c.says {
				if !strings.Contains(result.Content, want) {
					t.Errorf("%q lacks %q", result.Content, want)
				}
			}
			if c.without != "" && strings.Contains(result.Content, c.without) {
				t.Errorf("%q", result.Content)
			}
			if got := ch.ended()["p1"]; got.Outcome != c.outcome || result.IsError != (c.outcome != session.ToolOK) {
				t.Errorf("%+v", got)
			}
			if got := ch.transcript().Settings.Mode; got != c.mode && (c.mode != session.ModePlan || got != "") {
				t.Errorf("the mode is %q", got)
			}
			if planning := strings.Contains(s.note(1), form.PlanNote); planning != (c.mode == session.ModePlan) {
				t.Errorf("the note after the answer is %q", s.note(1))
			}
		})
	}
}

// An approved plan is worked on at once in the mode of the approval.
func TestApprovedPlanIsCarriedOut(t *testing.T) {
	s := newService(t, callsReply(aPlan), callsReply(anEdit), says("done"))
	ch := openChat(t, s, mode(session.ModePlan))
	ch.answerAll(session.Answer{Decision: session.Allow, Mode: session.ModeAcceptEdits})
	ch.send("x")
	if got := ch.content("new/a.txt"); got != "hello\n" || len(eventsOf[session.Asked](ch)) != 1 {
		t.Errorf("%q, %+v", got, eventsOf[session.Asked](ch))
	}
}

func TestWrongPlans(t *testing.T) {
	for input, want := range map[string]string{
		`{"plan":" \n"}`: "The plan is empty", `{}`: `lacks "plan"`, `{"plan":["a"]}`: `"plan" must be of type string, not array`,
		`{"plan":"a","allowedPrompts":[]}`: "", `"plan"`: "not a JSON object",
	} {
		s := newService(t, callsReply([3]string{"p1", form.Plan.Name, input}), says("done"))
		ch := openChat(t, s, mode(session.ModePlan))
		ch.answerAll(session.Answer{Decision: session.Allow})
		ch.send("x")
		got := ch.ended()["p1"]
		if asked := len(eventsOf[session.Asked](ch)); asked != 0 != (want == "") || !strings.Contains(got.Result.Text, want) {
			t.Errorf("%s: asked %d times, %+v", input, asked, got)
		}
	}
}

// The tool is offered in every mode, and outside of plan mode asks nothing.
func TestPlanOutsideOfPlanMode(t *testing.T) {
	for _, m := range []session.Mode{session.ModeDefault, session.ModeAcceptEdits, session.ModeBypass} {
		s := newService(t, callsReply(aPlan), says("done"))
		ch := openChat(t, s, mode(m))
		ch.send("x")
		if got := ch.ended()["p1"]; got.Outcome != session.ToolFailed || !strings.HasPrefix(got.Result.Text, "Plan mode is not on") || len(eventsOf[session.Asked](ch)) != 0 {
			t.Errorf("%s: %+v", m, got)
		}
	}
}

// A mode chosen while a plan is asked about leaves the question open, and the approval does not undo it.
func TestModeChangeWhileAPlanIsAskedAbout(t *testing.T) {
	s := newService(t, callsReply(aPlan), says("done"))
	ch := openChat(t, s, mode(session.ModePlan))
	ch.on = func(e session.Event) {
		if a, ok := e.(session.Asked); ok {
			if err := ch.c.Configure(context.Background(), session.Settings{Mode: session.ModeBypass}); err != nil {
				t.Error(err)
			}
			if err := ch.c.Answer(a.Ask, session.Answer{Decision: session.Allow}); err != nil {
				t.Error(err)
			}
		}
	}
	ch.send("x")
	if got := ch.transcript().Settings.Mode; got != session.ModeBypass || !strings.Contains(ch.ended()["p1"].Result.Text, "The permission mode is bypassPermissions") {
		t.Errorf("%s, %+v", got, ch.ended()["p1"])
	}
}

// Plan mode chosen while an edit is asked about refuses it.
func TestPlanModeChosenWhileAsking(t *testing.T) {
	s := newService(t, callsReply(anEdit), says("done"))
	ch := openChat(t, s)
	ch.on = func(e session.Event) {
		if _, ok := e.(session.Asked); ok {
			if err := ch.c.Configure(context.Background(), session.Settings{Mode: session.ModePlan}); err != nil {
				t.Error(err)
			}
		}
	}
	ch.send("x")
	if got := ch.content("new/a.txt"); !strings.HasPrefix(got, "(") {
		t.Error("written all the same")
	}
	if a := eventsOf[session.Settled](ch)[0]; a.Answer.Decision != session.Deny || a.Answer.Message != "" || a.Why != session.WhyRefused {
		t.Errorf("%+v", a)
	}
	if got := ch.ended()["e1"]; got.Outcome != session.ToolDenied || got.Result.Text == refusedNote || s.note(1) == "" {
		t.Errorf("%+v", got)
	}
}

// The model is told the mode at the end of the newest request, and what the service has cached stays valid.
func TestNotesAboutTheMode(t *testing.T) {
	look := callsReply([3]string{"g1", "Glob", `{"pattern":"*"}`})
	s := newService(t, look, callsReply([3]string{"g2", "Glob", `{"pattern":"*"}`}), says("one"), says("two"), says("three"))
	ch := openChat(t, s, mode(session.ModePlan))
	ch.on = func(e session.Event) {
		if end, ok := e.(session.ToolEnded); ok && end.Call == "g1" {
			_ = ch.c.Configure(context.Background(), session.Settings{Mode: session.ModeAcceptEdits})
		}
	}
	ch.send("a")
	ch.send("b")
	_ = ch.c.Configure(context.Background(), session.Settings{Mode: session.ModeDefault})
	ch.send("c")
	for n, want := range []string{form.PlanNote, "Plan mode is off. The permission mode is acceptEdits", "Plan mode is off. ", "The permission mode is acceptEdits", "The permission mode is default"} {
		if got := s.note(n); !strings.HasPrefix(got, "<system-reminder>\n"+want) {
			t.Errorf("request %d: %q, want %q", n, got, want)
		}
	}
	checkCaches(t, s)
}

// checkCaches checks that each request begins with everything that the one before marked for the cache.
func checkCaches(t *testing.T, s *fakeService) {
	t.Helper()
	var before []string
	for n := range s.requests() {
		var flat []string
		marked := 0
		var body struct {
			System, Tools json.RawMessage
			Messages      []wire.Message
		}
		if err := json.Unmarshal([]byte(s.requests()[n]), &body); err != nil {
			t.Fatal(err)
		}
		flat = append(flat, string(body.Tools), string(body.System))
		for _, m := range body.Messages {
			for _, c := range m.Content {
				mark := c.CacheControl != nil
				c.CacheControl = nil
				b, _ := json.Marshal(c)
				flat = append(flat, m.Role+string(b))
				if mark {
					marked = len(flat)
				}
			}
		}
		if len(before) == 0 {
			before = flat[:marked]
			continue
		}
		if strings.Join(flat[:len(before)], "\n") != strings.Join(before, "\n") {
			t.Errorf("request %d does not begin as the one before:\n%s\n%s", n, flat[:len(before)], before)
		}
		before = flat[:marked]
	}
}

// An interrupted turn withdraws its question, and what the model reads later has the shape that the service demands.
func TestInterruptWhileAFormIsOpen(t *testing.T) {
	for _, call := range [][3]string{aPlan, aQuestion} {
		s := newService(t, callsReply(call), says("on"))
		ch := openChat(t, s, mode(session.ModePlan))
		ch.on = func(e session.Event) {
			if _, ok := e.(session.Asked); ok {
				ch.c.Abort()
			}
		}
		if end := ch.send("x"); end.Outcome != session.TurnCancelled {
			t.Errorf("%+v", end)
		}
		if how := eventsOf[session.Settled](ch); len(how) != 1 || how[0].How != session.SettledCancelled || how[0].Why != session.WhyInterrupted {
			t.Errorf("%+v", how)
		}
		ch.on = nil
		ch.send("y")
		messages := s.messages(1)
		checkShape(t, messages)
		if got := messages[2].Content[0]; got.Content != tool.Interrupted || !got.IsError {
			t.Errorf("%+v", got)
		}
	}
}

// A session that was killed with an open plan goes on with the plan in its history, unanswered.
func TestResumeWithAnOpenPlan(t *testing.T) {
	s := newService(t, callsReply(aPlan), says("never"))
	ch := openChat(t, s, mode(session.ModePlan))
	var cut *session.Transcript
	ch.on = func(e session.Event) {
		if _, ok := e.(session.Asked); ok {
			cut = ch.transcript()
			ch.c.Abort()
		}
	}
	ch.send("x")
	s2 := newService(t, callsReply([3]string{"p2", form.Plan.Name, aPlan[2]}), says("done"))
	on := openChat(t, s2, in(ch.dir), history(cut), mode(session.ModePlan))
	on.answerAll(session.Answer{Decision: session.Allow, Mode: session.ModeAcceptEdits})
	on.send("y")
	messages := s2.messages(1)
	checkShape(t, messages)
	if use, result := messages[1].Content[0], messages[2].Content[0]; use.Name != form.Plan.Name || !strings.Contains(string(use.Input), "Write a.txt") ||
		result.Content != tool.Interrupted {
		t.Errorf("%+v %+v", use, result)
	}
	if !strings.Contains(s2.note(0), form.PlanNote) || !strings.Contains(s2.note(1), "Plan mode is off") {
		t.Errorf("%q, %q", s2.note(0), s2.note(1))
	}
}
