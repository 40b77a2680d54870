package process

import (
	"context"
	"testing"

	"parley/session"
	"parley/session/permission"
)

func rulesOf(t *testing.T, texts ...string) (rules []permission.Rule) {
	t.Helper()
	for _, text := range texts {
		r, err := permission.ParseRule(text)
		if err != nil {
			t.Fatal(err)
		}
		rules = append(rules, r)
	}
	return rules
}

func TestRevoke(t *testing.T) {
	b := NewBook[int](rulesOf(t, "command go test *", "command go vet *", "command go test *"))
	before := b.Rules()
	b.Revoke("command go test *")
	if now := b.Rules(); len(now) != 1 || now[0].String() != "command go vet *" || len(before) != 3 {
		t.Errorf("%v, before %v", now, before)
	}
}

// An ask gets one verdict. A second verdict is refused, even if it comes at the same time.
func TestAnAskEndsOnce(t *testing.T) {
	b := NewBook[string](nil)
	a, same := b.Open("a", nil, "x"), b.Open("a", nil, "y")
	if same.ID != "a+" || b.Find("a") != a || len(b.All()) != 2 {
		t.Fatalf("%q, %d open", same.ID, len(b.All()))
	}
	allow := Answered(session.Answer{Decision: session.Allow})
	if b.Close("a", allow) != a || b.Close("a", allow) != nil || b.Find("a") != nil {
		t.Error("it is closed twice, or not at all")
	}
	a.End(allow)
	if v, ok := a.Wait(t.Context()); !ok || v.Answer.Decision != session.Allow {
		t.Errorf("%+v, %t", v, ok)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, ok := same.Wait(ended); ok || b.Find("a+") != same {
		t.Error("an ask without a verdict has one")
	}
	if v := Answered(session.Answer{Decision: session.Deny, Message: session.UnattendedReason}); v.How != session.SettledUnattended {
		t.Errorf("%+v", v)
	}
}

// A rule that an answer grants holds from then on, and what the rules decide now is judged; a question never is.
func TestJudged(t *testing.T) {
	b := NewBook[int](nil)
	perm := &session.PermissionAsk{Tool: "Bash", Command: "go test ./..."}
	rule := session.Rule{Text: "command go test *"}
	b.Open("first", perm, 0)
	b.Open("second", perm, 1)
	b.Open("question", nil, 2)
	b.Close("first", Answered(session.Answer{Decision: session.Allow, Scope: session.ScopeSession, Rule: &rule}))
	if len(b.Rules()) != 1 {
		t.Fatalf("%v", b.Rules())
	}
	r := b.Rules()[0]
	for ruling, want := range map[permission.Ruling]string{permission.Allow: session.WhyRuled, permission.Deny: session.WhyRefused, permission.Ask: ""} {
		verdicts := b.Judged(func(a *Ask[int]) permission.Decision {
			if a.With != 1 {
				t.Errorf("%d is judged", a.With)
			}
			return permission.Decision{Ruling: ruling, Rule: &r}
		})
		if verdicts["second"].Why != want || len(verdicts) > 1 || (want == "") != (len(verdicts) == 0) {
			t.Errorf("%s: %+v", ruling, verdicts)
		}
	}
	rulesBefore := len(b.Rules())
	ruled := Verdict{How: session.SettledAnswered, Ruling: &permission.Decision{}, Answer: session.Answer{Decision: session.Allow, Scope: session.ScopeSession, Rule: &rule}}
	if b.Close("second", ruled) == nil || len(b.Rules()) != rulesBefore {
		t.Error("a ruling grants a rule")
	}
}
