package session

import (
	"encoding/json"
	"time"
)

// Event is one thing that happened in a session: one of the structs in the files named event*.go. Events are values that
// any caller may retain, but nothing may change what their slices and pointers refer to. The package comment has their order.
type Event interface {
	// Header returns the event's head.
	Header() Head
	// event seals the set.
	event()
}

// Head is the place of an event in its session. Agents fill in all fields.
type Head struct {
	// Session is the session the event belongs to.
	Session ID `json:"session,omitempty"`
	// Turn is the turn the event belongs to, empty between turns.
	Turn TurnID `json:"turn,omitempty"`
	// Child is the child agent that acts, empty at the top level.
	Child ChildID `json:"child,omitempty"`
	// Gen is the generation of the conversation that emitted the event.
	Gen Generation `json:"gen,omitempty"`
	// At is the time of the event by the emitter's clock, zero if a replayed source lacks it.
	At time.Time `json:"at,omitzero"`
}

// Header returns the head itself. It gives every struct that embeds a Head half of [Event].
func (h Head) Header() Head { return h }

// setHead replaces the head of the struct that embeds it.
func (h *Head) setHead(n Head) { *h = n }

// Origin is the reason why a turn began.
type Origin string

// The origins of a turn.
const (
	OriginUser       Origin = "user"       // sent by the user into an idle session
	OriginQueued     Origin = "queued"     // sent by the user while another turn ran, delivered after it
	OriginSteer      Origin = "steer"      // sent by the user into a running turn
	OriginAutonomous Origin = "autonomous" // begun by the agent itself, such as after a background task
)

// TurnOutcome is the way in which a turn ended.
type TurnOutcome string

// The outcomes of a turn.
const (
	TurnCompleted TurnOutcome = "completed"
	TurnCancelled TurnOutcome = "cancelled" // the user interrupted it; not an error
	TurnFailed    TurnOutcome = "failed"    // Problem says why
	TurnRefused   TurnOutcome = "refused"   // it could not go on because an ask was refused, or the model declined
	TurnLimit     TurnOutcome = "limit"     // it ran into a limit of turns, tokens or budget
	// TurnElsewhere is not an end: another running process or a service has the turn, and this one does not follow it. It is
	// shown but never journaled, and the real end replaces it.
	TurnElsewhere TurnOutcome = "elsewhere"
)

// TurnStarted opens a turn.
type TurnStarted struct {
	Head
	Prompt Prompt `json:"prompt,omitzero"`
	Origin Origin `json:"origin"`
	// Because says in a few words why the agent began the turn itself, such as "go test ./... ended"; Call is the call whose
	// end began it. Both are empty for prompts of the user.
	Because string `json:"because,omitempty"`
	Call    CallID `json:"call,omitempty"`
}

// TurnEnded closes a turn. Agents emit it exactly once for each TurnStarted. Only the manager and a [RemoteAgent] emit one
// with [TurnElsewhere], which may come before it.
type TurnEnded struct {
	Head
	Outcome TurnOutcome `json:"outcome"`
	// Problem explains any outcome but completed and cancelled.
	Problem *Problem `json:"problem,omitempty"`
	// Duration is the wall time of the turn; zero if unknown.
	Duration time.Duration `json:"duration,omitempty"`
}

// PartKind is the kind of content of a part.
type PartKind string

// The kinds of parts.
const (
	PartText      PartKind = "text"
	PartReasoning PartKind = "reasoning"
)

// PartStarted opens a run of text or reasoning.
type PartStarted struct {
	Head
	Part PartID   `json:"part"`
	Kind PartKind `json:"kind"`
}

// PartDelta appends to an open part.
type PartDelta struct {
	Head
	Part PartID `json:"part"`
	Text string `json:"text"`

	whole string // a text that ends with Text and in which who has what comes before may keep both; "" if there is none
}

// Equal reports whether the events are the same, wherever their text is stored.
func (e PartDelta) Equal(o PartDelta) bool {
	e.whole, o.whole = "", ""
	return e == o
}

// PartEnded closes a part.
type PartEnded struct {
	Head
	Part PartID `json:"part"`
	// Duration is the time that the part took; zero if unknown.
	Duration time.Duration `json:"duration,omitempty"`
	// Opaque is the data that the agent needs to continue the conversation after this part, such as the signature of a thinking
	// block. Only that agent may interpret it. It is journaled byte for byte and never shown.
	Opaque json.RawMessage `json:"opaque,omitempty"`
}

