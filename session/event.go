package session

import (
	"encoding/json"
	"time"
)

// Event is one thing that happened in a session. It is a closed set: the structs of this file and no others. Events are
// values; whoever holds one may keep it, nobody may change what its slices and pointers refer to.
//
// Order that every agent keeps: a part starts before its deltas; a tool is started, then ready, then ended; usage comes
// before the end of its turn; a turn ends once; a child is announced before anything it does and ended once.
type Event interface {
	// Header returns the event's head.
	Header() Head
	// event seals the set.
	event()
}

// Head says where an event belongs. Agents fill all of it.
type Head struct {
	// Session is the session the event belongs to.
	Session ID `json:"session,omitempty"`
	// Turn is the turn the event belongs to, empty for what happens between turns.
	Turn TurnID `json:"turn,omitempty"`
	// Child is the child agent that acts, empty for the top level.
	Child ChildID `json:"child,omitempty"`
	// Gen is the generation that speaks.
	Gen Generation `json:"gen,omitempty"`
	// At is when it happened, by the emitter's clock. Zero where a replayed source does not say.
	At time.Time `json:"at,omitzero"`
}

// Header returns the head itself; it makes every struct that embeds a Head satisfy half of [Event].
func (h Head) Header() Head { return h }

// setHead replaces the head of the struct that embeds it.
func (h *Head) setHead(n Head) { *h = n }

// Origin says why a turn began.
type Origin string

// The origins of a turn.
const (
	OriginUser       Origin = "user"       // sent by the user into an idle session
	OriginQueued     Origin = "queued"     // sent by the user while another turn ran, delivered after it
	OriginSteer      Origin = "steer"      // sent by the user into a running turn
	OriginAutonomous Origin = "autonomous" // begun by the agent itself, such as after a background task
)

// TurnOutcome says how a turn ended.
type TurnOutcome string

// The outcomes of a turn.
const (
	TurnCompleted TurnOutcome = "completed"
	TurnCancelled TurnOutcome = "cancelled" // the user interrupted it; not an error
	TurnFailed    TurnOutcome = "failed"    // Problem says why
	TurnRefused   TurnOutcome = "refused"   // it could not go on because an ask was refused, or the model declined
	TurnLimit     TurnOutcome = "limit"     // it ran into a limit of turns, tokens or budget
	// TurnElsewhere is no end: another living process has the turn, and this one does not follow it. It is shown and never
	// journaled, and the real end takes its place.
	TurnElsewhere TurnOutcome = "elsewhere"
)

// TurnStarted opens a turn.
type TurnStarted struct {
	Head
	Prompt Prompt `json:"prompt,omitzero"`
	Origin Origin `json:"origin"`
}

// TurnEnded closes a turn. Agents emit it exactly once for each TurnStarted. One that says [TurnElsewhere] may come before
// it, from the manager alone.
type TurnEnded struct {
	Head
	Outcome TurnOutcome `json:"outcome"`
	// Problem explains any outcome but completed and cancelled.
	Problem *Problem `json:"problem,omitempty"`
	// Duration is the wall time of the turn; zero if unknown.
	Duration time.Duration `json:"duration,omitempty"`
}

// PartKind says what a part holds.
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
}

// PartEnded closes a part.
type PartEnded struct {
	Head
	Part PartID `json:"part"`
	// Duration is how long the part took; zero if unknown.
	Duration time.Duration `json:"duration,omitempty"`
	// Opaque is what the agent needs to continue the conversation after this part and nobody else may interpret, such as
	// the signature of a thinking block. It is journaled byte for byte and never shown.
	Opaque json.RawMessage `json:"opaque,omitempty"`
}

// PartReplaced commits the whole text of a part where the stream differed or there was none. It starts the part if it is
// not yet known, and ends it.
type PartReplaced struct {
	Head
	Part   PartID          `json:"part"`
	Kind   PartKind        `json:"kind"`
	Text   string          `json:"text"`
	Opaque json.RawMessage `json:"opaque,omitempty"`
}

// PartRetracted takes a part back: the attempt that made it was thrown away.
type PartRetracted struct {
	Head
	Part PartID `json:"part"`
}

