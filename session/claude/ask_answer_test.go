package claude

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"parley/session"
	"parley/session/permission"
)

// hooked makes the runtime's hook before or after a call, and returns the answer.
func (ch *chat) hooked(event, call, tool, input string) string {
	id := event + "-" + call
	ch.rt().ask(id, fmt.Sprintf(`{"subtype":"hook_callback","callback_id":"x","input":{"hook_event_name":%q,"tool_use_id":%q,"tool_name":%q,`+
		`"tool_input":%s,"permission_mode":"default","cwd":"/project"}}`, event, call, tool, input))
	synctest.Wait()
	return string(ch.rt().raw[id])
}

// A message with an allowance reaches the model with the result of that call, once.
func TestMessageWithAnAllowance(t *testing.T) {
	for _, event := range []string{"PostToolUse", "PostToolUseFailure"} {
		inTurn(t, func(t *testing.T, ch *chat) {
			ch.rt().tool("t1", "Bash", `{"command":"make"}`)
			ch.hooked("PreToolUse", "t1", "Bash", `{"command":"make"}`)
			ch.rt().ask("ask-1", bashAsk("t1", "make", ""))
			synctest.Wait()
			if err := ch.answers("ask-1", session.Answer{Decision: session.Allow, Scope: session.ScopeOnce, Message: "but use -v"}); err != nil {
				t.Fatal(err)
			}
			if got := ch.hooked(event, "t2", "Bash", `{}`); got != "{}" {
				t.Errorf("another call: %s", got)
			}
			want := `{"hookSpecificOutput":{"additionalContext":"The user allowed this call and said: but use -v","hookEventName":"` + event + `"}}`
			if got := ch.hooked(event, "t1", "Bash", `{"command":"make"}`); got != want {
				t.Error(got)
			}
			if got := ch.hooked(event, "t1", "Bash", `{"command":"make"}`); got != "{}" {
				t.Errorf("a second time: %s", got)
			}
		})
	}
}

// A lasting answer lets other open asks pass that its rule allows, and no others.
func TestALastingAnswerSettlesOtherAsks(t *testing.T) {
	fetch := func(call, site string) string {
		return fmt.Sprintf(`{"subtype":"can_use_tool","tool_name":"mcp__x__%s","tool_use_id":%q,"input":{"url":"https://%s"}}`, site, call, site)
	}
	for _, scope := range []session.Scope{session.ScopeSession, session.ScopeProject, session.ScopeOnce} {
		kept := permission.Kept{}
		inTurn(t, func(t *testing.T, ch *chat) {
			ch.rt().ask("ask-1", fetch("t1", "a"))
			ch.rt().ask("ask-2", fetch("t2", "a"))
			ch.rt().ask("ask-3", fetch("t3", "b"))
			synctest.Wait()
			rule := session.Rule{Text: "mcp x/a"}
			if scope == session.ScopeProject { // what live does first
				kept.Rules = append(kept.Rules, permission.Rule{Ruling: permission.Allow, Subject: permission.OnServer, Pattern: "x/a"})
			}
			if err := ch.answers("ask-1", session.Answer{Decision: session.Allow, Scope: scope, Rule: &rule}); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			settled := eventsOf[session.Settled](ch)
			if scope == session.ScopeOnce {
				if len(settled) != 1 {
					t.Errorf("%+v", settled)
				}
				return
			}
			if len(settled) != 2 || settled[1].Ask != "ask-2" || settled[1].How != session.SettledAnswered || settled[1].Why != session.WhyRuled ||
				settled[1].Answer.Decision != session.Allow || settled[1].Answer.Scope != session.ScopeOnce {
				t.Fatalf("%s: %+v", scope, settled)
			}
			if got := ch.rt().replies["ask-2"]; got.Behavior != "allow" {
				t.Errorf("%+v", got)
			}
			if _, answered := ch.rt().replies["ask-3"]; answered {
				t.Error("another call passed")
			}
		}, func(o *Options, _ *session.OpenOptions) { o.Rules = func(string) permission.Kept { return kept } })
	}
}

// The runtime gets what it offered if the user chose just that, and nothing of it otherwise.
func TestOffersOfTheRuntime(t *testing.T) {
	const suggestions = `,"permission_suggestions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"make *"}],"behavior":"allow","destination":"localSettings"},
 {"type":"addDirectories","directories":["/x"],"destination":"session"}]`
	offered := session.Rule{Label: `every command that begins with "make"`, Destination: ".claude/settings.local.json of this project"}
	other := offered
	other.Destination = "Claude Code, in this session"
	for name, c := range map[string]struct {
		rule *session.Rule
		want string
	}{
		"chosen":           {&offered, `[{"behavior":"allow","destination":"localSettings","rules":[{"ruleContent":"make *","toolName":"Bash"}],"type":"addRules"}]`},
		"another place":    {&other, ""},
		"nothing":          {nil, ""},
		"a rule of parley": {&session.Rule{Text: "command make *"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			inTurn(t, func(t *testing.T, ch *chat) {
				ch.rt().ask("ask-1", bashAsk("t1", "make", strings.ReplaceAll(suggestions, "\n", "")))
				synctest.Wait()
				asked := eventsOf[session.Asked](ch)
				if len(asked) != 1 || len(asked[0].Permission.Rules) < 2 || !asked[0].Permission.Rules[len(asked[0].Permission.Rules)-2].Is(offered) {
					t.Fatalf("%+v", asked[0].Permission)
				}
				if err := ch.answers("ask-1", session.Answer{Decision: session.Allow, Scope: session.ScopeSession, Rule: c.rule}); err != nil {
					t.Fatal(err)
				}
				got := string(ch.rt().raw["ask-1"])
				if !strings.Contains(got, c.want) || c.want == "" && strings.Contains(got, "updatedPermissions") {
					t.Error(got)
				}
			}, func(o *Options, _ *session.OpenOptions) { o.Trusted = func(string) bool { return true } })
		})
	}
}

// Notes and the previews of the chosen options go with the answers.
func TestNotesAndPreviews(t *testing.T) {
	inTurn(t, func(t *testing.T, ch *chat) {
		ch.rt().ask("ask-1", `{"subtype":"can_use_tool","tool_name":"AskUserQuestion","tool_use_id":"t1","input":{"questions":[`+
			`{"question":"Which?","header":"W","options":[{"label":"A","preview":"# a"},{"label":"B","preview":"# b"}]},`+
			`{"question":"What?","header":"V","options":[{"label":"A","preview":"# a"}],"multiSelect":true},`+
			`{"question":"Why?","header":"Y","options":[{"label":"C"}]}]}}`)
		synctest.Wait()
		asked := eventsOf[session.Asked](ch)
		if len(asked) != 1 || asked[0].Question.Questions[0].Options[1].Preview != "# b" {
			t.Fatalf("%+v", asked)
		}
		if err := ch.answers("ask-1", session.Answer{Decision: session.Allow, Choices: map[string][]string{"Which?": {"B"}, "What?": {"A"}, "Why?": {"because"}},
			Notes: map[string]string{"Which?": "but dark", "Why?": " ", "Never asked?": "x"}}); err != nil {
			t.Fatal(err)
		}
		if got := string(ch.rt().raw["ask-1"]); !strings.Contains(got, `"annotations":{"Which?":{"preview":"# b","notes":"but dark"}},"answers":`) {
			t.Error(got)
		}
	})
}
