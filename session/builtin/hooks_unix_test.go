//go:build unix

package builtin

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"parley/session"
	"parley/session/hooks"
	"parley/session/permission"
)

// hooked gives a conversation hooks: pairs of an event, with its matcher after a colon, and a command line, in a settings file of the
// user. Every command line has $LOG, a file.
func hooked(t *testing.T, pairs ...string) (chatOption, func() string) {
	t.Helper()
	dir := t.TempDir()
	events := map[string][]any{}
	for i := 0; i < len(pairs); i += 2 {
		event, matcher, _ := strings.Cut(pairs[i], ":")
		events[event] = append(events[event], map[string]any{"matcher": matcher, "hooks": []any{map[string]any{"type": "command", "command": pairs[i+1], "timeout": 20}}})
	}
	data, err := json.Marshal(map[string]any{"hooks": events})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "settings.json"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(dir, "log")
	return func(o *Options, _ *session.OpenOptions) {
			o.Environ = append(os.Environ(), "LOG="+log)
			o.Hooks = func(ctx context.Context, at string) hooks.Set {
				return hooks.Places{Claude: dir}.Find(ctx, at, func() bool { return false })
			}
		}, func() string {
			data, _ := os.ReadFile(log)
			return string(data)
		}
}

// answering returns a command line that notes the event, and says something as JSON.
func answering(says string) string {
	line := `sed -n 's/.*"hook_event_name":"\([A-Za-z]*\)".*/\1/p' >> "$LOG"`
	if says != "" {
		line += `; printf '%s' '` + says + `'`
	}
	return line
}

var aCommand = [3]string{"b1", "Bash", `{"command":"sh -c 'echo hi'"}`}

// everything returns the texts of a request's messages.
func everything(s *fakeService, n int) string {
	var b strings.Builder
	for _, m := range s.messages(n) {
		for _, c := range m.Content {
			b.WriteString(c.Text + c.Content + "\n")
		}
	}
	return b.String()
}

func TestHooksOfATurnFireInOrder(t *testing.T) {
	var pairs []string
	for _, e := range session.HookEvents {
		pairs = append(pairs, e.Name, answering(""))
	}
	option, log := hooked(t, pairs...)
	s := newService(t, callsReply(aCommand), callsReply([3]string{"b2", "Bash", `{"command":"false"}`}),
		callsReply([3]string{"k", "Task", `{"description":"d","prompt":"p","subagent_type":"explore"}`}), says("child"), says("done"), fault(400, `{"type":"error"}`))
	ch := openChat(t, s, option, func(o *Options, _ *session.OpenOptions) { o.Unattended = true })
	ch.answerAll(session.Answer{Decision: session.Allow, Scope: session.ScopeOnce})
	if end := ch.send("x"); end.Outcome != session.TurnCompleted {
		t.Fatalf("%+v", end)
	}
	ch.send("y")
	if err := ch.c.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	want := "SessionStart UserPromptSubmit PreToolUse PermissionRequest PostToolUse PreToolUse PostToolUseFailure " +
		"PreToolUse SubagentStart SubagentStop PostToolUse Stop UserPromptSubmit StopFailure SessionEnd"
	if got := strings.Join(strings.Fields(log()), " "); got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
}

func TestHooksSpeakToTheModel(t *testing.T) {
	option, _ := hooked(t, "SessionStart:startup", "echo at the start", "SessionStart:resume", "echo resumed", "UserPromptSubmit", "echo with the prompt",
		"PreToolUse:Bash", answering(`{"hookSpecificOutput":{"additionalContext":"before"}}`), "PostToolUse:Bash", "echo after >&2; exit 2")
	s := newService(t, callsReply(aCommand), says("done"), says("again"))
	ch := openChat(t, s, option, mode(session.ModeBypass))
	ch.send("x")
	for n, want := range []string{"SessionStart:startup hook success: at the start|UserPromptSubmit hook success: with the prompt|x\n",
		"PreToolUse:Bash hook additional context: before|PostToolUse:Bash hook blocking error from command|after"} {
		for _, w := range strings.Split(want, "|") {
			if text := everything(s, n); !strings.Contains(text, w) {
				t.Errorf("no %q in\n%s", w, text)
			}
		}
	}
	ch.send("y")
	if text := everything(s, 2); strings.Count(text, "at the start") != 1 || strings.Count(text, "with the prompt") != 2 {
		t.Error(text)
	}
	s2 := newService(t, says("done"))
	resumed := openChat(t, s2, option, in(ch.dir), history(ch.transcript()))
	resumed.send("z")
	if text := everything(s2, 0); !strings.Contains(text, "SessionStart:resume hook success: resumed") || strings.Count(text, "at the start") != 1 {
		t.Error(text)
	}
}

