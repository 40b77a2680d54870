package claude

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"parley/session"
)

// A mode that asks about less holds only if an answer of the user named it: a hook may choose one too.
func TestModeNobodyChose(t *testing.T) {
	for _, mode := range []session.Mode{session.ModeAcceptEdits, session.ModeBypass} {
		talk(t, func(t *testing.T, ch *chat) {
			done := ch.begin(t.Context(), turnID(1), "hello")
			ch.rt().start()
			ch.rt().taken(string(turnID(1)))
			ch.rt().line(`{"type":"system","subtype":"status","permissionMode":%q}`, mode)
			synctest.Wait()
			if got := eventsOf[session.ModeChanged](ch); len(got) != 0 {
				t.Errorf("taken over: %+v", got)
			}
			if !slices.Contains(ch.rt().called(), "mode default") {
				t.Errorf("not set back: %q", ch.rt().called())
			}
			if got := eventsOf[session.Notice](ch); len(got) != 1 || !strings.Contains(got[0].Text, string(mode)) {
				t.Errorf("said %+v", got)
			}
			ch.rt().line(`{"type":"system","subtype":"status","permissionMode":"default"}`)
			ch.rt().result()
			ch.finished(done)
		})
	}
}

// A mode that the user named with a plan holds. No other answer names one: what is allowed for the session is a rule of
// parley's, also where the runtime suggests a mode along with it.
func TestModeOfAnAnswer(t *testing.T) {
	const suggestions = `"permission_suggestions":[{"type":"setMode","mode":"acceptEdits","destination":"session"},
 {"type":"addRules","behavior":"allow","destination":"session","rules":[{"toolName":"WebFetch","ruleContent":"domain:x.example"}]}]`
	plan := `{"subtype":"can_use_tool","tool_name":"ExitPlanMode","input":{"plan":"p"},"tool_use_id":"c",` + suggestions + `}`
	edit := `{"subtype":"can_use_tool","tool_name":"Write","input":{"file_path":"/x"},"tool_use_id":"c",` + suggestions + `}`
	fetch := `{"subtype":"can_use_tool","tool_name":"WebFetch","input":{"url":"https://x.example"},"tool_use_id":"c",` + suggestions + `}`
	always := session.Answer{Decision: session.Allow, Scope: session.ScopeSession}
	for name, c := range map[string]struct {
		request string
		answer  session.Answer
		holds   bool
	}{
		"plan":                     {plan, session.Answer{Decision: session.Allow, Mode: session.ModeAcceptEdits}, true},
		"plan that names no mode":  {plan, session.Answer{Decision: session.Allow}, false},
		"plan that is not allowed": {plan, session.Answer{Decision: session.Deny, Mode: session.ModeAcceptEdits}, false},
		"plan with words":          {plan, session.Answer{Decision: session.Allow, Mode: session.ModeAcceptEdits, Message: "b"}, true},
		"mode that was chosen": {fetch, session.Answer{Decision: session.Allow, Rule: &session.Rule{Label: "the mode acceptEdits: edits in this project pass",
			Destination: "Claude Code, in this session"}}, true},
		"rule that was chosen": {fetch, session.Answer{Decision: session.Allow, Scope: session.ScopeSession,
			Rule: &session.Rule{Label: "pages of x.example", Destination: "Claude Code, in this session"}}, false},
		"edits": {edit, always, false},
		"calls": {fetch, always, false},
	} {
		t.Run(name, func(t *testing.T) {
			talk(t, func(t *testing.T, ch *chat) {
				done := ch.begin(t.Context(), turnID(1), "hello")
				ch.rt().start()
				ch.rt().taken(string(turnID(1)))
				ch.rt().ask("a", c.request)
				synctest.Wait()
				if err := ch.answers("a", c.answer); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				if sent := fmt.Sprint(ch.rt().replies["a"]); strings.Contains(sent, "setMode") != c.holds {
					t.Errorf("sent %s", sent)
				}
				ch.rt().line(`{"type":"system","subtype":"status","permissionMode":"acceptEdits"}`)
				synctest.Wait()
				if got := eventsOf[session.ModeChanged](ch); c.holds && (len(got) != 1 || got[0].Mode != session.ModeAcceptEdits) ||
					!c.holds && len(got) != 0 {
					t.Errorf("told %+v", got)
				}
				if slices.Contains(ch.rt().called(), "mode default") == c.holds {
					t.Errorf("called %q", ch.rt().called())
				}
				ch.rt().result()
				ch.finished(done)
			})
		})
	}
}

// A process reports each change of the mode, and an early one may come when parley has gone on to the next: it is neither
// taken over nor held against the runtime. What the runtime changes after its report of the newest mode counts.
func TestModeReportedLate(t *testing.T) {
	for _, modes := range [][]session.Mode{
		{session.ModeAcceptEdits, session.ModePlan}, // the late report loosens
		{session.ModePlan, session.ModeDefault},     // and here it restricts
		{session.ModeAcceptEdits, session.ModePlan, session.ModeDefault},
	} {
		talk(t, func(t *testing.T, ch *chat) {
			done := ch.begin(t.Context(), turnID(1), "hello")
			ch.rt().start()
			ch.rt().taken(string(turnID(1)))
			synctest.Wait()
			last := modes[len(modes)-1]
			for _, mode := range modes {
				if err := ch.c.Configure(t.Context(), session.Settings{Mode: mode}); err != nil {
					t.Fatal(err)
				}
			}
			report := func(mode session.Mode) {
				ch.rt().line(`{"type":"system","subtype":"status","permissionMode":%q}`, mode)
				synctest.Wait()
			}
			for _, mode := range modes[:len(modes)-1] {
				report(mode)
				if got := eventsOf[session.Notice](ch); len(got) != 0 {
					t.Errorf("said %+v", got)
				}
				if got := ch.settings().Mode; got != last {
					t.Errorf("%s is in force after the late report of %s", got, mode)
				}
				if calls := ch.rt().called(); calls[len(calls)-1] != "mode "+string(last) {
					t.Errorf("called %q", calls)
				}
			}
			report(last)
			if first := modes[0]; first.Loosens(last) { // a report may come twice, and even later
				report(first)
				if got := eventsOf[session.Notice](ch); len(got) != 0 {
					t.Errorf("said %+v", got)
				}
				if got := ch.settings().Mode; got != last {
					t.Errorf("%s is in force after another report of %s", got, first)
				}
				report(last)
			}
			report(session.ModePlan) // the model begins to plan
			if got := ch.settings().Mode; got != session.ModePlan {
				t.Errorf("%s is in force", got)
			}
			ch.rt().result()
			ch.finished(done)
		})
	}
}

// settings returns the settings of the conversation.
func (ch *chat) settings() session.Settings {
	c := ch.c.(*conversation)
	c.Mu.Lock()
	defer c.Mu.Unlock()
	return c.Settings
}
