package hooks

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// The bounds of what hooks say: to the model, as Copilot has it, and to the user, in bytes.
const (
	maxContext = 10 << 10
	maxSaid    = 2 << 10
)

// result is how a hook ended.
type result struct {
	stdout, stderr string
	code           int
	// failed says why it gave no verdict, such as "it timed out after 10s"; timed means that it took too long.
	failed string
	timed  bool
	took   time.Duration
	// environ are the variables that it sets, odd is the first line of them that sets none.
	environ []string
	odd     string
}

// answer is what a hook says about an event.
type answer struct {
	// block keeps the event from what it is about, reason says why. loud means that the reason came from standard error.
	block, loud bool
	reason      string
	// stop ends the turn.
	stop    bool
	stopWhy string
	// verdict is "allow", "ask" or "deny", with why.
	verdict, why string
	input        json.RawMessage
	// plain is what a hook printed that is no JSON, context what it adds for the model, message what it says to the user.
	plain, context, message string
	// output replaces what the model reads of a call's result; interrupt ends the turn with a refusal.
	output    string
	interrupt bool
	watch     []string
	environ   []string
	// failed says why it gave no verdict.
	failed string
}

// printed is the JSON of a hook.
type printed struct {
	Continue      *bool           `json:"continue"`
	StopReason    string          `json:"stopReason"`
	Suppress      bool            `json:"suppressOutput"`
	Message       string          `json:"systemMessage"`
	Decision      string          `json:"decision"`
	Reason        string          `json:"reason"`
	Specific      specific        `json:"hookSpecificOutput"`
	Behavior      string          `json:"behavior"` // of Copilot's permissionRequest
	Note          string          `json:"message"`
	Interrupt     bool            `json:"interrupt"`
	ModifiedArgs  json.RawMessage `json:"modifiedArgs"`
	ModifiedValue struct {
		Text string `json:"textResultForLlm"`
	} `json:"modifiedResult"`
	Permission string `json:"permissionDecision"`
	Why        string `json:"permissionDecisionReason"`
	Context    string `json:"additionalContext"`
}

// specific is the part of it that depends on the event.
type specific struct {
	Event      string          `json:"hookEventName"`
	Permission string          `json:"permissionDecision"`
	Why        string          `json:"permissionDecisionReason"`
	Input      json.RawMessage `json:"updatedInput"`
	Context    string          `json:"additionalContext"`
	Output     json.RawMessage `json:"updatedToolOutput"`
	MCPOutput  json.RawMessage `json:"updatedMCPToolOutput"`
	Watch      []string        `json:"watchPaths"`
	Decision   struct {
		Behavior  string          `json:"behavior"`
		Message   string          `json:"message"`
		Interrupt bool            `json:"interrupt"`
		Input     json.RawMessage `json:"updatedInput"`
	} `json:"decision"`
}

// judge returns what the end of a hook means for an event. closed is whether a hook that guards a call blocks it by taking too long.
func judge(e Event, h Hook, r result, closed bool) answer {
	if r.failed == "" && r.code == 0 {
		a, problem := read(e, h, r.stdout)
		if problem == "" {
			return a
		}
		r.failed = problem
	}
	if r.failed == "" && r.code == 2 {
		return answer{block: true, loud: true, reason: said(r.stderr)}
	}
	if r.failed == "" {
		r.failed = fmt.Sprintf("it failed with exit status %d", r.code)
		if words := said(r.stderr); words != "" {
			r.failed += ": " + words
		}
	}
	a := answer{failed: r.failed}
	blocks := h.OnFailure == "block" && e.Name != Stop && e.Name != SubagentStop
	if h.OnFailure == "" && e.Name == PreToolUse {
		blocks = r.timed && closed || !r.timed && h.Copilot && h.Kind == Command
	}
	if blocks {
		a.block, a.reason = true, "the hook gave no verdict: "+r.failed
	}
	return a
}