func TestAHookBlocksACall(t *testing.T) {
	option, _ := hooked(t, "PreToolUse:Bash", `echo "not here" >&2; exit 2`)
	s := newService(t, callsReply(aCommand), says("done"))
	ch := openChat(t, s, option, mode(session.ModeBypass))
	ch.send("x")
	got := ch.ended()["b1"]
	if got.Outcome != session.ToolDenied || got.Result.Summary != session.BlockedByHook || got.Result.Text != "not here" {
		t.Errorf("%+v", got)
	}
	if r := s.messages(1)[2].Content[0]; !strings.HasPrefix(r.Content, "PreToolUse:Bash hook error: [") || !strings.HasSuffix(r.Content, "]: not here") || !r.IsError {
		t.Errorf("%+v", r)
	}
}

// A hook that guards calls and hangs blocks them, unless the setting lets them pass.
func TestAHookThatHangs(t *testing.T) {
	for _, pass := range []bool{false, true} {
		s := newService(t, callsReply(aCommand), says("done"))
		ch := openChat(t, s, mode(session.ModeBypass), func(o *Options, _ *session.OpenOptions) {
			o.HooksPass = pass
			o.Hooks = func(context.Context, string) hooks.Set {
				return hooks.Set{Hooks: []hooks.Hook{{Event: hooks.PreToolUse, Kind: hooks.Command, Command: "sleep 1000", Timeout: 1e8}}}
			}
		})
		ch.send("x")
		if got := ch.ended()["b1"]; (got.Outcome == session.ToolOK) != pass {
			t.Errorf("%+v", got)
		}
		notices := eventsOf[session.Notice](ch)
		if len(notices) != 1 || !strings.Contains(notices[0].Text, "gave no verdict: it timed out after 100ms") {
			t.Errorf("%+v", notices)
		}
	}
}

// What a hook allows is allowed only where no rule, no danger and no guarded file is against it; what it changes is judged again.
func TestHooksAndPermissions(t *testing.T) {
	allow := answering(`{"hookSpecificOutput":{"permissionDecision":"allow"}}`)
	ask := answering(`{"hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"look twice"}}`)
	change := func(command string) string {
		return answering(`{"hookSpecificOutput":{"permissionDecision":"allow","updatedInput":{"command":"` + command + `"}}}`)
	}
	granted := func(input string) string {
		return answering(`{"hookSpecificOutput":{"decision":{"behavior":"allow"` + input + `}}}`)
	}
	rule := func(text string) chatOption {
		return func(o *Options, _ *session.OpenOptions) {
			o.Rules = func(string) permission.Kept {
				ruling, words, _ := strings.Cut(text, " ")
				r, err := permission.ParseRule(words)
				if err != nil {
					t.Fatal(err)
				}
				r.Ruling = permission.Ruling(ruling)
				return permission.Kept{Rules: []permission.Rule{r}}
			}
		}
	}
	none := func(*Options, *session.OpenOptions) {}
	for _, c := range []struct {
		name, event, line string
		input             [3]string
		option            chatOption
		asked             int
		outcome           session.ToolOutcome
		text              string
	}{
		{"no hook", "Stop", answering(""), aCommand, none, 1, session.ToolOK, "hi"},
		{"allows", "PreToolUse", allow, aCommand, none, 0, session.ToolOK, "hi"},
		{"allows against a denying rule", "PreToolUse", allow, aCommand, rule("deny command sh"), 0, session.ToolDenied, ""},
		{"allows against an asking rule", "PreToolUse", allow, aCommand, rule("ask command sh"), 1, session.ToolOK, "hi"},
		{"allows what is dangerous", "PreToolUse", allow, [3]string{"b1", "Bash", `{"command":"rm -rf ./x"}`}, none, 1, session.ToolOK, ""},
		{"allows a guarded file", "PreToolUse", allow, [3]string{"b1", "Write", `{"file_path":".claude/settings.json","content":"{}"}`}, none, 1, session.ToolOK, ""},
		{"allows in plan mode", "PreToolUse", allow, aCommand, mode(session.ModePlan), 0, session.ToolDenied, ""},
		{"changes", "PreToolUse", change("sh -c 'echo changed'"), aCommand, none, 0, session.ToolOK, "changed"},
		{"changes to what a rule denies", "PreToolUse", change("curl evil"), aCommand, rule("deny command curl"), 0, session.ToolDenied, ""},
		{"asks", "PreToolUse", ask, aCommand, mode(session.ModeBypass), 1, session.ToolOK, "hi"},
		{"grants", "PermissionRequest", granted(""), aCommand, none, 0, session.ToolOK, "hi"},
		{"grants against an asking rule", "PermissionRequest", granted(""), aCommand, rule("ask command sh"), 1, session.ToolOK, "hi"},
		{"grants with a change", "PermissionRequest", granted(`,"updatedInput":{"command":"sh -c 'echo changed'"}`), aCommand, none, 0, session.ToolOK, "changed"},
		{"grants with a change that a rule asks about", "PermissionRequest", granted(`,"updatedInput":{"command":"curl evil"}`), aCommand, rule("deny command curl"), 0, session.ToolDenied, ""},
		{"refuses", "PermissionRequest", answering(`{"hookSpecificOutput":{"decision":{"behavior":"deny","message":"no"}}}`), aCommand, none, 0, session.ToolDenied, "no"},
	} {
		t.Run(c.name, func(t *testing.T) {
			option, _ := hooked(t, c.event, strings.ReplaceAll(c.line, `'echo changed'`, `'\''echo changed'\''`))
			s := newService(t, callsReply(c.input), says("done"))
			ch := openChat(t, s, option, c.option)
			ch.answerAll(session.Answer{Decision: session.Allow, Scope: session.ScopeOnce})
			ch.send("x")
			got := ch.ended()["b1"]
			if n := len(eventsOf[session.Asked](ch)); n != c.asked || got.Outcome != c.outcome || c.text != "" && strings.TrimSpace(got.Result.Text) != c.text {
				t.Errorf("asked %d times: %+v", n, got)
			}
		})
	}
}

