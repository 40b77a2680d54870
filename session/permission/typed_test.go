package permission

import (
	"encoding/json"
	"testing"

	"parley/session"
	"parley/session/toolview"
)

// What is typed into a running command is asked about, refused where a rule denies the command line that it may be, and never
// remembered.
func TestTypingIsJudged(t *testing.T) {
	deny, err := ParseRule("command git push *")
	if err != nil {
		t.Fatal(err)
	}
	deny.Ruling = Deny
	allow, err := ParseRule("command echo *")
	if err != nil {
		t.Fatal(err)
	}
	ask := func(text string) session.PermissionAsk {
		in, err := json.Marshal(map[string]string{"bash_id": "sh1", "text": text})
		if err != nil {
			t.Fatal(err)
		}
		return session.PermissionAsk{Tool: typing, Input: in}
	}
	for _, c := range []struct {
		mode session.Mode
		text string
		want Ruling
	}{
		{session.ModeDefault, "echo hi\n", Ask}, {session.ModeAcceptEdits, "echo hi\n", Ask}, {session.ModePlan, "echo hi\n", Deny},
		{session.ModeDefault, "cd x && git push origin\n", Deny}, {session.ModeBypass, "git push\n", Deny},
	} {
		p := Policy{Mode: c.mode, Dirs: []string{"/repos/x"}, Base: "/repos/x", Rules: []Rule{deny, allow}}
		if got := p.Decide(toolview.Other, ask(c.text)); got.Ruling != c.want {
			t.Errorf("%s %q: %+v, want %v", c.mode, c.text, got, c.want)
		}
		if offers := p.SuggestRules(toolview.Other, ask(c.text)); len(offers) > 0 {
			t.Errorf("%q: offered %v", c.text, offers)
		}
	}
	if got := (Policy{Mode: session.ModeBypass}).Decide(toolview.Other, ask("ls\n")); got.Ruling != Allow {
		t.Errorf("%+v", got)
	}
}