// ToolStarted announces a tool call as soon as its name is known; the input may still be streaming.
type ToolStarted struct {
	Head
	Call CallID `json:"call"`
	// Name is the tool's name as the agent gives it; [Describe] turns it into words.
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

// ToolReady gives the call's whole input. It may differ from the streamed fragments, and wins.
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

// ToolOutcome says how a tool call ended.
type ToolOutcome string

// The outcomes of a tool call.
const (
	ToolOK        ToolOutcome = "ok"
	ToolFailed    ToolOutcome = "failed"
	ToolDenied    ToolOutcome = "denied"
	ToolCancelled ToolOutcome = "cancelled"
)

// BlockedByHook is the summary of the result of a denied call that a hook of the user has blocked. The text is its reason.
const BlockedByHook = "blocked by a hook"

// ToolEnded gives the result of a tool call. Its head's turn is the turn in which the result arrived, which may be later
// than the turn that announced the call; the reducer files it with the announcing one. It comes once, or once more after a
// result that says Background.
type ToolEnded struct {
	Head
	Call     CallID        `json:"call"`
	Outcome  ToolOutcome   `json:"outcome"`
	Result   ToolResult    `json:"result,omitzero"`
	Edits    []FileEdit    `json:"edits,omitempty"`
	Duration time.Duration `json:"duration,omitempty"`
}

// Asked puts a question to the user. Exactly one of the pointers is set, as Kind says. The ask is open until [Settled].
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

// Settled closes an ask. It is emitted exactly once for each Asked, whatever ended it.
type Settled struct {
	Head
	Ask AskID `json:"ask"`
	// How says what ended the ask.
	How Settlement `json:"how"`
	// Answer is what was answered; zero unless How is [SettledAnswered] or [SettledUnattended].
	Answer Answer `json:"answer,omitzero"`
}

// ChildStarted announces a child agent. Its head's Child is the parent; ID names the new one. It may come once more, with
// Background, for a child that turns out to work there.
type ChildStarted struct {
	Head
	ID ChildID `json:"id"`
	// Call is the tool call that started the child.
	Call        CallID `json:"call,omitempty"`
	Name        string `json:"name,omitempty"` // the kind of agent, such as "explore"
	Description string `json:"description,omitempty"`
	Background  bool   `json:"background,omitempty"`
}

// ChildEnded closes a child agent, exactly once.
type ChildEnded struct {
	Head
	ID      ChildID     `json:"id"`
	Outcome TurnOutcome `json:"outcome"`
	Summary string      `json:"summary,omitempty"`
}

// Queued says that a prompt waits for the running turn to end.
type Queued struct {
	Head
	Prompt Prompt `json:"prompt"`
}

// Steered says that a waiting prompt was taken into the running turn.
type Steered struct {
	Head
	Prompt PromptID `json:"prompt"`
}

// Unqueued says that a prompt no longer waits: it is about to be sent, or was taken back.
type Unqueued struct {
	Head
	Prompt PromptID `json:"prompt"`
	// Sent is true if the prompt is being delivered, false if it was taken back.
	Sent bool `json:"sent"`
}

// Requeued says that a waiting prompt changed its place: it is delivered right before another one.
type Requeued struct {
	Head
	Prompt PromptID `json:"prompt"`
	// Before is the prompt that comes after it now; empty if it is the last one.
	Before PromptID `json:"before,omitempty"`
}

// RetryScheduled says that a request failed and will be tried again.
type RetryScheduled struct {
	Head
	// Attempt is the number of the coming attempt, from 2; Of is how many there will be at most, 0 if unknown.
	Attempt int           `json:"attempt"`
	Of      int           `json:"of,omitempty"`
	Delay   time.Duration `json:"delay"`
	Why     string        `json:"why"`
}

// UsageReported gives the tokens one request or one turn used.
type UsageReported struct {
	Head
	Usage Usage  `json:"usage"`
	Model string `json:"model,omitempty"`
}

// ContextReported says how full the context window is, in tokens. A window of 0 is as large as was said before, if it was.
type ContextReported struct {
	Head
	Used   int64 `json:"used"`
	Window int64 `json:"window"`
}

// CreditsReported gives what Copilot charged, in nano AI units (1e9 are one credit).
type CreditsReported struct {
	Head
	NanoAIU int64 `json:"nanoAIU"`
}

// LimitReported gives the state of one quota of the account.
type LimitReported struct {
	Head
	Quota Quota `json:"quota"`
}

// ModelChanged says which model and effort the next request uses.
type ModelChanged struct {
	Head
	Model  string `json:"model"`
	Effort string `json:"effort,omitempty"`
}

// ModeChanged says which permission mode holds from now on.
type ModeChanged struct {
	Head
	Mode Mode `json:"mode"`
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

// Compacted says that the agent replaced the conversation so far by a summary.
type Compacted struct {
	Head
	Auto   bool  `json:"auto,omitempty"`
	Before int64 `json:"before,omitempty"` // tokens
	After  int64 `json:"after,omitempty"`  // tokens
}

// SessionIDChanged says that the agent goes on under another id.
type SessionIDChanged struct {
	Head
	ID ID `json:"id"`
}

// RuntimeState is the state of what runs the agent.
type RuntimeState string

// The states of a runtime.
const (
	RuntimeStarting   RuntimeState = "starting"
	RuntimeReady      RuntimeState = "ready"
	RuntimeExited     RuntimeState = "exited"
	RuntimeRestarting RuntimeState = "restarting"
)

// RuntimeChanged reports on what runs the agent. The event that reports starting carries the new generation.
type RuntimeChanged struct {
	Head
	State  RuntimeState `json:"state"`
	Detail string       `json:"detail,omitempty"`
}

// Severity says how much a notice matters.
type Severity string

// The severities of a notice.
const (
	Info    Severity = "info"
	Warning Severity = "warning"
	Failure Severity = "error"
)

// Notice tells the user something that is part of no turn's answer.
type Notice struct {
	Head
	Severity Severity `json:"severity"`
	Text     string   `json:"text"`
}
