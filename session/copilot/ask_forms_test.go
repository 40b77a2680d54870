package copilot

import (
	"encoding/json"
	"strings"
	"testing"

	"parley/session"
	"parley/session/copilot/dispatch"
)

func TestQuestions(t *testing.T) {
	free, bound := true, false
	for name, test := range map[string]struct {
		call   dispatch.UserInputCall
		answer session.Answer
		want   dispatch.UserInputAnswer
	}{
		"a choice": {dispatch.UserInputCall{Choices: []string{"red", "blue"}, Freeform: &free},
			session.Answer{Decision: session.Allow, Choices: map[string][]string{"Which?": {"blue"}}}, dispatch.UserInputAnswer{Answer: "blue"}},
		"own words": {dispatch.UserInputCall{Choices: []string{"red"}},
			session.Answer{Decision: session.Allow, Choices: map[string][]string{"Which?": {"green"}}}, dispatch.UserInputAnswer{Answer: "green", Freeform: true}},
		"a note": {dispatch.UserInputCall{Choices: []string{"red"}, Freeform: &bound}, session.Answer{Decision: session.Allow,
			Choices: map[string][]string{"Which?": {"red"}}, Notes: map[string]string{"Which?": "dark"}}, dispatch.UserInputAnswer{Answer: "red\ndark", Freeform: true}},
		"closed": {dispatch.UserInputCall{}, session.Answer{Decision: session.Deny}, dispatch.UserInputAnswer{Answer: session.Unanswered, Freeform: true}},
		"refused with words": {dispatch.UserInputCall{}, session.Answer{Decision: session.Deny, Message: "Later."},
			dispatch.UserInputAnswer{Answer: "Later.", Freeform: true}},
		"nothing said": {dispatch.UserInputCall{}, session.Answer{Decision: session.Allow}, dispatch.UserInputAnswer{Answer: session.Unanswered, Freeform: true}},
	} {
		d := newDesk(t)
		d.start("c1", "ask_user", `{}`)
		d.user = func(session.Asked) (session.Answer, bool) { return test.answer, true }
		test.call.Question = "Which?"
		got, err := d.userInput(t.Context(), test.call)
		if err != nil || got != test.want {
			t.Errorf("%s: %+v %v, want %+v", name, got, err, test.want)
		}
		q := of[session.Asked](d)[0]
		if one := q.Question.Questions[0]; q.Call != "c1" || len(one.Options) != len(test.call.Choices) || one.Free != (test.call.Freeform != &bound) {
			t.Errorf("%s: %+v", name, q)
		}
	}
}

func TestForms(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"},"who":{"type":"string"}}}`)
	for name, test := range map[string]struct {
		call   dispatch.ElicitationCall
		answer session.Answer
		want   string
	}{
		"filled in": {dispatch.ElicitationCall{Source: "db", Schema: schema},
			session.Answer{Decision: session.Allow, Choices: map[string][]string{"n": {"7"}, "who": {"me"}}}, `{"action":"accept","content":{"n":7,"who":"me"}}`},
		"a page":   {dispatch.ElicitationCall{Mode: "url", URL: "https://example.com"}, session.Answer{Decision: session.Allow}, `{"action":"accept"}`},
		"declined": {dispatch.ElicitationCall{Schema: schema}, session.Answer{Decision: session.Deny}, `{"action":"decline"}`},
		"closed":   {dispatch.ElicitationCall{Schema: schema}, session.Answer{Decision: session.Cancel}, `{"action":"cancel"}`},
		"unattended": {dispatch.ElicitationCall{Schema: schema}, session.Answer{Decision: session.Deny, Message: session.UnattendedReason},
			`{"action":"cancel"}`},
	} {
		d := newDesk(t)
		d.user = func(session.Asked) (session.Answer, bool) { return test.answer, true }
		got, _ := json.Marshal(d.elicitation(t.Context(), test.call))
		if string(got) != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
		if e := of[session.Asked](d)[0].Elicitation; e.Server != test.call.Source || e.URL != test.call.URL {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

func TestPlans(t *testing.T) {
	for name, test := range map[string]struct {
		answer session.Answer
		want   dispatch.ExitPlanAnswer
		mode   session.Mode
		note   string // in what the model reads after the call
	}{
		"approved": {session.Answer{Decision: session.Allow}, dispatch.ExitPlanAnswer{Approved: true, Action: "interactive"}, session.ModeDefault, ""},
		"approved with a mode": {session.Answer{Decision: session.Allow, Mode: session.ModeAcceptEdits},
			dispatch.ExitPlanAnswer{Approved: true, Action: "interactive"}, session.ModeAcceptEdits, ""},
		"approved with words": {session.Answer{Decision: session.Allow, Message: "Go."}, dispatch.ExitPlanAnswer{Approved: true, Action: "interactive"},
			session.ModeDefault, "The user says: Go."},
		"changed": {session.Answer{Decision: session.Allow, Plan: "# Mine"}, dispatch.ExitPlanAnswer{Approved: true, Action: "interactive"},
			session.ModeDefault, "# Mine"},
		"kept":               {session.Answer{Decision: session.Deny, Message: "More."}, dispatch.ExitPlanAnswer{Feedback: "More."}, session.ModePlan, ""},
		"kept without words": {session.Answer{Decision: session.Deny}, dispatch.ExitPlanAnswer{Feedback: planKept}, session.ModePlan, ""},
	} {
		d := newDesk(t)
		d.setMode(session.ModePlan)
		d.start("c1", planTool, `{"summary":"s"}`)
		d.user = func(session.Asked) (session.Answer, bool) { return test.answer, true }
		got := d.exitPlan(t.Context(), dispatch.ExitPlanCall{Summary: "s", Plan: "# Theirs", Actions: []string{"autopilot", "interactive", "exit_only"}, Recommended: "autopilot"})
		if got != test.want || d.mode != test.mode {
			t.Errorf("%s: %+v in mode %s", name, got, d.mode)
		}
		if (d.plan != "") != (test.answer.Plan != "") {
			t.Errorf("%s: the plan is %q", name, d.plan)
		}
		note := d.hooked("postToolUse", planTool, `{"summary":"s"}`)
		if (note != "") != (test.note != "") || !strings.Contains(note, test.note) {
			t.Errorf("%s: note %q", name, note)
		}
		if p := of[session.Asked](d)[0]; p.Plan.Plan != "# Theirs" || p.Call != "c1" {
			t.Errorf("%s: %+v", name, p)
		}
	}
	if got := planAction([]string{"autopilot", "exit_only"}); got != "exit_only" {
		t.Error(got)
	}
}

func TestAnotherModelAfterARateLimit(t *testing.T) {
	for choice, want := range map[string]string{switchOnce: "yes", switchAlways: "yes_always", switchNever: "no", "other": "no"} {
		d := newDesk(t)
		d.user = func(a session.Asked) (session.Answer, bool) {
			return session.Answer{Decision: session.Allow, Choices: map[string][]string{a.Question.Questions[0].Text: {choice}}}, true
		}
		if got := d.autoMode(t.Context(), dispatch.AutoModeCall{}); got != want {
			t.Errorf("%s: %s", choice, got)
		}
	}
	d := newDesk(t)
	d.user = func(session.Asked) (session.Answer, bool) { return session.Answer{Decision: session.Deny}, true }
	if got := d.autoMode(t.Context(), dispatch.AutoModeCall{}); got != "no" {
		t.Error(got)
	}
}
