package mapper

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"parley/session"
	"parley/session/process/record"
)

// hooks holds the decisions of hooks that explain how something ends.
type hooks struct {
	rec     *record.Recorder
	notices bool     // report what hooks print
	blocked bool     // the newest prompt was blocked
	why     string   // the reason, empty if unknown
	denied  []string // reasons of denied calls without a result yet
}

// EnableHookNotices turns on notices of what hooks print. Without it only blocked prompts and calls are reported.
func (m *Mapper) EnableHookNotices() { m.hooks.notices = true }

// BlockPrompt records that a hook blocked the prompt of the running turn.
func (m *Mapper) BlockPrompt() { m.hooks.blocked = true }

// verdictOf reads the output of a hook: whether it blocks the prompt or call, and why.
func verdictOf(l line) (why string, blocks bool) {
	if l.HookExit == 2 {
		return strings.TrimSpace(l.HookStderr), true
	}
	var out struct {
		Continue *bool  `json:"continue"`
		Stop     string `json:"stopReason"`
		Decision string `json:"decision"`
		Reason   string `json:"reason"`
		Specific struct {
			Decision string `json:"permissionDecision"`
			Reason   string `json:"permissionDecisionReason"`
		} `json:"hookSpecificOutput"`
	}
	if json.Unmarshal([]byte(strings.TrimSpace(l.HookStdout)), &out) != nil {
		return "", false // plain text decides nothing
	}
	switch {
	case out.Continue != nil && !*out.Continue:
		return out.Stop, true
	case out.Decision == "block":
		return out.Reason, true
	case out.Specific.Decision == "deny":
		return out.Specific.Reason, true
	}
	return "", false
}

// response records the decision of a hook, or reports its output or failure if notices are on.
func (h *hooks) response(l line, at time.Time) {
	why, blocks := verdictOf(l)
	switch {
	case blocks && l.HookEvent == "UserPromptSubmit":
		h.blocked, h.why = true, firstOf(why, h.why)
		return // the end of the turn reports it
	case blocks && l.HookEvent == "PreToolUse":
		h.denied = append(h.denied, why)
		return // the result of the call reports it
	}
	text := strings.TrimSpace(l.HookOutput)
	failed := l.HookOutcome != "" && l.HookOutcome != "success"
	if !h.notices || text == "" && !failed {
		return
	}
	n := session.Notice{Head: h.rec.At(at), Severity: session.Info, Text: "Hook " + l.HookName + ": " + text}
	if failed {
		n.Severity, n.Text = session.Warning, strings.TrimSuffix("Hook "+l.HookName+" failed: "+text, ": ")
	}
	h.rec.Emit(n)
}

// Prefixes of the runtime's message about a blocked prompt.
const (
	promptBlocked = "UserPromptSubmit operation blocked by hook:\n"
	promptStopped = "Operation stopped by hook: "
	blockedPrompt = "\n\nOriginal prompt: "
)

// informed maps a message to the user. The reason of a blocked prompt is left to the end of its turn.
func (h *hooks) informed(l line, at time.Time) {
	if l.Content == "" {
		return
	}
	stopped, isStop := strings.CutPrefix(l.Content, promptStopped)
	blocked, isBlock := strings.CutPrefix(l.Content, promptBlocked)
	if !l.Prevents || !isStop && !isBlock {
		h.rec.Emit(session.Notice{Head: h.rec.At(at), Severity: severity(l.Level), Text: l.Content})
		return
	}
	if isBlock {
		blocked, _, _ = strings.Cut(blocked, blockedPrompt)
		stopped = withoutCommand(blocked)
	}
	h.blocked = true
	h.why = firstOf(firstOf(h.why, l.Submit.Reason), strings.TrimSpace(stopped))
}

// takeProblem returns why a prompt was blocked, once; nil if none was.
func (h *hooks) takeProblem() *session.Problem {
	if !h.blocked {
		return nil
	}
	what := "A hook blocked the prompt."
	if why := strings.TrimSpace(h.why); why != "" {
		what = "A hook blocked the prompt: " + why
	}
	h.blocked, h.why = false, ""
	return &session.Problem{Kind: session.KindRefused, What: what, Next: "Change the prompt and send it again."}
}

// denies reports whether a result is that of a call that a hook denied. Up to 2.1.197 only the hook's words show it.
func (h *hooks) denies(b block, tool string) bool {
	if !b.IsError {
		return false
	}
	text := textOf(b.Content)
	if i := slices.IndexFunc(h.denied, func(why string) bool {
		return why != "" && strings.TrimSpace(text) == why || strings.HasPrefix(text, hookError(tool)) && strings.Contains(text, why)
	}); i >= 0 {
		h.denied = slices.Delete(h.denied, i, i+1)
		return true
	}
	return strings.HasPrefix(text, hookError(tool))
}

// hookError returns the prefix of the result of a call that a hook blocked: by its exit status, in 2.1.330 in any way.
func hookError(tool string) string { return "PreToolUse:" + tool + " hook error: " }

// hookReason returns the hook's words in the result of a blocked call, false for any other result.
func hookReason(tool, text string) (string, bool) {
	rest, ok := strings.CutPrefix(text, hookError(tool))
	if !ok {
		return "", false
	}
	return strings.TrimSpace(withoutCommand(rest)), true
}

// withoutCommand removes the hook's command line in brackets before its output.
func withoutCommand(text string) string {
	if i := strings.LastIndex(text, "]: "); strings.HasPrefix(text, "[") && i >= 0 {
		return text[i+len("]: "):]
	}
	return text
}
