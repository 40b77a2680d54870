package headless

import (
	"encoding/json"
	"strings"

	"parley/session"
	"parley/session/toolview"
)

// Result is the object that -p prints as JSON, and the last line of stream-json.
type Result struct {
	Type    string              `json:"type"` // "result"
	V       int                 `json:"v"`
	Session session.ID          `json:"session"`
	Agent   string              `json:"agent"`
	Model   string              `json:"model,omitempty"`
	Outcome session.TurnOutcome `json:"outcome"`
	Result  string              `json:"result"` // what the agent said last
	// Structured is the answer as JSON, where a schema was asked for and satisfied.
	Structured json.RawMessage  `json:"structured_output,omitempty"`
	Problem    *session.Problem `json:"problem,omitempty"`
	Refusals   []Refusal        `json:"refusals"`
	Usage      session.Usage    `json:"usage"`
	NanoAIU    int64            `json:"nanoAIU,omitempty"`
	// Background lists the work that still ran in the background. It ends with the program.
	Background []Work `json:"background,omitempty"`
	// Remote is the state of work at a service, with its pull request; nil if the agent works on this machine.
	Remote     *session.Remote `json:"remote,omitempty"`
	DurationMS int64           `json:"durationMs"`
	ExitCode   int             `json:"exitCode"`
}

// Work is a command or a child agent that runs in the background.
type Work struct {
	Call    session.CallID `json:"call,omitempty"`
	Tool    string         `json:"tool,omitempty"`    // of a command
	Child   string         `json:"child,omitempty"`   // the kind of a child agent
	Subject string         `json:"subject,omitempty"` // the command, or what the child does
}

// workOf describes what runs in the background.
func workOf(all []session.Work, dir string) (list []Work) {
	for _, w := range all {
		if w.Child != nil {
			list = append(list, Work{Call: w.Call(), Child: w.Child.Name, Subject: w.Child.Description})
			continue
		}
		call := toolview.Describe(w.Tool.Name, w.Tool.Input, dir)
		list = append(list, Work{Call: w.Call(), Tool: w.Tool.Name, Subject: call.Subject})
	}
	return list
}

// LastWords returns the text after the turn's last tool call or, where there is none, the last text before it.
func LastWords(t *session.Turn) string {
	var run []string
	fresh := false // the next text begins a new run
	for _, e := range t.Entries {
		switch e := e.(type) {
		case *session.Part:
			text := strings.TrimSpace(e.Text())
			if e.Kind != session.PartText || e.Retracted || text == "" {
				continue
			}
			if fresh {
				run, fresh = nil, false
			}
			run = append(run, text)
		case *session.Tool:
			fresh = true
		}
	}
	return strings.Join(run, "\n\n")
}