func TestAHookBlocksAPrompt(t *testing.T) {
	option, _ := hooked(t, "SessionStart", "echo at the start", "UserPromptSubmit", `grep -q secret && { echo "keep it to yourself" >&2; exit 2; }; exit 0`)
	s := newService(t, says("done"))
	ch := openChat(t, s, option)
	end := ch.send("the secret")
	if end.Outcome != session.TurnRefused || end.Problem == nil || end.Problem.What != "A hook blocked the prompt: keep it to yourself" || len(s.requests()) != 0 {
		t.Fatalf("%+v", end)
	}
	ch.send("hello")
	if text := everything(s, 0); strings.Contains(text, "the secret") || !strings.Contains(text, "at the start") {
		t.Error(text)
	}
}

func TestAHookKeepsTheAgentFromStopping(t *testing.T) {
	option, log := hooked(t, "Stop", `cat >> "$LOG"; if [ $(wc -l < "$LOG") = 1 ]; then echo "run the tests" >&2; exit 2; fi`)
	s := newService(t, says("done"), says("really done"))
	ch := openChat(t, s, option)
	if end := ch.send("x"); end.Outcome != session.TurnCompleted || len(s.requests()) != 2 {
		t.Fatalf("%+v", end)
	}
	if text := everything(s, 1); !strings.Contains(text, "Stop hook feedback:\n[") || !strings.Contains(text, "run the tests") {
		t.Error(text)
	}
	if text := log(); !strings.Contains(text, `"last_assistant_message":"done"`) || !strings.Contains(text, `"stop_hook_active":true`) {
		t.Error(text)
	}
	always, _ := hooked(t, "Stop", "exit 2")
	var replies []reply
	for range 20 {
		replies = append(replies, says("done"))
	}
	s = newService(t, replies...)
	ch = openChat(t, s, always)
	if end := ch.send("x"); end.Outcome != session.TurnCompleted || len(s.requests()) != 9 {
		t.Errorf("%+v after %d requests", end, len(s.requests()))
	}
}

func TestAHookStopsTheTurn(t *testing.T) {
	for _, event := range []string{"PreToolUse", "PostToolUse"} {
		option, _ := hooked(t, event, answering(`{"continue":false,"stopReason":"enough"}`))
		s := newService(t, callsReply(aCommand))
		ch := openChat(t, s, option, mode(session.ModeBypass))
		if end := ch.send("x"); end.Outcome != session.TurnRefused || end.Problem.What != "A hook stopped the turn: enough." {
			t.Errorf("%s: %+v", event, end)
		}
		if got := ch.ended()["b1"].Outcome; (got == session.ToolOK) != (event == "PostToolUse") {
			t.Errorf("%s: the call is %s", event, got)
		}
	}
}

func TestHooksAroundASummary(t *testing.T) {
	option, log := hooked(t, "PreCompact:manual", `cat >> "$LOG"; echo "keep the names"`, "PostCompact", `cat >> "$LOG"`, "SessionStart:compact", "echo after the summary")
	summary := "<summary>all of it, in words that are long enough to be a summary of what was said</summary>"
	s := newService(t, says("one"), says(summary), says("two"))
	ch := openChat(t, s, option)
	ch.send("x")
	ch.send("/compact the plan")
	ch.send("y")
	if text := log(); !strings.Contains(text, `"custom_instructions":"the plan"`) || !strings.Contains(text, `"compact_summary":"`) || !strings.Contains(text, `"trigger":"manual"`) {
		t.Error(text)
	}
	if text := everything(s, 1); !strings.Contains(text, "keep the names") {
		t.Error(text)
	}
	if text := everything(s, 2); !strings.Contains(text, "after the summary") {
		t.Error(text)
	}
	option, _ = hooked(t, "PreCompact", `echo "not now" >&2; exit 2`)
	s = newService(t, says("one"))
	ch = openChat(t, s, option)
	ch.send("x")
	ch.send("/compact")
	if len(s.requests()) != 1 {
		t.Error("a summary was made all the same")
	}
}

