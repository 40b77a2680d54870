package claude

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/claude/mapper"
)

// inTurn plays a turn that is still running when f is called, and ends it afterwards.
func inTurn(t *testing.T, f func(t *testing.T, ch *chat), opts ...option) {
	t.Helper()
	talk(t, func(t *testing.T, ch *chat) {
		done := ch.begin(context.Background(), turnID(1), "hello")
		ch.rt().start()
		ch.rt().taken(string(turnID(1)))
		synctest.Wait()
		f(t, ch)
		synctest.Wait()
		ch.rt().result()
		ch.finished(done)
	}, opts...)
}

func bashAsk(call, command, more string) string {
	return fmt.Sprintf(`{"subtype":"can_use_tool","tool_name":"Bash","tool_use_id":%q,"input":{"command":%q}%s}`, call, command, more)
}

const suggestNPM = `,"permission_suggestions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"npm test:*"}],"behavior":"allow","destination":"localSettings"}]`

const suggestMCP = `,"permission_suggestions":[{"type":"addRules","rules":[{"toolName":"mcp__x__y"}],"behavior":"allow","destination":"localSettings"}]`

func TestPermissionAnsweredWithinTheHandler(t *testing.T) {
	inTurn(t, func(t *testing.T, ch *chat) {
		var errs []error
		ch.on = func(e session.Event) {
			if a, ok := e.(session.Asked); ok {
				errs = append(errs, ch.c.Answer(a.Ask, session.Answer{Decision: session.Allow, Scope: session.ScopeOnce}))
			}
		}
		ch.rt().tool("t1", "Bash", `{"command":"make"}`)
		ch.rt().ask("ask-1", bashAsk("t1", "make", ""))
		synctest.Wait()
		if len(errs) != 1 || errs[0] != nil {
			t.Fatal(errs)
		}
		if got := string(ch.rt().raw["ask-1"]); got != `{"behavior":"allow","updatedInput":{"command":"make"}}` {
			t.Error(got)
		}
		if err := ch.answers("ask-1", session.Answer{Decision: session.Deny}); session.KindOf(err) != session.KindNotFound {
			t.Errorf("a second answer: %v", err)
		}
		ch.rt().line(`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}}`)
	})
}

func TestDenied(t *testing.T) {
	for _, tc := range []struct{ message, want string }{{"", mapper.RefusedByUser}, {"use yarn", mapper.Refused("use yarn")},
		{session.UnattendedReason, session.UnattendedReason}} {
		inTurn(t, func(t *testing.T, ch *chat) {
			ch.rt().tool("t1", "Bash", `{"command":"make"}`)
			ch.rt().ask("ask-1", bashAsk("t1", "make", ""))
			synctest.Wait()
			if err := ch.answers("ask-1", session.Answer{Decision: session.Deny, Message: tc.message}); err != nil {
				t.Fatal(err)
			}
			if got := ch.rt().replies["ask-1"]; got.Behavior != "deny" || got.Message != tc.want {
				t.Errorf("%+v", got)
			}
			ch.rt().line(`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":%q}]}}`, tc.want)
			synctest.Wait()
			if ended := eventsOf[session.ToolEnded](ch); len(ended) != 1 || ended[0].Outcome != session.ToolDenied || ended[0].Result.Text != cmp.Or(tc.message, tc.want) {
				t.Errorf("%+v", ended)
			}
		})
	}
}

// What holds for the session is never written into the repository, and the user sees in words what it is.
func TestAllowedForTheSession(t *testing.T) {
	inTurn(t, func(t *testing.T, ch *chat) {
		ch.rt().ask("ask-1", `{"subtype":"can_use_tool","tool_name":"mcp__x__y","tool_use_id":"t1","input":{}`+suggestMCP+`}`)
		synctest.Wait()
		asked := eventsOf[session.Asked](ch)
		if len(asked) != 1 || len(asked[0].Permission.Rules) == 0 || asked[0].Permission.Rules[0].Text != "mcp x/y" {
			t.Fatalf("%+v", asked)
		}
		if err := ch.answers("ask-1", session.Answer{Decision: session.Allow, Scope: session.ScopeSession}); err != nil {
			t.Fatal(err)
		}
		if got := string(ch.rt().raw["ask-1"]); got != `{"behavior":"allow","updatedInput":{}}` {
			t.Error(got)
		}
		ch.rt().ask("ask-2", `{"subtype":"can_use_tool","tool_name":"mcp__x__y","tool_use_id":"t2","input":{}`+suggestMCP+`}`)
		synctest.Wait()
		if got := ch.rt().replies["ask-2"]; got.Behavior != "allow" {
			t.Errorf("%+v", got)
		}
	})
}

