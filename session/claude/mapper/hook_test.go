package mapper

import (
	"encoding/json"
	"testing"

	"parley/session/process/record"
)

func TestVerdicts(t *testing.T) {
	for name, c := range map[string]struct {
		line   line
		why    string
		blocks bool
	}{
		"words":          {line{HookStdout: "fine"}, "", false},
		"empty":          {line{HookStdout: "{}"}, "", false},
		"exit status":    {line{HookExit: 2, HookStderr: " no\n"}, "no", true},
		"another status": {line{HookExit: 1, HookStderr: "no"}, "", false},
		"stops":          {line{HookStdout: `{"continue":false,"stopReason":"enough"}`}, "enough", true},
		"continues":      {line{HookStdout: `{"continue":true,"stopReason":"enough"}`}, "", false},
		"blocks":         {line{HookStdout: `{"decision":"block","reason":"no"}`}, "no", true},
		"denies":         {line{HookStdout: `{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}`}, "no", true},
		"allows":         {line{HookStdout: `{"hookSpecificOutput":{"permissionDecision":"allow","permissionDecisionReason":"yes"}}`}, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			if why, blocks := verdictOf(c.line); why != c.why || blocks != c.blocks {
				t.Errorf("%q, %v, want %q, %v", why, blocks, c.why, c.blocks)
			}
		})
	}
}

// The problem of a blocked prompt has the first reason that is known, and is returned once.
func TestBlockedPrompts(t *testing.T) {
	block := line{HookEvent: "UserPromptSubmit", HookExit: 2, HookStderr: "by the hook"}
	inform := line{Content: promptBlocked + "[make check]: by the message" + blockedPrompt + "p", Prevents: true}
	for name, c := range map[string]struct {
		do   func(h *hooks)
		want string
	}{
		"response": {func(h *hooks) { h.response(block, testTime) }, "A hook blocked the prompt: by the hook"},
		"message":  {func(h *hooks) { h.informed(inform, testTime) }, "A hook blocked the prompt: by the message"},
		"both":     {func(h *hooks) { h.response(block, testTime); h.informed(inform, testTime) }, "A hook blocked the prompt: by the hook"},
		"outcome": {func(h *hooks) {
			h.informed(line{Content: promptStopped, Prevents: true, Submit: submitOutcome{"by rule"}}, testTime)
		}, "A hook blocked the prompt: by rule"},
		"no reason":     {func(h *hooks) { h.blocked = true }, "A hook blocked the prompt."},
		"other message": {func(h *hooks) { h.informed(line{Content: promptBlocked}, testTime) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			h := hooks{rec: record.New("s", 1)}
			c.do(&h)
			got := ""
			if p := h.takeProblem(); p != nil {
				got = p.What
			}
			if again := h.takeProblem(); got != c.want || again != nil {
				t.Errorf("%q, then %+v, want %q", got, again, c.want)
			}
		})
	}
}

func TestHooksThatDenyCalls(t *testing.T) {
	deny := line{HookEvent: "PreToolUse", HookExit: 2, HookStderr: "not here"}
	for name, c := range map[string]struct {
		text    string
		isError bool
		want    bool
	}{
		"by its words":  {"not here", true, true},
		"by the prefix": {"PreToolUse:Bash hook error: [check]: not here", true, true},
		"another error": {"no such file", true, false},
		"success":       {"not here", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			h := hooks{rec: record.New("s", 1)}
			h.response(deny, testTime)
			content, err := json.Marshal(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := h.denies(block{IsError: c.isError, Content: content}, "Bash"); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
			if c.want != (len(h.denied) == 0) {
				t.Errorf("denied: %q", h.denied)
			}
		})
	}
}
