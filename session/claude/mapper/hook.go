package mapper

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"parley/session"
)

// hookWords is what the hooks of a process have said that decides how something ends.
type hookWords struct {
	// told makes notices of what hooks print.
	told bool
	// blocked says that a hook has blocked the newest prompt, and why as far as it is known.
	blocked bool
	why     string
	// denied are the reasons with which hooks have denied calls whose results have not come.
	denied []string
}

// TellHooks makes notices of what hooks print. Without it only what they block is told.
func (m *Mapper) TellHooks() { m.hooks.told = true }

// verdictOf is what the output of a hook decides: whether it blocks what it was asked about, and the reason it gives.
func verdictOf(l line) (why string, blocks bool) {
	if l.HookExit == 2 {
		return strings.TrimSpace(l.HookStderr), true
	}
	var said struct {
		Continue *bool  `json:"continue"`
		Stop     string `json:"stopReason"`
		Decision string `json:"decision"`
		Reason   string `json:"reason"`
		Specific struct {
			Decision string `json:"permissionDecision"`
			Reason   string `json:"permissionDecisionReason"`
		} `json:"hookSpecificOutput"`
	}
	if json.Unmarshal([]byte(strings.TrimSpace(l.HookStdout)), &said) != nil {
		return "", false // plain words decide nothing
	}
	switch {
	case said.Continue != nil && !*said.Continue:
		return said.Stop, true
	case said.Decision == "block":
		return said.Reason, true
	case said.Specific.Decision == "deny":
		return said.Specific.Reason, true
	}
	return "", false
}

// hook takes note of what a hook has decided, and tells what it printed or that it failed where that is wanted; one that
// was content is not worth a line.
func (m *Mapper) hook(l line, at time.Time) {
	why, blocks := verdictOf(l)
	switch {
	case blocks && l.HookEvent == "UserPromptSubmit":
		m.hooks.blocked, m.hooks.why = true, firstOf(why, m.hooks.why)
		return // the end of the turn says it
	case blocks && l.HookEvent == "PreToolUse":
		m.hooks.denied = append(m.hooks.denied, why)
		return // the result of the call says it
	}
	text := strings.TrimSpace(l.HookOutput)
	failed := l.HookOutcome != "" && l.HookOutcome != "success"
	if !m.hooks.told || text == "" && !failed {
		return
	}
	n := session.Notice{Head: m.at(at), Severity: session.Info, Text: "Hook " + l.HookName + ": " + text}
	if failed {
		n.Severity, n.Text = session.Warning, strings.TrimSuffix("Hook "+l.HookName+" failed: "+text, ": ")
	}
	m.emit(n)
}

// What the runtime says of a prompt that a hook has blocked begins so.
const (
	promptBlocked = "UserPromptSubmit operation blocked by hook:\n"
	promptStopped = "Operation stopped by hook: "
	blockedPrompt = "\n\nOriginal prompt: "
)

// informed maps a message to the user. Why a prompt was blocked is said by the end of its turn.
func (m *Mapper) informed(l line, at time.Time) {
	if l.Content == "" {
		return
	}
	stopped, isStop := strings.CutPrefix(l.Content, promptStopped)
	blocked, isBlock := strings.CutPrefix(l.Content, promptBlocked)
	if !l.Prevents || !isStop && !isBlock {
		m.emit(session.Notice{Head: m.at(at), Severity: severity(l.Level), Text: l.Content})
		return
	}
	if isBlock {
		blocked, _, _ = strings.Cut(blocked, blockedPrompt)
		stopped = withoutCommand(blocked)
	}
	m.hooks.blocked = true
	m.hooks.why = firstOf(firstOf(m.hooks.why, l.Submit.Reason), strings.TrimSpace(stopped))
}

// blockedProblem says why the turn of a blocked prompt ended, nil if none was blocked.
func (m *Mapper) blockedProblem() *session.Problem {
	if !m.hooks.blocked {
		return nil
	}
	what := "A hook blocked the prompt."
	if why := strings.TrimSpace(m.hooks.why); why != "" {
		what = "A hook blocked the prompt: " + why
	}
	m.hooks.blocked, m.hooks.why = false, ""
	return &session.Problem{Kind: session.KindRefused, What: what, Next: "Change the prompt and send it again."}
}

// hookDenied reports whether the result of a call is that of one that a hook has denied. Up to 2.1.197 nothing but the
// words of the hook tells, newer runtimes say it beside them.
func (m *Mapper) hookDenied(l line, b block, name string) bool {
	if !b.IsError {
		return false
	}
	text := textOf(b.Content)
	if i := slices.IndexFunc(m.hooks.denied, func(why string) bool {
		return why != "" && strings.TrimSpace(text) == why || strings.HasPrefix(text, hookError(name)) && strings.Contains(text, why)
	}); i >= 0 {
		m.hooks.denied = slices.Delete(m.hooks.denied, i, i+1)
		return true
	}
	return strings.HasPrefix(text, hookError(name))
}

// hookError is how the result of a call begins that a hook has blocked by its exit status, and in 2.1.330 of any.
func hookError(tool string) string { return "PreToolUse:" + tool + " hook error: " }

// hookReason takes the words of a hook out of the result of a call that it has blocked, false if none has.
func hookReason(tool, text string) (string, bool) {
	rest, ok := strings.CutPrefix(text, hookError(tool))
	if !ok {
		return "", false
	}
	return strings.TrimSpace(withoutCommand(rest)), true
}

// withoutCommand leaves out the command line of a hook, which stands in brackets before what it printed.
func withoutCommand(text string) string {
	if i := strings.LastIndex(text, "]: "); strings.HasPrefix(text, "[") && i >= 0 {
		return text[i+len("]: "):]
	}
	return text
}
