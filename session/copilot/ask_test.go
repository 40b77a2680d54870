package copilot

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"parley/session"
	"parley/session/copilot/dispatch"
	"parley/session/copilot/guard"
	"parley/session/copilot/mapper"
	"parley/session/copilot/protocol"
	"parley/session/permission"
	"parley/session/process/scope"
)

// desk is an ask book with a user: what it emits is kept, and answered by the function user if there is one.
type desk struct {
	*asks
	t    *testing.T
	dir  string
	user func(session.Asked) (session.Answer, bool)

	mu     sync.Mutex
	mode   session.Mode
	rules  permission.Kept
	events []session.Event
	plan   string
	images []string // "before ID" and "drop ID"
	idle   bool     // no turn runs
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, dir: dir, mode: session.ModeDefault}
	d.asks = newAskBook(askOptions{
		Guard: func() guard.Guard {
			d.mu.Lock()
			defer d.mu.Unlock()
			return guard.Guard{Scope: scope.Scope{Dirs: []string{dir}, Rules: d.rules, Environ: []string{"PATH=/usr/bin:/bin"}}, Mode: d.mode}
		},
		Head: func(_ session.CallID, agent string) (session.Head, bool) {
			d.mu.Lock()
			defer d.mu.Unlock()
			return session.Head{Session: "s", Turn: "t", Child: session.ChildID(agent)}, !d.idle && agent != "gone"
		},
		Emit: func(events ...session.Event) {
			d.mu.Lock()
			d.events = append(d.events, events...)
			d.mu.Unlock()
			for _, e := range events {
				if asked, ok := e.(session.Asked); ok && d.user != nil {
					if a, answers := d.user(asked); answers {
						if err := d.answer(asked.Ask, a); err != nil {
							t.Error(err)
						}
					}
				}
			}
		},
		SetMode: func(m session.Mode) { d.setMode(m) },
		SetPlan: func(_ context.Context, plan string) error { d.plan = plan; return nil },
		Files:   d, Model: func() string { return "m" },
	})
	return d
}

func (d *desk) setMode(m session.Mode) {
	d.mu.Lock()
	d.mode = m
	d.mu.Unlock()
	d.reconsider()
}

func (d *desk) Before(_ context.Context, c session.FileCall) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.images = append(d.images, "before "+string(c.Call))
}

func (d *desk) Drop(call session.CallID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.images = append(d.images, "drop "+string(call))
}
func (d *desk) Ended(session.ToolEnded)        {}
func (d *desk) Unaccepted(context.Context) int { return 0 }
func (d *desk) Close(context.Context) error    { return nil }

// start reports the start of a call.
func (d *desk) start(id, tool, args string) {
	data := `{"toolCallId":"` + id + `","toolName":"` + tool + `","arguments":` + args + `}`
	d.observe(protocol.Event{Type: "tool.execution_start", Data: json.RawMessage(data)})
}

// request makes a permission request.
func (d *desk) request(call, data string) dispatch.PermissionDecision {
	return d.permission(d.t.Context(), dispatch.PermissionCall{Origin: dispatch.Origin{Request: "r-" + call}, Call: call,
		Data: json.RawMessage(strings.ReplaceAll(data, "DIR", d.dir))})
}

// hooked calls a hook and returns its output.
func (d *desk) hooked(hook, tool, args string) string {
	out, err := d.hook(d.t.Context(), dispatch.HookCall{Hook: hook, Input: json.RawMessage(`{"toolName":"` + tool + `","toolArgs":` + args + `}`)})
	if err != nil {
		d.t.Error(err)
	}
	return string(out)
}

func of[T session.Event](d *desk) []T {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []T
	for _, e := range d.events {
		if e, ok := e.(T); ok {
			out = append(out, e)
		}
	}
	return out
}

const touch = `{"kind":"shell","toolCallId":"c1","fullCommandText":"touch x","intention":"make it"}`

func yes(session.Asked) (session.Answer, bool) {
	return session.Answer{Decision: session.Allow, Scope: session.ScopeOnce}, true
}