// read reads what a hook printed, and returns what is wrong with it.
func read(e Event, h Hook, text string) (a answer, problem string) {
	text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	if h.Kind == Prompt {
		return readVerdict(e, h, text)
	}
	if !strings.HasPrefix(text, "{") {
		if h.Kind == HTTP && text != "" {
			return a, "it did not answer with JSON"
		}
		a.plain = said(text)
		return a, ""
	}
	var p printed
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		return a, "it printed JSON that cannot be read: " + err.Error()
	}
	a.message = cut(strings.TrimSpace(p.Message), maxSaid)
	if p.Continue != nil && !*p.Continue {
		a.stop, a.stopWhy = true, said(p.StopReason)
	}
	if p.Decision == "block" {
		a.block, a.reason = true, said(p.Reason)
	}
	s := p.Specific
	if s.Event != "" && s.Event != e.Name {
		return a, "its answer is about " + cut(s.Event, 40) + " and not about " + e.Name
	}
	if h.Copilot {
		s.Permission, s.Why = first(s.Permission, p.Permission), first(s.Why, p.Why)
		s.Context = first(s.Context, p.Context)
		if e.Name == PermissionRequest {
			s.Decision.Behavior, s.Decision.Message = first(s.Decision.Behavior, p.Behavior), first(s.Decision.Message, p.Note)
			s.Decision.Interrupt = s.Decision.Interrupt || p.Interrupt
		}
		a.output = p.ModifiedValue.Text
		if p.ModifiedArgs != nil {
			s.Input = ownArgs(e.Tool, e.Input, p.ModifiedArgs)
		}
	}
	a.context, a.watch = said(s.Context), s.Watch
	return a, a.decide(e, p, s)
}

// decide takes what the JSON says about a call.
func (a *answer) decide(e Event, p printed, s specific) (problem string) {
	switch e.Name {
	case PreToolUse:
		a.verdict, a.why, a.input = s.Permission, said(s.Why), s.Input
		switch {
		case a.verdict == "" && p.Decision == "approve": // as older hooks say it
			a.verdict, a.why = "allow", said(p.Reason)
		case a.verdict == "defer":
			a.verdict = "ask"
		case a.verdict == "deny":
			a.block, a.reason = true, a.why
		case a.verdict != "" && a.verdict != "allow" && a.verdict != "ask":
			return "it decides " + cut(a.verdict, 40) + ", which is none of allow, ask and deny"
		}
	case PermissionRequest:
		a.input = s.Decision.Input
		switch s.Decision.Behavior {
		case "":
		case "allow":
			a.verdict = "allow"
		case "deny":
			a.block, a.reason, a.interrupt = true, said(s.Decision.Message), s.Decision.Interrupt
		default:
			return "it decides " + cut(s.Decision.Behavior, 40) + ", which is neither allow nor deny"
		}
	case PostToolUse:
		for _, raw := range []json.RawMessage{s.Output, s.MCPOutput} {
			if text := outputText(raw); text != "" {
				a.output = text
			}
		}
	}
	if a.input != nil && !strings.HasPrefix(strings.TrimSpace(string(a.input)), "{") {
		if strings.TrimSpace(string(a.input)) != "null" {
			return "the input that it changes is not an object"
		}
		a.input = nil
	}
	return ""
}

// outputText returns what the model reads of a result that a hook has replaced.
func outputText(raw json.RawMessage) string {
	var text string
	if len(raw) == 0 || json.Unmarshal(raw, &text) == nil {
		return text
	}
	var command struct {
		Stdout *string `json:"stdout"`
		Stderr string  `json:"stderr"`
	}
	if json.Unmarshal(raw, &command) == nil && command.Stdout != nil {
		return strings.TrimSpace(*command.Stdout + "\n" + command.Stderr)
	}
	if string(raw) == "null" {
		return ""
	}
	return string(raw)
}

// readVerdict reads the answer of a model.
func readVerdict(e Event, h Hook, text string) (a answer, problem string) {
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(text, "```json"), "```"), "```"))
	var verdict struct {
		OK     *bool  `json:"ok"`
		Reason string `json:"reason"`
	}
	if err := json.Unmarshal([]byte(text), &verdict); err != nil || verdict.OK == nil {
		return a, "the model gave no verdict"
	}
	if *verdict.OK {
		return a, ""
	}
	a.block, a.reason = true, said(verdict.Reason)
	if !h.GoesOn && slices.Contains([]string{PostToolUse, PostToolUseFailure}, e.Name) {
		a.stop, a.stopWhy = true, a.reason
	}
	return a, ""
}

// said returns what a hook says without space around it, cut.
func said(text string) string {
	return cut(strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD")), maxContext)
}

// first returns the first text that is not empty.
func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