// PartReplaced sets the final text of a part, where the stream differed from it or there was none. It starts a part
// that is not known yet, and ends it.
type PartReplaced struct {
	Head
	Part   PartID          `json:"part"`
	Kind   PartKind        `json:"kind"`
	Text   string          `json:"text"`
	Opaque json.RawMessage `json:"opaque,omitempty"`
}

// PartRetracted withdraws a part, because the attempt that produced it was discarded.
type PartRetracted struct {
	Head
	Part PartID `json:"part"`
}

// ToolStarted announces a tool call as soon as its name is known; the input may still be streaming.
type ToolStarted struct {
	Head
	Call CallID `json:"call"`
	// Name is the tool's name as the agent gives it; [Describe] returns words for it.
	Name string `json:"name"`
	// Parent is the call of the child agent that makes this call, empty for the top level.
	Parent CallID `json:"parent,omitempty"`
}

// ToolInput is a fragment of the call's input, as JSON text, in order.
type ToolInput struct {
	Head
	Call     CallID `json:"call"`
	Fragment string `json:"fragment"`
}

// ToolReady gives the whole input of a call. It takes precedence over the streamed fragments.
type ToolReady struct {
	Head
	Call  CallID          `json:"call"`
	Input json.RawMessage `json:"input,omitempty"`
}

// ToolOutput is live output of a running tool, in order, as text.
type ToolOutput struct {
	Head
	Call CallID `json:"call"`
	Text string `json:"text"`
}

// ToolOutcome is the way in which a tool call ended.
type ToolOutcome string

// The outcomes of a tool call.
const (
	ToolOK        ToolOutcome = "ok"
	ToolFailed    ToolOutcome = "failed"
	ToolDenied    ToolOutcome = "denied"
	ToolCancelled ToolOutcome = "cancelled"
)

// BlockedByHook is the summary of the result of a call that a hook of the user blocked. Its text is the reason.
const BlockedByHook = "blocked by a hook"

// SkillLoaded is the summary of the result of a call that gave the model a skill.
const SkillLoaded = "loaded"

// RefusedWithWords is the summary of the result of a call that the user refused with words. Its text is what the user said.
const RefusedWithWords = "refused with words"

// ToolEnded gives the result of a tool call. Its head has the turn in which the result arrived, maybe after the turn of
// the call, where the reducer files it. It comes once, or once more after a result with Background.
type ToolEnded struct {
	Head
	Call     CallID        `json:"call"`
	Outcome  ToolOutcome   `json:"outcome"`
	Result   ToolResult    `json:"result,omitzero"`
	Edits    []FileEdit    `json:"edits,omitempty"`
	Duration time.Duration `json:"duration,omitempty"`
}

// FilesChanged reports what a call changed in files, once that is known. It comes after the end of the call, maybe after
// that of its turn. Without a Call it only reports Unaccepted.
type FilesChanged struct {
	Head
	Call CallID `json:"call,omitempty"`
	// Edits are the files that a comparison of the work tree found, in the order of their paths and with short patches.
	// They are empty for a call whose end has its edits. More is the number of further files.
	Edits []FileEdit `json:"edits,omitempty"`
	More  int        `json:"more,omitempty"`
	// Gap is the reason why changes of the call may be missing or cannot be taken back, as a sentence; empty if there is no gap.
	Gap string `json:"gap,omitempty"`
	// Unaccepted is the number of files with changes of agents that the user has not accepted. It counts only without a
	// Call, and is not journaled.
	Unaccepted int `json:"-"`
}

// Asked asks the user a question. Exactly one of the pointers is set, according to Kind. The ask is open until
// [Settled].
type Asked struct {
	Head
	Ask  AskID   `json:"ask"`
	Kind AskKind `json:"kind"`
	// Call is the tool call the ask is about, if any.
	Call        CallID          `json:"call,omitempty"`
	Permission  *PermissionAsk  `json:"permission,omitempty"`
	Question    *QuestionAsk    `json:"question,omitempty"`
	Plan        *PlanAsk        `json:"plan,omitempty"`
	Elicitation *ElicitationAsk `json:"elicitation,omitempty"`
}

// Settled closes an ask. It is emitted exactly once for each Asked, however it ended.
type Settled struct {
	Head
	Ask AskID `json:"ask"`
	// How is the cause that ended the ask.
	How Settlement `json:"how"`
	// Answer is the answer; zero unless How is [SettledAnswered] or [SettledUnattended].
	Answer Answer `json:"answer,omitzero"`
	// Why is the reason why the ask ended without the user, in words such as [WhyInterrupted]; empty if they answered.
	Why string `json:"why,omitempty"`
}