func TestAModelJudgesForAHook(t *testing.T) {
	s := newService(t, callsReply(aCommand), says(`{"ok":false,"reason":"too loud"}`), says("done"))
	ch := openChat(t, s, mode(session.ModeBypass), func(o *Options, _ *session.OpenOptions) {
		o.Hooks = func(context.Context, string) hooks.Set {
			return hooks.Set{Hooks: []hooks.Hook{{Event: hooks.PreToolUse, Kind: hooks.Prompt, Text: "Is it quiet? $ARGUMENTS", Model: "plain"}}}
		}
	})
	ch.send("x")
	if got := ch.ended()["b1"]; got.Outcome != session.ToolDenied || got.Result.Text != "too loud" {
		t.Errorf("%+v", got)
	}
	if body := s.requests()[1]; !strings.Contains(body, `"model":"plain"`) || !strings.Contains(body, "Is it quiet? {") || strings.Contains(body, `"tools"`) {
		t.Error(body)
	}
}

func TestHooksAreNotifiedOfAsks(t *testing.T) {
	option, log := hooked(t, "Notification:permission_prompt", `cat > "$LOG"`)
	s := newService(t, callsReply(aCommand), says("done"))
	ch := openChat(t, s, option, func(o *Options, _ *session.OpenOptions) {
		i := len(o.Environ) - 1
		if err := unix.Mkfifo(strings.TrimPrefix(o.Environ[i], "LOG="), 0o600); err != nil {
			t.Fatal(err)
		}
	})
	ch.answerAll(session.Answer{Decision: session.Allow, Scope: session.ScopeOnce})
	ch.send("x")
	if text := log(); !strings.Contains(text, `"message":"parley needs your permission to use Bash"`) { // waits for the hook
		t.Error(text)
	}
}

func TestASteeredPromptPassesHooks(t *testing.T) {
	option, _ := hooked(t, "UserPromptSubmit", `grep -q secret && exit 2; echo "with the prompt"`)
	s := newService(t)
	s.add(s.hang(start("m")), says("done"))
	ch := openChat(t, s, option)
	ended := make(chan session.TurnEnded, 1)
	go func() { ended <- ch.send("x") }()
	<-s.held
	for text, want := range map[string]bool{"the secret": false, "go on": true} {
		took, err := ch.c.(session.Steerer).Steer(context.Background(), session.Prompt{ID: session.PromptID(text), Text: text})
		if err != nil || took != want {
			t.Errorf("%s: %v %v", text, took, err)
		}
	}
	ch.c.Abort()
	<-ended
}

// What a hook sets when the session starts is there for commands, those of subagents too, and a variable that may change what runs is
// judged like one that a command has set.
func TestHookSetsVariables(t *testing.T) {
	for set, want := range map[string]bool{`export SPOKEN="word $HOME"`: false, `export SPOKEN="word $HOME" #; x`: false, "GIT_SSH_COMMAND=mine\nSPOKEN=\"word $HOME\"": true} {
		option, _ := hooked(t, "SessionStart", `printf '`+set+`' >> "$CLAUDE_ENV_FILE"`)
		s := newService(t, callsReply([3]string{"b1", "Bash", `{"command":"ls; echo said $SPOKEN"}`}),
			callsReply([3]string{"k", "Task", `{"description":"d","prompt":"p","subagent_type":"general-purpose"}`}),
			callsReply([3]string{"b2", "Bash", `{"command":"ls; echo child $SPOKEN"}`}), says("child"), says("done"))
		ch := openChat(t, s, option)
		ch.answerAll(session.Answer{Decision: session.Allow, Scope: session.ScopeOnce})
		if end := ch.send("x"); end.Outcome != session.TurnCompleted {
			t.Fatalf("%+v", end)
		}
		asked := slices.ContainsFunc(ch.all(), func(e session.Event) bool { _, is := e.(session.Asked); return is })
		all := ""
		for n := range 5 {
			all += everything(s, n)
		}
		spoken := !strings.Contains(set, "#")
		if strings.Contains(all, "said word /") != spoken || strings.Contains(all, "child word /") != spoken || asked != want {
			t.Errorf("%s: asked %t; the model reads %s", set, asked, all)
		}
	}
}