func TestPermissionAnswers(t *testing.T) {
	for name, test := range map[string]struct {
		answer session.Answer
		want   dispatch.PermissionDecision
		how    session.Settlement
	}{
		"allowed": {session.Answer{Decision: session.Allow}, dispatch.PermissionDecision{Kind: "approve-once"}, session.SettledAnswered},
		"refused": {session.Answer{Decision: session.Deny}, refuse(mapper.RefusedByUser), session.SettledAnswered},
		"refused with words": {session.Answer{Decision: session.Deny, Message: "Use make."}, refuse("Use make."),
			session.SettledAnswered},
		"unattended": {session.Answer{Decision: session.Deny, Message: session.UnattendedReason}, refuse(session.UnattendedReason),
			session.SettledUnattended},
	} {
		d := newDesk(t)
		d.user = func(session.Asked) (session.Answer, bool) { return test.answer, true }
		d.start("c1", "bash", `{"command":"touch x"}`)
		if got := d.request("c1", touch); got.Kind != test.want.Kind || got.Feedback != test.want.Feedback {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
		asked, settled := of[session.Asked](d), of[session.Settled](d)
		if len(asked) != 1 || asked[0].Permission.Command != "touch x" || asked[0].Permission.Reason != "make it" || asked[0].Call != "c1" ||
			asked[0].Turn != "t" || len(asked[0].Permission.Rules) == 0 {
			t.Errorf("%s: asked %+v", name, asked)
		}
		if len(settled) != 1 || settled[0].How != test.how || settled[0].Ask != asked[0].Ask {
			t.Errorf("%s: settled %+v", name, settled)
		}
		if err := d.answer(asked[0].Ask, session.Answer{}); session.KindOf(err) != session.KindNotFound {
			t.Errorf("%s: a second answer: %v", name, err)
		}
	}
}

func TestNothingIsAskedWithoutATurnOrOfAnUnknownChild(t *testing.T) {
	d := newDesk(t)
	d.user = yes
	if got := d.permission(t.Context(), dispatch.PermissionCall{Origin: dispatch.Origin{Agent: "gone"}, Data: json.RawMessage(touch)}); got.Kind != "reject" {
		t.Errorf("%+v", got)
	}
	d.idle = true
	if got := d.request("c1", touch); got.Kind != "reject" || len(of[session.Asked](d)) != 0 {
		t.Errorf("%+v", got)
	}
	if got := d.request("c1", `7`); got.Kind != "reject" {
		t.Errorf("an unreadable request: %+v", got)
	}
	if got := d.request("c1", `{"kind":"shell","fullCommandText":"ls"}`); got.Kind != "approve-once" {
		t.Errorf("a harmless command: %+v", got)
	}
}

// TestRulesGrantedTogetherCoverEachPart takes one offer with a rule for each part of a line.
func TestRulesGrantedTogetherCoverEachPart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		results := make(chan string, 1)
		ask := func(command string) {
			results <- d.request(command, `{"kind":"shell","fullCommandText":"`+command+`"}`).Kind
		}
		go ask("touch x && mkdir y")
		synctest.Wait()
		asked := of[session.Asked](d)
		if len(asked) != 1 || len(asked[0].Permission.Rules) == 0 || asked[0].Permission.Rules[0].Text != "command touch x\ncommand mkdir y" {
			t.Fatalf("%+v", asked)
		}
		if err := d.answer(asked[0].Ask, session.Answer{Decision: session.Allow, Scope: session.ScopeSession}); err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"", "touch x && mkdir y", "touch x", "mkdir y"} { // the first is answered
			if command != "" {
				go ask(command)
			}
			if got := <-results; got != "approve-once" || len(of[session.Asked](d)) != 1 {
				t.Errorf("%s: %s", command, got)
			}
		}
		d.book.Revoke("command mkdir y")
		go ask("mkdir y")
		synctest.Wait()
		if len(of[session.Asked](d)) != 2 {
			t.Error("a revoked rule still holds")
		}
		d.withdraw(session.WhyInterrupted)
		<-results
	})
}

func TestASessionRuleCoversWhatWaitsAndWhatComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		results := make(chan string, 3)
		ask := func(call string) {
			results <- d.request(call, touch).Kind
		}
		go ask("one")
		go ask("two")
		synctest.Wait()
		asked := of[session.Asked](d)
		if len(asked) != 2 {
			t.Fatalf("%d asks", len(asked))
		}
		rule := asked[0].Permission.Rules[0]
		if err := d.answer(asked[0].Ask, session.Answer{Decision: session.Allow, Scope: session.ScopeSession, Rule: &rule}); err != nil {
			t.Fatal(err)
		}
		if a, b := <-results, <-results; a != "approve-once" || b != "approve-once" {
			t.Error(a, b)
		}
		if s := of[session.Settled](d); len(s) != 2 || !slices.ContainsFunc(s, func(e session.Settled) bool { return e.Why == session.WhyRuled }) {
			t.Errorf("%+v", s)
		}
		ask("three")
		if got := <-results; got != "approve-once" || len(of[session.Asked](d)) != 2 {
			t.Error(got)
		}
		d.book.Revoke(rule.Text)
		go ask("four")
		synctest.Wait()
		if len(of[session.Asked](d)) != 3 {
			t.Error("a revoked rule still holds")
		}
		d.setMode(session.ModePlan)
		if got := <-results; got != "reject" {
			t.Errorf("the mode plan lets it pass: %s", got)
		}
	})
}

func TestAnAbortSettlesWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan dispatch.PermissionDecision, 2)
		go func() {
			done <- d.permission(ctx, dispatch.PermissionCall{Origin: dispatch.Origin{Request: "r"}, Data: json.RawMessage(touch)})
		}()
		synctest.Wait()
		cancel()
		if got := <-done; got.Kind != "reject" {
			t.Errorf("%+v", got)
		}
		go func() { done <- d.request("c2", touch) }()
		synctest.Wait()
		d.withdraw(session.WhyAgentEnded)
		<-done
		s := of[session.Settled](d)
		if len(s) != 2 || s[0].Why != session.WhyInterrupted || s[1].Why != session.WhyAgentEnded || s[0].How != session.SettledCancelled {
			t.Errorf("%+v", s)
		}
	})
}

func TestTheRuntimeAsksTwiceAboutAPathElsewhere(t *testing.T) {
	d := newDesk(t)
	d.user = yes
	d.start("c1", "view", `{"path":"/etc/hostname"}`)
	for range 2 {
		if got := d.request("c1", `{"kind":"read","path":"/etc/hostname"}`); got.Kind != "approve-once" {
			t.Errorf("%+v", got)
		}
	}
	if n := len(of[session.Asked](d)); n != 1 {
		t.Errorf("asked %d times", n)
	}
	d.request("c1", `{"kind":"read","path":"/etc/shadow"}`)
	if n := len(of[session.Asked](d)); n != 2 {
		t.Errorf("another path was not asked: %d", n)
	}
}

func TestImagesAreMadeBeforeACall(t *testing.T) {
	d := newDesk(t)
	d.user = yes
	args := `{"path":"a.txt","old_str":"one"}`
	d.start("c1", "edit", args)
	d.start("c2", "edit", args)
	// Hooks do not say which of two equal calls they are about; the older comes first.
	d.hooked("preToolUse", "edit", args)
	d.hooked("preToolUse", "edit", args)
	d.request("c1", `{"kind":"write","toolCallId":"c1","fileName":"DIR/a.txt","diff":""}`)
	d.user = func(session.Asked) (session.Answer, bool) { return session.Answer{Decision: session.Deny}, true }
	d.request("c2", `{"kind":"write","toolCallId":"c2","fileName":"DIR/a.txt","diff":""}`)
	d.setMode(session.ModeAcceptEdits)
	d.start("c3", "create", `{"path":"b.txt"}`)
	d.hooked("preToolUse", "create", `{ "path": "b.txt" }`)
	d.request("c3", `{"kind":"write","toolCallId":"c3","fileName":"DIR/b.txt","diff":""}`)
	want := []string{"before c1", "before c2", "before c1", "drop c2", "before c3"}
	if !slices.Equal(d.images, want) {
		t.Errorf("%q, want %q", d.images, want)
	}
}

func TestWordsWithAnAllowanceReachTheModelAfterTheCall(t *testing.T) {
	d := newDesk(t)
	d.user = func(session.Asked) (session.Answer, bool) {
		return session.Answer{Decision: session.Allow, Message: "but quickly"}, true
	}
	d.start("c1", "bash", `{"command":"touch x"}`)
	d.request("c1", touch)
	if got := d.hooked("postToolUse", "bash", `{"command":"touch x"}`); got != `{"additionalContext":"The user allowed this call and said: but quickly"}` {
		t.Error(got)
	}
	if got := d.hooked("postToolUse", "bash", `{"command":"touch x"}`); got != "" {
		t.Errorf("twice: %s", got)
	}
}

func TestTheHookDeniesAndAsks(t *testing.T) {
	d := newDesk(t)
	rule, err := permission.ParseRule("command touch *")
	if err != nil {
		t.Fatal(err)
	}
	rule.Ruling = permission.Deny
	d.rules.Rules = []permission.Rule{rule}
	if got := d.hooked("preToolUse", "bash", `{"command":"touch x"}`); !strings.Contains(got, `"permissionDecision":"deny"`) || !strings.Contains(got, "the rule command touch *") {
		t.Error(got)
	}
	d.observe(protocol.Event{Type: "session.mcp_servers_loaded", Data: json.RawMessage(`{"servers":[{"name":"t"}]}`)})
	if got := d.hooked("preToolUse", "t-look", `{"x":1}`); !strings.Contains(got, `"permissionDecision":"ask"`) {
		t.Error(got)
	}
	d.user = yes
	if got := d.request("c1", `{"kind":"hook","toolCallId":"c1","toolName":"t-look","toolArgs":{"x":1}}`); got.Kind != "approve-once" {
		t.Error(got)
	}
	if asked := of[session.Asked](d); len(asked) != 1 || asked[0].Permission.Tool != "mcp__t__look" {
		t.Errorf("%+v", asked)
	}
	if out, err := d.hook(t.Context(), dispatch.HookCall{Hook: "preToolUse", Input: json.RawMessage(`7`)}); err != nil || !strings.Contains(string(out), "ask") {
		t.Errorf("an unreadable hook: %s %v", out, err)
	}
	if got := d.hooked("sessionStart", "", `{}`); got != "" {
		t.Error(got)
	}
}
