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
	if q.At = 0; !q.HoldFor("Always") || q.At != 0 || q.Choices[q.ChoiceOf("2")].Answer.Scope != session.ScopeGlobal {
		t.Errorf("always: %+v", q.Choices)
	}
	kept := ask(session.Rule{Label: "make", Destination: "Claude Code"})
	if words, changes := kept.Permission.HowLong(); changes || words != "kept by Claude Code" || kept.Longer(1) || kept.HoldFor("project") {
		t.Errorf("what the runtime keeps holds %q", words)
	}
	if q := New(&session.Ask{Asked: session.Asked{Plan: &session.PlanAsk{Plan: "x"}}}, Options{}); q.Longer(1) {
		t.Error("a plan holds longer")
	}
}

// TestSentences reads the lasting answer of every kind of rule.
func TestSentences(t *testing.T) {
	for want, r := range map[string]session.Rule{
		"Yes, and don't ask again for go vet and go test":      {Text: "command go vet *\ncommand go test *", Names: []string{"go vet", "go test"}},
		"Yes, and don't ask again for exactly this":            {Text: "command git push origin main", Names: []string{"exactly this"}},
		"Yes, and any file in this project":                    {Text: "edit **", Names: []string{"any file in this project"}},
		"Yes, and any change to retry.go":                      {Text: "edit retry.go", Names: []string{"retry.go"}},
		"Yes, and don't ask again for example.com":             {Text: "fetch example.com", Names: []string{"example.com"}},
		"Yes, and don't ask again while check.sh is unchanged": {Text: "x", Names: []string{"exactly this"}, Unchanged: []string{"check.sh"}, Scopes: []session.Scope{session.ScopeSession}},
		"Yes, and don't ask again for every make":              {Label: "every make", Destination: "Claude Code"},
	} {
		q := New(&session.Ask{Asked: session.Asked{Permission: &session.PermissionAsk{Tool: "Bash", Command: "x", Rules: []session.Rule{r}}}}, Options{})
		if got := q.Choices[q.ChoiceOf("a")].Label; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if words, changes := q.Permission.HowLong(); (words == "this session only") != (len(r.Scopes) == 1) || changes != (r.Destination == "" && len(r.Scopes) != 1) {
			t.Errorf("%s: holds %q, %v", want, words, changes)
		}
		if (q.Permission.Note() != "") != (len(r.Unchanged) > 0) {
			t.Errorf("%s: the note is %q", want, q.Permission.Note())
		}
	}
}

// TestDangerBeginsAtNo asks about a dangerous call: no is selected, no digit answers, nothing lasts.
func TestDangerBeginsAtNo(t *testing.T) {
	q := New(&session.Ask{Asked: session.Asked{Permission: &session.PermissionAsk{Tool: "Bash", Command: "rm -rf build", Dangerous: true, Caution: "cannot be undone"}}}, Options{})
	if c := q.Choices[q.At]; c.Key != "n" || c.Answer.Decision != session.Deny || q.Caution != "cannot be undone" {
		t.Errorf("%+v is selected, the caution is %q", c, q.Caution)
	}
	for _, key := range []string{"1", "2", "3", "4", "a", "A"} {
		if q.ChoiceOf(key) >= 0 {
			t.Errorf("%s answers", key)
		}
	}
	if c := q.Choices[q.ChoiceOf("y")]; c.Answer.Decision != session.Allow || c.Answer.Scope != session.ScopeOnce {
		t.Errorf("yes: %+v", c)
	}
}
