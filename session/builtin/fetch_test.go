package builtin

import (
	"strings"
	"testing"

	"parley/session"
	"parley/session/permission"
)

// A page is asked about by its domain; plan mode refuses it, and a rule or the bypass of permissions lets it pass. The pages
// here are on this machine, which the tool itself refuses.
func TestPagesAreAskedAboutByDomain(t *testing.T) {
	page := [3]string{"f", "WebFetch", `{"url":"http://127.0.0.1/secret"}`}
	rule := permission.Rule{Ruling: permission.Allow, Subject: permission.OnFetch, Pattern: "127.0.0.1"}
	deny := permission.Rule{Ruling: permission.Deny, Subject: permission.OnFetch, Pattern: "127.0.0.1"}
	for name, c := range map[string]struct {
		mode  session.Mode
		rules []permission.Rule
		asked int
		want  string
	}{
		"asked":     {session.ModeDefault, nil, 1, "not a public address"},
		"by a rule": {session.ModeDefault, []permission.Rule{rule}, 0, "not a public address"},
		"denied":    {session.ModeBypass, []permission.Rule{deny}, 0, "Refused: the rule"},
		"planning":  {session.ModePlan, []permission.Rule{rule}, 0, permission.PlanModeReason},
		"bypassed":  {session.ModeBypass, nil, 0, "not a public address"},
	} {
		s := newService(t, callsReply(page), says("done"))
		ch := openChat(t, s, mode(c.mode), func(o *Options, _ *session.OpenOptions) {
			o.Rules = func(string) permission.Kept { return permission.Kept{Rules: c.rules} }
		})
		ch.answerAll(session.Answer{Decision: session.Allow, Scope: session.ScopeOnce})
		ch.send("x")
		asks := eventsOf[session.Asked](ch)
		if got := ch.ended()["f"].Result.Text; len(asks) != c.asked || !strings.Contains(got, c.want) {
			t.Errorf("%s: asked %d times: %q", name, len(asks), got)
		}
		if len(asks) == 1 && (len(asks[0].Permission.Rules) != 1 || asks[0].Permission.Rules[0].Text != "fetch 127.0.0.1") {
			t.Errorf("%s: offered %+v", name, asks[0].Permission.Rules)
		}
	}
}
