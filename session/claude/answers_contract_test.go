//go:build contract

package claude

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/runtimes/runtimestest"
)

// TestContractAnswers gives real runtimes every kind of answer that says more than yes or no, and looks at what the model reads.
func TestContractAnswers(t *testing.T) {
	dir := runtimestest.Installed(t)
	for _, rt := range driven() {
		for _, step := range []struct {
			name string
			run  func(w *whole)
		}{
			{"message", (*whole).messageWithAllowance},
			{"edited plan", (*whole).editedPlan},
			{"preview and note", (*whole).previewAndNote},
			{"offer for the session", (*whole).offerForTheSession},
			{"offer in the repository", (*whole).offerInTheRepository},
		} {
			t.Run(rt.version+"/"+step.name, func(t *testing.T) {
				t.Parallel()
				step.run(newWhole(t, runtimestest.Claude(t, dir, rt.version)))
			})
		}
	}
}

// read fails unless the newest request to the model that mentions a text also has another.
func (w *whole) read(text, want string) {
	w.t.Helper()
	for _, r := range w.sim.Requests() {
		if body := string(r.Body); strings.Contains(body, text) && strings.Contains(body, want) {
			return
		}
	}
	w.t.Errorf("no request has %q and %q", text, want)
}

func (w *whole) messageWithAllowance() {
	w.answers(always(session.Answer{Decision: session.Allow, Scope: session.ScopeOnce, Message: "but use the flag -v"}))
	w.completes("run it", "made it")
	w.read("made it", "The user allowed this call and said: but use the flag -v")
	// A call that fails, and one of a child agent.
	w.completes("run the line touch x && false", "")
	w.read("touch x", "PostToolUseFailure:Bash hook additional context: The user allowed this call and said: but use the flag -v")
	w.completes("two colleagues", "")
	w.read("touch made-a", "The user allowed this call and said: but use the flag -v")
}

func (w *whole) editedPlan() {
	if err := w.s.Configure(session.Settings{Mode: session.ModePlan}); err != nil {
		w.t.Fatal(err)
	}
	w.answers(func(a session.Asked) (session.Answer, bool) {
		if a.Kind != session.AskPlan {
			return yes, true
		}
		return session.Answer{Decision: session.Allow, Mode: session.ModeAcceptEdits, Plan: "# Plan\n\n1. Look twice", Message: "take your time"}, true
	})
	w.completes("make a plan", "Approved Plan (edited by user)")
	w.read("1. Look twice", "The user allowed this call and said: take your time")
	if w.s.Settings().Mode != session.ModeAcceptEdits {
		w.t.Errorf("mode %q after approval", w.s.Settings().Mode)
	}
	files, err := filepath.Glob(filepath.Join(w.home, ".claude", "plans", "*.md"))
	if err != nil || len(files) != 1 {
		w.t.Fatalf("%q, %v", files, err)
	}
	if plan, err := os.ReadFile(files[0]); err != nil || string(plan) != "# Plan\n\n1. Look twice" {
		w.t.Errorf("the plan's file has %q, %v", plan, err)
	}
}

func (w *whole) previewAndNote() {
	w.answers(func(a session.Asked) (session.Answer, bool) {
		if o := a.Question.Questions[0].Options; o[0].Preview != "| a | b |" || o[1].Preview != "| a |" {
			w.t.Errorf("asked %+v", o)
		}
		return session.Answer{Decision: session.Allow, Choices: map[string][]string{"Which layout?": {"Tall"}},
			Notes: map[string]string{"Which layout?": "with a border"}}, true
	})
	ended, got := w.ask("show me some")
	if ended.Outcome != session.TurnCompleted || !strings.Contains(got, `"Which layout?"="Tall"`) || !strings.Contains(got, "selected preview:\n| a |") ||
		!strings.Contains(got, "notes: with a border") {
		w.t.Errorf("%s %q", ended.Outcome, got)
	}
	// The model is told that options can have previews.
	w.read("show me some", "preview")
}

// offerForTheSession chooses the mode that the runtime offers.
func (w *whole) offerForTheSession() {
	w.answers(func(a session.Asked) (session.Answer, bool) {
		return session.Answer{Decision: session.Allow, Scope: session.ScopeSession, Rule: w.offer(a, "the mode acceptEdits")}, true
	})
	w.completes("write the file one.txt", "")
	w.until("change of mode", func(e session.Event) bool {
		m, ok := e.(session.ModeChanged)
		return ok && m.Mode == session.ModeAcceptEdits
	})
	w.answers(func(a session.Asked) (session.Answer, bool) {
		w.t.Errorf("asked %+v", a.Permission)
		return session.Answer{Decision: session.Deny}, true
	})
	w.completes("write the file two.txt", "")
	if w.s.Settings().Mode != session.ModeAcceptEdits {
		w.t.Errorf("mode %q", w.s.Settings().Mode)
	}
	if _, err := os.Stat(filepath.Join(w.dir, ".claude")); err == nil {
		w.t.Error("something was written into the repository")
	}
}

// offerInTheRepository chooses a rule that the runtime keeps in the repository, whose settings it loads. 2.1.197 heeds it only
// later.
func (w *whole) offerInTheRepository() {
	w.withForms()
	w.answers(func(a session.Asked) (session.Answer, bool) {
		if a.Kind == session.AskElicitation {
			return session.Answer{Decision: session.Deny}, true
		}
		return session.Answer{Decision: session.Allow, Rule: w.offer(a, "every call of gate of the server forms")}, true
	})
	w.completes("go through the gate", "")
	const file = ".claude/settings.local.json"
	w.eventually("the rule in "+file, func() bool { // the runtime may write it after the turn
		kept, _ := os.ReadFile(filepath.Join(w.dir, file))
		return strings.Contains(string(kept), "mcp__forms__gate")
	})
}

// offer returns the runtime's offer with that label.
func (w *whole) offer(a session.Asked, label string) *session.Rule {
	for _, r := range a.Permission.Rules {
		if r.Destination != "" && strings.HasPrefix(r.Label, label) {
			return &r
		}
	}
	w.t.Errorf("%q is not offered: %+v", label, a.Permission.Rules)
	return nil
}