func TestAllowedOnceLeavesNothingBehind(t *testing.T) {
	inTurn(t, func(t *testing.T, ch *chat) {
		ch.rt().ask("ask-1", bashAsk("t1", "npm test", suggestNPM))
		synctest.Wait()
		if err := ch.answers("ask-1", session.Answer{Decision: session.Allow, Scope: session.ScopeOnce}); err != nil {
			t.Fatal(err)
		}
		if got := string(ch.rt().raw["ask-1"]); strings.Contains(got, "updatedPermissions") {
			t.Error(got)
		}
	})
}

const twoQuestions = `{"subtype":"can_use_tool","tool_name":"AskUserQuestion","tool_use_id":"t1","input":{"questions":[
 {"question":"Which?","header":"W","options":[{"label":"A"},{"label":"B"}],"multiSelect":true},
 {"question":"Why?","header":"Y","options":[{"label":"C"}]}]}}`

func TestQuestions(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer session.Answer
		want   string
	}{
		{"several and free text", session.Answer{Decision: session.Allow, Choices: map[string][]string{"Which?": {"A", "B"}, "Why?": {"because"}}},
			`"answers":{"Which?":"A, B","Why?":"because"}`},
		{"one of two", session.Answer{Decision: session.Allow, Choices: map[string][]string{"Which?": {"A"}, "Why?": nil}}, `"answers":{"Which?":"A"}`},
		{"nothing", session.Answer{Decision: session.Allow}, mapper.RefusedUnanswered},
		{"skipped", session.Answer{Decision: session.Deny, Choices: map[string][]string{"Which?": {"A"}}}, mapper.RefusedUnanswered},
		{"words instead", session.Answer{Decision: session.Deny, Message: "ask me later"}, "ask me later"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			inTurn(t, func(t *testing.T, ch *chat) {
				ch.rt().ask("ask-1", strings.ReplaceAll(twoQuestions, "\n", ""))
				synctest.Wait()
				asked := eventsOf[session.Asked](ch)
				if len(asked) != 1 || asked[0].Kind != session.AskQuestion || len(asked[0].Question.Questions) != 2 || !asked[0].Question.Questions[0].Multi {
					t.Fatalf("%+v", asked)
				}
				if err := ch.answers("ask-1", tc.answer); err != nil {
					t.Fatal(err)
				}
				if got := string(ch.rt().raw["ask-1"]); !strings.Contains(got, tc.want) {
					t.Error(got)
				}
				if strings.Contains(tc.want, "answers") && !strings.Contains(string(ch.rt().raw["ask-1"]), `"questions":[`) {
					t.Error("the input was not sent along")
				}
			})
		})
	}
}

func TestEmptyQuestionIsDenied(t *testing.T) {
	inTurn(t, func(t *testing.T, ch *chat) {
		ch.rt().ask("ask-1", `{"subtype":"can_use_tool","tool_name":"AskUserQuestion","tool_use_id":"t1","input":{"questions":[]}}`)
		synctest.Wait()
		if got := ch.rt().replies["ask-1"]; got.Behavior != "deny" || got.Message != mapper.RefusedNoQuestion {
			t.Errorf("%+v", got)
		}
		if len(eventsOf[session.Asked](ch)) != 0 {
			t.Error("the user was asked nothing")
		}
	}, func(_ *Options, o *session.OpenOptions) { o.Settings.Mode = session.ModeBypass })
}