// ChildStarted announces a child agent: the head's Child is the parent, ID the new one. It comes again, with
// Background, for a child that turns out to run in the background, and with Resumed for one that goes on after its end.
type ChildStarted struct {
	Head
	ID ChildID `json:"id"`
	// Call is the tool call that started the child.
	Call        CallID `json:"call,omitempty"`
	Name        string `json:"name,omitempty"` // the kind of agent, such as "explore"
	Description string `json:"description,omitempty"`
	Background  bool   `json:"background,omitempty"`
	Resumed     bool   `json:"resumed,omitempty"`
}

// ChildEnded closes a child agent, exactly once for each time that it began.
type ChildEnded struct {
	Head
	ID      ChildID     `json:"id"`
	Outcome TurnOutcome `json:"outcome"`
	Summary string      `json:"summary,omitempty"`
}

// RetryScheduled reports that a request failed and will be tried again.
type RetryScheduled struct {
	Head
	// Attempt is the number of the next attempt, from 2; Of is the maximum number of attempts, 0 if unknown.
	Attempt int           `json:"attempt"`
	Of      int           `json:"of,omitempty"`
	Delay   time.Duration `json:"delay"`
	Why     string        `json:"why"`
}

// UsageReported gives the tokens that one request or one turn used.
type UsageReported struct {
	Head
	Usage Usage  `json:"usage"`
	Model string `json:"model,omitempty"`
}

// ContextReported gives the usage of the context window, in tokens. With a Window of 0 the size is unchanged.
type ContextReported struct {
	Head
	Used   int64 `json:"used"`
	Window int64 `json:"window"`
}

// CreditsReported gives the price that Copilot charged, in nano AI units (1e9 are one credit).
type CreditsReported struct {
	Head
	NanoAIU int64 `json:"nanoAIU"`
}

// LimitReported gives the state of one quota of the account.
type LimitReported struct {
	Head
	Quota Quota `json:"quota"`
}

// ModelChanged gives the model and the effort of the next request.
type ModelChanged struct {
	Head
	Model  string `json:"model"`
	Effort string `json:"effort,omitempty"`
}

// ModeChanged gives the permission mode from now on.
type ModeChanged struct {
	Head
	Mode Mode `json:"mode"`
}

// CustomChanged gives the custom agent that holds the conversation from the next request on, empty for none.
type CustomChanged struct {
	Head
	Custom string `json:"custom"` // as in [Settings]
}

// DirsChanged gives the further directories from the next request on.
type DirsChanged struct {
	Head
	Dirs []string `json:"dirs"` // absolute
}

// RuleRevoked ends a rule that the answer to an ask granted for the session, wherever the answer stands.
type RuleRevoked struct {
	Head
	Ask AskID `json:"ask"`
	// Rule is the text of the rule; empty in journals of older versions: all that the answer granted.
	Rule string `json:"rule,omitempty"`
}

// Revocation names a rule that an answer granted, with an empty Rule all of them.
type Revocation struct {
	Ask  AskID
	Rule string
}

// TitleChanged names the session.
type TitleChanged struct {
	Head
	Title string `json:"title"`
}

// TodosChanged replaces the agent's task list.
type TodosChanged struct {
	Head
	Todos []Todo `json:"todos"`
}

// SessionIDChanged reports that the agent continues under another id.
type SessionIDChanged struct {
	Head
	ID ID `json:"id"`
}

// RuntimeState is the state of an agent's runtime.
type RuntimeState string

// The states of a runtime.
const (
	RuntimeStarting   RuntimeState = "starting"
	RuntimeReady      RuntimeState = "ready"
	RuntimeExited     RuntimeState = "exited"
	RuntimeRestarting RuntimeState = "restarting"
)

// RuntimeChanged reports a new state of the agent's runtime. The event with the state starting has the new generation.
type RuntimeChanged struct {
	Head
	State  RuntimeState `json:"state"`
	Detail string       `json:"detail,omitempty"`
}

// Severity is the importance of a notice.
type Severity string

// The severities of a notice.
const (
	Info    Severity = "info"
	Warning Severity = "warning"
	Failure Severity = "error"
)

// Notice tells the user something outside of any answer.
type Notice struct {
	Head
	Severity Severity `json:"severity"`
	Text     string   `json:"text"`
}
