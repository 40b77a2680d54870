package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"parley/session"
	"parley/session/toolview"
)

// Tool is one tool of the agent. Nothing changes it.
type Tool struct {
	// Name is the name that the model uses; Kind decides how a call is judged and shown.
	Name string
	Kind toolview.Kind
	// Description and Schema are written for the model. Schema is the JSON Schema of the input, an object.
	Description string
	Schema      string
	// Private reports that an agent whose tools are limited never gets it, Client that it is one of parley's for all agents.
	Private, Client bool
	// Prepare checks the input and returns the job. Its error goes to the model. It opens no file, because nothing has
	// been decided yet.
	Prepare func(w *Workspace, input json.RawMessage) (*Job, error)
}

// Job is one call that is ready to run. Its functions are called in the order Look, Run, each at most once.
type Job struct {
	// Ask is the question to the user, with Command or Path if they apply.
	Ask session.PermissionAsk
	// Place is the location of Ask.Path, for tools that use one.
	Place Place
	// More are further files of a call that touches several; each is judged as Ask.Path is, and the strictest ruling holds.
	More []Place
	// Look, if set, reads what the call would change and fills in Ask.Edit. It runs after the policy and before the
	// user is asked. Its error goes to the model if that may read the file, otherwise only to the user.
	Look func(ctx context.Context) error
	// Run does the work, after Look. live receives output as it comes, in order.
	Run func(ctx context.Context, id session.CallID, live func(text string)) Outcome
	// Put, if set, is put to the user in place of Run.
	Put *Form
	// Own reports that the call concerns only what this agent has started: no mode and no question stops it, only a rule.
	Own bool
	// Message is the text that the user wrote when they allowed the call.
	Message string
	// Instead is the command line that runs in place of Ask.Command, "" for that one; see [permission.Decision].
	Instead string
}

// Form is the question or plan that a call puts to the user instead of running. It reaches the user in every mode.
type Form struct {
	// Asked is the ask without its head and id.
	Asked session.Asked
	// Only, if set, is the one mode in which the user is asked; Elsewhere is the result in others.
	Only      session.Mode
	Elsewhere string
	// Settle returns the outcome of an answer. leavePlan ends plan mode as the answer asks, and returns the mode from then on.
	Settle func(leavePlan func(session.Answer) session.Mode, a session.Answer) Outcome
}

// Outcome is the end of a call.
type Outcome struct {
	How    session.ToolOutcome
	Result session.ToolResult
	Edits  []session.FileEdit
	// Duration is the time that a call in the background took, at its end; zero otherwise.
	Duration time.Duration
	// Reported, if set, is called once the end was emitted, such as for a call that goes on in the background.
	Reported func()
}

// Failed returns the outcome of a failed call with a text for the model, which says what was wrong and what to do next.
func Failed(format string, args ...any) Outcome {
	return Outcome{How: session.ToolFailed, Result: session.ToolResult{Text: fmt.Sprintf(format, args...)}}
}

// Interrupted is the result of a call that the user interrupted, as the model reads it.
const Interrupted = "Interrupted: this call did not finish, and what it has done is unknown."

// Cancelled is the outcome of a call whose context ended.
var Cancelled = Outcome{How: session.ToolCancelled, Result: session.ToolResult{Text: Interrupted}}

// NoOutput is the text that the model reads of a result without text.
const NoOutput = "(no output)"

const allowedSay = "The user allowed this call and says: "

// WithMessage adds what the user said with an allowance to what the model reads of the result. The user's view of it stays
// as it is.
func (j *Job) WithMessage(out Outcome) Outcome {
	if strings.TrimSpace(j.Message) == "" {
		return out
	}
	read := out.Result.Sent
	if read == "" {
		read = out.Result.Text
	}
	if strings.TrimSpace(read) == "" {
		read = NoOutput
	}
	out.Result.Sent = allowedSay + j.Message + "\n\n" + read
	return out
}

// Declined returns the outcome of a form that the user refused: plain, or with what they said between before and after.
func Declined(message, plain, before, after string) Outcome {
	text := plain
	if m := strings.TrimSpace(message); m != "" {
		text = before + m + after
	}
	return Outcome{How: session.ToolDenied, Result: session.ToolResult{Text: text}}
}
