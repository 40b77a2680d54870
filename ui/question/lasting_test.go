package question

import (
	"testing"

	"parley/session"
)

// TestHowLong steps through how long an answer holds; the lasting answer is selected and carries it.
func TestHowLong(t *testing.T) {
	ask := func(r session.Rule) *Question {
		return New(&session.Ask{Asked: session.Asked{Permission: &session.PermissionAsk{Tool: "Bash", Command: "make test", Rules: []session.Rule{r}}}}, Options{})
	}
	q := ask(session.Rule{Text: "command make *", Label: "make *"})
	for _, step := range []struct {
		by   int
		want session.Scope
	}{{1, session.ScopeProject}, {1, session.ScopeGlobal}, {1, session.ScopeGlobal}, {-1, session.ScopeProject}, {-5, session.ScopeSession}} {
		if c := q.Choices[q.At]; !q.Longer(step.by) || q.Permission.Scope() != step.want {
			t.Errorf("%+d steps from %+v lead to %s", step.by, c, q.Permission.Scope())
		}
		if c := q.Choices[q.At]; !c.Lasts || c.Answer.Scope != step.want || c.Select != (step.want != session.ScopeSession) {
			t.Errorf("%s: %+v is selected", step.want, c)
		}
	}
	if q.At = 0; !q.HoldFor(session.ScopeGlobal) || q.At != 0 || q.Choices[q.ChoiceOf("2")].Answer.Scope != session.ScopeGlobal {
		t.Errorf("always: %+v", q.Choices)
	}
	kept := ask(session.Rule{Label: "make", Destination: "Claude Code"})
	if words, changes := kept.Permission.HowLong(); changes || words != "kept by Claude Code" || kept.Longer(1) || kept.HoldFor(session.ScopeProject) {
		t.Errorf("what the runtime keeps holds %q", words)
	}
	if q := New(&session.Ask{Asked: session.Asked{Plan: &session.PlanAsk{Plan: "x"}}}, Options{}); q.Longer(1) {
		t.Error("a plan holds longer")
	}
}