func TestPlans(t *testing.T) {
	const words, filed = `{"plan":"# Plan"}`, `{"plan":"# Plan","planFilePath":"/plans/a.md"}`
	for _, tc := range []struct {
		name   string
		input  string
		answer session.Answer
		want   string
	}{
		{"approve", words, session.Answer{Decision: session.Allow}, `{"behavior":"allow","updatedInput":{"plan":"# Plan"}}`},
		{"approve what is in a file", filed, session.Answer{Decision: session.Allow},
			`{"behavior":"allow","updatedInput":{"planFilePath":"/plans/a.md"}}`},
		{"approve and edit", words, session.Answer{Decision: session.Allow, Mode: session.ModeAcceptEdits},
			`{"behavior":"allow","updatedInput":{"plan":"# Plan"},"updatedPermissions":[{"destination":"session","mode":"acceptEdits","type":"setMode"}]}`},
		{"approve with words", words, session.Answer{Decision: session.Allow, Message: "smaller steps"}, `{"behavior":"allow","updatedInput":{"plan":"# Plan"}}`},
		{"approve an edited plan", words, session.Answer{Decision: session.Allow, Plan: "# Other"}, `{"behavior":"allow","updatedInput":{"plan":"# Other"}}`},
		{"approve an edited plan of a file", filed, session.Answer{Decision: session.Allow, Plan: "# Other", Mode: session.ModeAcceptEdits},
			`{"behavior":"allow","updatedInput":{"plan":"# Other","planFilePath":"/plans/a.md"},` +
				`"updatedPermissions":[{"destination":"session","mode":"acceptEdits","type":"setMode"}]}`},
		{"send back", words, session.Answer{Decision: session.Deny, Message: "smaller steps"}, `{"behavior":"deny","message":"The user refused, and says: smaller steps"}`},
		{"keep planning", words, session.Answer{Decision: session.Deny}, `{"behavior":"deny","message":"` + mapper.RefusedKeepPlan + `"}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			inTurn(t, func(t *testing.T, ch *chat) {
				before := len(ch.rt().called())
				ch.rt().ask("ask-1", `{"subtype":"can_use_tool","tool_name":"ExitPlanMode","tool_use_id":"t1","input":`+tc.input+`}`)
				synctest.Wait()
				if asked := eventsOf[session.Asked](ch); len(asked) != 1 || asked[0].Plan == nil || asked[0].Plan.Plan != "# Plan" {
					t.Fatalf("%+v", asked)
				}
				if err := ch.answers("ask-1", tc.answer); err != nil {
					t.Fatal(err)
				}
				if got := string(ch.rt().raw["ask-1"]); got != tc.want {
					t.Error(got)
				}
				if got := ch.rt().called()[before:]; !slices.Equal(got, []string{"reply ask-1"}) {
					t.Errorf("the answer made requests: %q", got)
				}
			})
		})
	}
}

func TestRequestTakenBack(t *testing.T) {
	inTurn(t, func(t *testing.T, ch *chat) {
		ch.rt().ask("ask-1", bashAsk("t1", "make", ""))
		ch.rt().cancel("ask-1")
		ch.rt().cancel("ask-1")
		ch.rt().cancel("never")
		synctest.Wait()
		if got := eventsOf[session.Settled](ch); len(got) != 1 || got[0].How != session.SettledCancelled || got[0].Why != session.WhyWithdrawn {
			t.Errorf("%+v", got)
		}
		if err := ch.answers("ask-1", session.Answer{Decision: session.Allow}); session.KindOf(err) != session.KindNotFound {
			t.Error(err)
		}
	})
}

func TestAbortSettlesAllAsks(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		ctx, cancel := context.WithCancel(t.Context())
		done := ch.begin(ctx, turnID(1), "hello")
		ch.rt().onStop = nil // deaf: the asks do not wait for it
		ch.rt().taken(string(turnID(1)))
		for _, id := range []string{"a", "b", "c"} {
			ch.rt().ask(id, bashAsk("t-"+id, "make "+id, ""))
		}
		synctest.Wait()
		cancel()
		synctest.Wait()
		if got := eventsOf[session.Settled](ch); len(got) != 3 || got[0].Why != session.WhyInterrupted {
			t.Errorf("%+v", got)
		}
		ch.running(done)
		ch.rt().aborted()
		ch.finished(done)
	})
}

func TestAskBetweenTurnsIsDenied(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		ch.turn(1, "hello")
		ch.rt().ask("ask-1", bashAsk("t1", "make", ""))
		synctest.Wait()
		if got := ch.rt().replies["ask-1"]; got.Behavior != "deny" || got.Message != mapper.RefusedNoTurn {
			t.Errorf("%+v", got)
		}
	})
}

func TestUnknownRequestIsRefused(t *testing.T) {
	inTurn(t, func(t *testing.T, ch *chat) {
		ch.rt().ask("hook-1", `{"subtype":"mcp_message","callback_id":"x"}`)
		synctest.Wait()
		if !slices.Contains(ch.rt().called(), "refuse hook-1") {
			t.Error(ch.rt().called())
		}
	})
}

// An answer does not wait for a runtime that is slow to read.
func TestAnswerDoesNotWaitForTheRuntime(t *testing.T) {
	inTurn(t, func(t *testing.T, ch *chat) {
		release := make(chan struct{})
		ch.rt().onReply = func() { <-release }
		ch.rt().ask("ask-1", bashAsk("t1", "make", ""))
		synctest.Wait()
		begun := time.Now()
		if err := ch.c.Answer("ask-1", session.Answer{Decision: session.Allow}); err != nil {
			t.Error(err)
		}
		if waited := time.Since(begun); waited > 0 {
			t.Errorf("it waited %v", waited)
		}
		if got := eventsOf[session.Settled](ch); len(got) != 1 {
			t.Errorf("%+v", got)
		}
		close(release)
		synctest.Wait()
		if got := ch.rt().replies["ask-1"]; got.Behavior != "allow" {
			t.Errorf("%+v", got)
		}
	})
}
