package hooks

import (
	"encoding/json"
	"time"

	"parley/session"
)

// Kind is what a hook is.
type Kind string

// The kinds of hooks.
const (
	Command Kind = "command"
	HTTP    Kind = "http"
	Prompt  Kind = "prompt"
)

// Scope is whose a hook is.
type Scope string

// The scopes, in the order in which they count.
const (
	Managed  Scope = "managed"
	User     Scope = "user"
	OfPlugin Scope = "plugin"
	Project  Scope = "project"
)

// Hook is one hook as a file describes it.
type Hook struct {
	// Event is the event in Claude Code's spelling, Matcher what limits it.
	Event, Matcher string
	Kind           Kind
	// Command is a command line for the shell, or with Args a program.
	Command string
	Args    []string
	Shell   string // "bash" or "powershell", empty for the system's
	Env     map[string]string
	Dir     string // where it runs, relative to Root; empty: the session's directory
	// URL, Headers and Allowed, the variables that headers may name, are those of HTTP.
	URL     string
	Headers map[string]string
	Allowed []string
	// Text is the question of Prompt, Model whom it asks. GoesOn lets the turn go on where the answer is no.
	Text, Model string
	GoesOn      bool
	// If is a permission rule that the call has to match, empty for every call.
	If      string
	Timeout time.Duration // 0: the default
	// OnFailure is "block" or "continue", empty for the default.
	OnFailure   string
	Once, Async bool
	// Scope and From say whose it is and which file has it; Root is the directory of that file's project.
	Scope      Scope
	From, Root string
	// Plugin is the plugin that brings it, nil for none.
	Plugin *Plugin
	// Copilot means that the event is spelled as the Copilot runtime does, which changes what goes in and out.
	Copilot bool
	// Why says why it does not run, empty for one that does.
	Why string
}

// The time limits of hooks that name none, as Claude Code has them.
const (
	commandTime = 10 * time.Minute
	copilotTime = 30 * time.Second
	promptTime  = 30 * time.Second
	endTime     = 1500 * time.Millisecond // of all hooks at the end of a session
	maxTime     = time.Hour
)

// limit returns how long the hook may take.
func (h Hook) limit() time.Duration {
	switch {
	case h.Timeout > 0:
		return min(h.Timeout, maxTime)
	case h.Event == SessionEnd:
		return endTime
	case h.Copilot:
		return copilotTime
	case h.Kind == Prompt:
		return promptTime
	}
	return commandTime
}

// runs returns what the hook does in one line.
func (h Hook) runs() string {
	switch h.Kind {
	case HTTP:
		return h.URL
	case Prompt:
		return h.Text
	}
	line := h.Command
	for _, arg := range h.Args {
		line += " " + arg
	}
	return line
}

// key is the same for hooks that do the same: only the first of them runs.
func (h Hook) key() string {
	data, err := json.Marshal([]any{h.Kind, h.Command, h.Args, h.URL, h.Text, h.Model, h.Root, h.Dir, h.If, h.Copilot, h.Plugin})
	if err != nil {
		panic(err) // strings always marshal
	}
	return string(data)
}

// Shown returns the hook as reports have it.
func (h Hook) Shown() session.Hook {
	return session.Hook{Event: h.Event, Matcher: h.Matcher, Kind: string(h.Kind), Runs: h.runs(), Scope: string(h.Scope), From: h.From,
		Timeout: h.limit(), Why: h.Why}
}
