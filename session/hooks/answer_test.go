package hooks

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
)

var call = Event{Name: PreToolUse, Tool: "Bash", Input: json.RawMessage(`{"command":"true"}`), Call: "c1"}

// decided returns what one hook decides.
func decided(e Event, h Hook, r result) Outcome {
	return merge(e, []verdict{{h, judge(e, h, r, true)}})
}

// The texts are those that Claude Code 2.1.330 sent to the model for the same hooks.
func TestWhatHooksSayReachesTheModelAsInClaudeCode(t *testing.T) {
	after := Event{Name: PostToolUse, Tool: "Bash"}
	h := Hook{Kind: Command, Command: "/tmp/dump.sh u"}
	for _, c := range []struct {
		name string
		e    Event
		r    result
		want string
	}{
		{"exit 2", call, result{code: 2, stderr: "no bash\n"}, "PreToolUse:Bash hook error: [/tmp/dump.sh u]: no bash"},
		{"deny", call, result{stdout: `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"JSON NO"}}`},
			"PreToolUse:Bash hook error: JSON NO"},
		{"context", call, result{stdout: `{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"PRE CONTEXT"}}`},
			"PreToolUse:Bash hook additional context: PRE CONTEXT"},
		{"exit 2 afterwards", after, result{code: 2, stderr: "POST FAILED\n"},
			`PostToolUse:Bash hook blocking error from command: "/tmp/dump.sh u": [/tmp/dump.sh u]: POST FAILED`},
		{"block afterwards", after, result{stdout: `{"decision":"block","reason":"POST BLOCK"}`},
			`PostToolUse:Bash hook blocking error from command: "/tmp/dump.sh u": POST BLOCK`},
		{"words at the start", Event{Name: SessionStart, Why: "startup"}, result{stdout: "SESSION NOTE\n"}, "SessionStart:startup hook success: SESSION NOTE"},
		{"words with a prompt", Event{Name: UserPromptSubmit}, result{stdout: "PLAIN UPS\n"}, "UserPromptSubmit hook success: PLAIN UPS"},
		{"a child", Event{Name: SubagentStart}, result{stdout: `{"hookSpecificOutput":{"hookEventName":"SubagentStart","additionalContext":"SUB CTX"}}`},
			"SubagentStart hook additional context: SUB CTX"},
		{"stop", Event{Name: Stop}, result{code: 2, stderr: "GO ON\n"}, "Stop hook feedback:\n[/tmp/dump.sh u]: GO ON"},
		{"stop without a reason", Event{Name: Stop}, result{stdout: `{"decision":"block"}`}, "Stop hook feedback:\nBlocked by hook"},
		{"words that say nothing", call, result{stdout: "hello"}, ""},
		{"exit 1", call, result{code: 1, stderr: "EXIT ONE"}, ""},
		{"broken JSON", call, result{stdout: "{broken"}, ""},
		{"another event", call, result{stdout: `{"hookSpecificOutput":{"hookEventName":"Stop","permissionDecision":"deny"}}`}, ""},
	} {
		o := decided(c.e, h, c.r)
		got := strings.Join(o.Context, "\n")
		if o.Blocked && got == "" {
			got = o.Words
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestVerdictsAboutCalls(t *testing.T) {
	say := func(text string) verdict {
		return verdict{Hook{Kind: Command}, judge(call, Hook{Kind: Command}, result{stdout: text}, true)}
	}
	allow := say(`{"hookSpecificOutput":{"permissionDecision":"allow","permissionDecisionReason":"fine","updatedInput":{"command":"echo changed"}}}`)
	ask := say(`{"hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"sure?"}}`)
	deny := say(`{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"never"}}`)
	stop := say(`{"continue":false,"stopReason":"enough"}`)
	if o := merge(call, []verdict{allow}); o.Verdict != "allow" || o.Reason != "fine" || string(o.Input) != `{"command":"echo changed"}` {
		t.Errorf("%+v", o)
	}
	if o := merge(call, []verdict{allow, ask, allow}); o.Verdict != "ask" || o.Reason != "sure?" {
		t.Errorf("%+v", o)
	}
	if o := merge(call, []verdict{allow, deny, ask}); !o.Blocked || o.Why != "never" || o.Verdict != "" || o.Input != nil {
		t.Errorf("%+v", o)
	}
	if o := merge(call, []verdict{stop}); !o.Stop || o.StopWhy != "enough" {
		t.Errorf("%+v", o)
	}
	if o := merge(call, []verdict{say(`{"decision":"approve"}`), say(`{"hookSpecificOutput":{"permissionDecision":"defer"}}`)}); o.Verdict != "ask" {
		t.Errorf("%+v", o)
	}
	for _, wrong := range []string{`{"hookSpecificOutput":{"permissionDecision":"maybe"}}`, `{"hookSpecificOutput":{"permissionDecision":"allow","updatedInput":"x"}}`} {
		if a := judge(call, Hook{Kind: Command}, result{stdout: wrong}, true); a.failed == "" || a.block {
			t.Errorf("%s: %+v", wrong, a)
		}
	}
}

// A hook that guards a call and takes too long blocks it unless the user wants otherwise; other failures pass, as in Claude Code.
func TestFailures(t *testing.T) {
	slow, broken := result{failed: "it timed out after 2s", timed: true}, result{code: 1}
	for _, c := range []struct {
		name   string
		e      Event
		h      Hook
		r      result
		closed bool
		want   bool
	}{
		{"slow", call, Hook{}, slow, true, true},
		{"slow, let pass by the setting", call, Hook{}, slow, false, false},
		{"slow, let pass by the hook", call, Hook{OnFailure: "continue"}, slow, true, false},
		{"slow, closed by the hook", call, Hook{OnFailure: "block"}, slow, false, true},
		{"slow after the call", Event{Name: PostToolUse, Tool: "Bash"}, Hook{}, slow, true, false},
		{"slow with a prompt", Event{Name: UserPromptSubmit}, Hook{}, slow, true, false},
		{"slow at the end", Event{Name: Stop}, Hook{OnFailure: "block"}, slow, true, false},
		{"broken", call, Hook{}, broken, true, false},
		{"broken, closed by the hook", call, Hook{OnFailure: "block"}, broken, true, true},
		{"broken prompt, closed by the hook", Event{Name: UserPromptSubmit}, Hook{OnFailure: "block"}, broken, true, true},
		{"broken, of Copilot", call, Hook{Kind: Command, Copilot: true}, broken, true, true},
		{"broken address, of Copilot", call, Hook{Kind: HTTP, Copilot: true}, result{failed: "no answer"}, true, false},
	} {
		if got := judge(c.e, c.h, c.r, c.closed); got.block != c.want || got.failed == "" {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

func TestPermissionRequestsAndResults(t *testing.T) {
	ask := Event{Name: PermissionRequest, Tool: "Bash"}
	o := decided(ask, Hook{}, result{stdout: `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"PR NO","interrupt":true}}}`})
	if !o.Blocked || o.Why != "PR NO" || !o.Interrupt {
		t.Errorf("%+v", o)
	}
	o = decided(ask, Hook{}, result{stdout: `{"hookSpecificOutput":{"decision":{"behavior":"allow","updatedInput":{"command":"ls"}}}}`})
	if o.Verdict != "allow" || string(o.Input) != `{"command":"ls"}` {
		t.Errorf("%+v", o)
	}
	o = decided(ask, Hook{Copilot: true}, result{stdout: `{"behavior":"deny","message":"no"}`})
	if !o.Blocked || o.Why != "no" {
		t.Errorf("%+v", o)
	}
	after := Event{Name: PostToolUse, Tool: "Bash"}
	for in, want := range map[string]string{
		`{"hookSpecificOutput":{"updatedToolOutput":{"stdout":"REPLACED","stderr":""}}}`: "REPLACED",
		`{"hookSpecificOutput":{"updatedToolOutput":"text"}}`:                            "text",
		`{"hookSpecificOutput":{"updatedMCPToolOutput":{"a":1}}}`:                        `{"a":1}`,
		`{}`: "",
	} {
		if o := decided(after, Hook{}, result{stdout: in}); o.Output != want {
			t.Errorf("%s: %q", in, o.Output)
		}
	}
	verdictOf := func(e Event, text string) Outcome { return decided(e, Hook{Kind: Prompt}, result{stdout: text}) }
	if o := verdictOf(call, "```json\n{\"ok\":false,\"reason\":\"it deletes\"}\n```"); !o.Blocked || o.Why != "it deletes" || o.Stop {
		t.Errorf("%+v", o)
	}
	if o := verdictOf(after, `{"ok":false,"reason":"bad"}`); !o.Stop {
		t.Errorf("%+v", o)
	}
	if o := verdictOf(call, `{"ok":true}`); o.Blocked {
		t.Errorf("%+v", o)
	}
}

// What a hook reads has the fields that Claude Code 2.1.330 and the Copilot runtime 1.0.102 send.
func TestWhatHooksRead(t *testing.T) {
	about, now := About{Session: "s", Dir: "/r", Transcript: "/t"}, time.UnixMilli(1795890237433)
	base := "cwd hook_event_name permission_mode session_id transcript_path "
	for _, c := range []struct {
		e    Event
		h    Hook
		want string
	}{
		{Event{Name: PreToolUse, Mode: "default", Tool: "Bash", Call: "c"}, Hook{}, base + "tool_input tool_name tool_use_id"},
		{Event{Name: PostToolUse, Mode: "default", Tool: "Bash", Call: "c", Result: json.RawMessage(`{}`)}, Hook{}, base + "duration_ms tool_input tool_name tool_response tool_use_id"},
		{Event{Name: PostToolUseFailure, Mode: "default", Tool: "Bash", Call: "c"}, Hook{}, base + "duration_ms error is_interrupt tool_input tool_name tool_use_id"},
		{Event{Name: PermissionRequest, Mode: "default", Tool: "Bash", Call: "c"}, Hook{}, base + "permission_suggestions tool_input tool_name"},
		{Event{Name: UserPromptSubmit, Mode: "default"}, Hook{}, base + "prompt"},
		{Event{Name: SessionStart, Why: "startup"}, Hook{}, "cwd hook_event_name session_id source transcript_path"},
		{Event{Name: SessionEnd, Why: "other"}, Hook{}, "cwd hook_event_name reason session_id transcript_path"},
		{Event{Name: Stop, Mode: "default", Words: "x"}, Hook{}, base + "last_assistant_message stop_hook_active"},
		{Event{Name: SubagentStart, Agent: "a", AgentKind: "explore"}, Hook{}, "agent_id agent_type cwd hook_event_name session_id transcript_path"},
		{Event{Name: FileChanged, Path: "/r/x", Why: "change"}, Hook{}, "cwd event file_path hook_event_name session_id transcript_path"},
		{Event{Name: PreToolUse, Tool: "Read"}, Hook{Copilot: true}, "cwd sessionId timestamp toolArgs toolName"},
		{Event{Name: PostToolUse, Tool: "Read"}, Hook{Copilot: true}, "cwd sessionId timestamp toolArgs toolName toolResult"},
		{Event{Name: PermissionRequest, Tool: "Read"}, Hook{Copilot: true}, "cwd hookName permissionSuggestions sessionId timestamp toolInput toolName"},
		{Event{Name: Stop}, Hook{Copilot: true}, "cwd sessionId stopReason stop_hook_active timestamp transcriptPath"},
	} {
		var in map[string]json.RawMessage
		if err := json.Unmarshal(c.e.encode(about, c.h, now), &in); err != nil {
			t.Fatal(err)
		}
		want := strings.Fields(c.want)
		slices.Sort(want)
		if got := keysOf(in); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", c.e.Name, got, want)
		}
	}
	in := copilotArgs("Edit", json.RawMessage(`{"file_path":"/a","old_string":"x","new_string":"y"}`))
	if string(in) != `{"file_path":"/a","new_str":"y","new_string":"y","old_str":"x","old_string":"x","path":"/a"}` {
		t.Errorf("%s", in)
	}
	back := ownArgs("Edit", json.RawMessage(`{"file_path":"/a","old_string":"x","new_string":"y"}`), json.RawMessage(`{"file_path":"/a","path":"/b","old_str":"x","new_str":"y"}`))
	if string(back) != `{"file_path":"/b","new_string":"y","old_string":"x"}` {
		t.Errorf("%s", back)
	}
}
