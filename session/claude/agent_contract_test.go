//go:build contract

package claude

import (
	"os"
	"path/filepath"
	"testing"

	"parley/session"
	"parley/session/claude/mapper"
	"parley/session/runtimes/runtimestest"
)

var yes = session.Answer{Decision: session.Allow, Scope: session.ScopeOnce}

func always(a session.Answer) func(session.Asked) (session.Answer, bool) {
	return func(session.Asked) (session.Answer, bool) { return a, true }
}

// TestContractAgent lets the agent do on real runtimes what a user makes it do.
func TestContractAgent(t *testing.T) {
	dir := runtimestest.Installed(t)
	for _, rt := range driven() {
		for _, step := range agentSteps {
			t.Run(rt.version+"/"+step.name, func(t *testing.T) {
				t.Parallel()
				step.run(newWhole(t, runtimestest.Claude(t, dir, rt.version)))
			})
		}
	}
}

var agentSteps = []struct {
	name string
	run  func(w *whole)
}{
	{"turns", (*whole).turns},
	{"permissions", (*whole).permissions},
	{"question", (*whole).question},
	{"plan", (*whole).plan},
	{"bypass", (*whole).bypass},
	{"edits", (*whole).edits},
	{"abort", (*whole).abort},
	{"abort command", (*whole).abortCommand},
	{"abort with prompts", (*whole).abortWithPrompts},
	{"steer", (*whole).steer},
	{"steer late", (*whole).steerLate},
	{"queue", (*whole).queue},
	{"settings", (*whole).settings},
	{"aside", (*whole).asides},
	{"crash", (*whole).crash},
	{"crash at once", (*whole).crashAtOnce},
	{"resume", (*whole).resume},
	{"warm", (*whole).warmUp},
	{"attachments", (*whole).attachments},
	{"quota", (*whole).quota},
	{"children", (*whole).children},
	{"background", (*whole).background},
	{"meanwhile", (*whole).meanwhile},
	{"own servers", (*whole).ownServers},
	{"form", (*whole).form},
	{"link", (*whole).link},
	{"form interrupted", (*whole).formInterrupted},
}

func (w *whole) turns() {
	w.completes("hello", "You said: hello")
	pid := w.runtime()
	w.completes("second", "You said: second")
	if w.runtime() != pid {
		w.t.Error("another process for the second turn")
	}
	for _, e := range w.all() {
		if m, ok := e.(session.ModelChanged); ok && m.Model != "claude-sonnet-4.6" {
			w.t.Errorf("model %q", m.Model)
		}
	}
}

func (w *whole) permissions() {
	w.answers(always(session.Answer{Decision: session.Deny, Message: "not now"}))
	w.completes("run it", "not now")
	w.answers(always(yes))
	w.completes("run it", "made it")
	made := filepath.Join(w.dir, "made")
	if _, err := os.Stat(made); err != nil {
		w.t.Error(err)
	}
	// The rule that is offered names what the command changes. It holds for the session, and nothing is written into the
	// repository.
	w.answers(func(a session.Asked) (session.Answer, bool) {
		if own := ownRules(a.Permission); len(own) == 0 || own[0].Text != "command touch made" {
			w.t.Errorf("offered %+v", own)
		}
		return session.Answer{Decision: session.Allow, Scope: session.ScopeSession}, true
	})
	w.completes("run it", "made it")
	w.answers(always(session.Answer{Decision: session.Deny, Message: "not again"}))
	w.completes("run it", "made it")
	if _, err := os.Stat(filepath.Join(w.dir, ".claude")); err == nil {
		w.t.Error("something was written into the repository")
	}
}

// ownRules are the rules that an ask offers and parley would keep.
func ownRules(p *session.PermissionAsk) (own []session.Rule) {
	for _, r := range p.Rules {
		if r.Destination == "" {
			own = append(own, r)
		}
	}
	return own
}

func (w *whole) question() {
	w.answers(func(a session.Asked) (session.Answer, bool) {
		if a.Kind != session.AskQuestion {
			w.t.Errorf("asked %+v", a)
		}
		return session.Answer{Decision: session.Allow, Choices: map[string][]string{"Which colour?": {"a free green"}}}, true
	})
	w.completes("ask me", "a free green")
	w.answers(always(session.Answer{Decision: session.Deny}))
	w.completes("ask me", mapper.RefusedUnanswered[:30])
}

func (w *whole) plan() {
	if err := w.s.Configure(session.Settings{Mode: session.ModePlan}); err != nil {
		w.t.Fatal(err)
	}
	var asked []string
	w.answers(func(a session.Asked) (session.Answer, bool) {
		if a.Kind != session.AskPlan {
			return yes, true
		}
		asked = append(asked, a.Plan.Plan)
		if len(asked) == 1 {
			return session.Answer{Decision: session.Deny, Message: "smaller steps please"}, true
		}
		return session.Answer{Decision: session.Allow, Mode: session.ModeAcceptEdits}, true
	})
	w.completes("make a plan", "smaller steps please")
	if w.s.Settings().Mode != session.ModePlan {
		w.t.Errorf("mode %q after feedback", w.s.Settings().Mode)
	}
	w.completes("make a plan", "The tool said")
	if w.s.Settings().Mode != session.ModeAcceptEdits {
		w.t.Errorf("mode %q after approval", w.s.Settings().Mode)
	}
	w.until("change of mode", func(e session.Event) bool {
		m, ok := e.(session.ModeChanged)
		return ok && m.Mode == session.ModeAcceptEdits
	})
}

func (w *whole) bypass() {
	w.answers(func(a session.Asked) (session.Answer, bool) {
		if a.Kind == session.AskPermission {
			w.t.Errorf("asked %+v", a.Permission)
		}
		return session.Answer{Decision: session.Allow, Choices: map[string][]string{"Which colour?": {"Red"}}}, true
	})
	w.completes("hello", "hello")
	if err := w.s.Configure(session.Settings{Mode: session.ModeBypass}); err != nil {
		w.t.Fatal(err)
	}
	w.completes("run it", "made it")
	w.completes("ask me", "Red") // questions are asked in this mode too
}

func (w *whole) edits() {
	w.answers(always(session.Answer{Decision: session.Allow, Scope: session.ScopeSession}))
	w.completes("edit the file", "updated")
	got, err := os.ReadFile(filepath.Join(w.dir, "hello.txt"))
	if err != nil || string(got) != "uno\ntwo\n" {
		w.t.Errorf("%q %v", got, err)
	}
	for _, e := range w.all() {
		if a, ok := e.(session.Asked); ok && (a.Permission == nil || a.Permission.Path == "" || len(ownRules(a.Permission)) == 0 ||
			a.Permission.Rules[0].Text != "edit **") {
			w.t.Errorf("asked %+v", a)
		}
	}
	// The rule is for all tools that edit, and leaves what other programs run to the user.
	w.answers(always(session.Answer{Decision: session.Deny, Message: "not that"}))
	w.completes("write the file another.txt", "another.txt")
	w.completes("write the file .envrc", "not that")
	w.completes("run it", "not that")
}

func (w *whole) send(text string) session.PromptID {
	w.t.Helper()
	id, err := w.s.Send(session.Prompt{Text: text})
	if err != nil {
		w.t.Fatal(err)
	}
	return id
}

func (w *whole) ends(turn session.PromptID) session.TurnEnded {
	w.t.Helper()
	return w.until("end of "+string(turn), func(e session.Event) bool {
		end, ok := e.(session.TurnEnded)
		return ok && end.Turn == session.TurnID(turn)
	}).(session.TurnEnded)
}
