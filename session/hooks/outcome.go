package hooks

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Outcome is what the hooks of an event decide together.
type Outcome struct {
	// Blocked means that at least one hook blocks what the event is about. Why is its reason for the user, Words the same as the model
	// reads it.
	Blocked    bool
	Why, Words string
	// Stop ends the turn, for the reason StopWhy. Interrupt ends it with a refused permission.
	Stop      bool
	StopWhy   string
	Interrupt bool
	// Verdict is "allow" or "ask" about a call, or empty; Reason is why.
	Verdict, Reason string
	// Input replaces that of the call, nil for none. It has to be judged again.
	Input json.RawMessage
	// Output replaces what the model reads of a call's result, empty for nothing.
	Output string
	// Context are texts for the model, Plain what hooks printed as instructions for a summary.
	Context []string
	Plain   string
	// Environ are variables for the commands of the session, each as NAME=VALUE. Of one name, the last counts.
	Environ []string
}

// verdict is a hook with what it says.
type verdict struct {
	hook   Hook
	answer answer
}

// merge returns what several hooks decide together: no comes before ask and ask before yes, the first reason holds, and of several
// changed inputs the last.
func merge(e Event, all []verdict) (o Outcome) {
	var plain []string
	for _, v := range all {
		a := v.answer
		if a.block && !o.Blocked {
			o.Blocked, o.Why, o.Words = true, a.reason, blocked(e, v)
			if o.Why == "" {
				o.Why = "Blocked by hook"
			}
		}
		if a.block && slices.Contains([]string{PostToolUse, PostToolUseFailure}, e.Name) {
			o.Context = append(o.Context, fmt.Sprintf("%s hook blocking error from command: %q: %s", e.label(), v.hook.runs(), blocked(e, v)))
		}
		o.Interrupt = o.Interrupt || a.interrupt
		o.Environ = append(o.Environ, a.environ...)
		if a.stop && !o.Stop {
			o.Stop, o.StopWhy = true, a.stopWhy
		}
		if a.verdict == "ask" || a.verdict == "allow" && o.Verdict == "" {
			if o.Verdict != a.verdict {
				o.Reason = a.why
			}
			o.Verdict = a.verdict
		}
		if a.input != nil {
			o.Input = a.input
		}
		if a.output != "" {
			o.Output = a.output
		}
		if a.plain != "" && (e.Name == SessionStart || e.Name == UserPromptSubmit) {
			o.Context = append(o.Context, e.label()+" hook success: "+a.plain)
		}
		if a.context != "" {
			o.Context = append(o.Context, e.contextLabel()+" hook additional context: "+a.context)
		}
		if a.plain != "" {
			plain = append(plain, a.plain)
		}
	}
	o.Plain = strings.Join(plain, "\n\n")
	if o.Blocked {
		o.Verdict, o.Input = "", nil
	}
	return o
}

// contextLabel names the event before what a hook adds to it.
func (e Event) contextLabel() string {
	if e.Name == SessionStart {
		return e.Name
	}
	return e.label()
}

// blocked returns a reason as the model reads it: behind the command where it printed the reason as an error.
func blocked(e Event, v verdict) string {
	reason := v.answer.reason
	switch {
	case reason == "":
		reason = "Blocked by hook"
	case v.answer.loud:
		reason = "[" + cut(v.hook.runs(), 200) + "]: " + reason
	}
	switch e.Name {
	case PreToolUse:
		return e.label() + " hook error: " + reason
	case Stop, SubagentStop:
		return "Stop hook feedback:\n" + reason
	}
	return reason
}
