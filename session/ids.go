package session

// The ids of the domain are distinct types, so that one cannot be passed for another. All are opaque strings and never
// parsed. An empty id means "none".
type (
	// ID names a session. It is a lower-case UUID for sessions made by parley and by Claude Code.
	ID string
	// TurnID names one turn. Where the agent allows it, it equals the [PromptID] that opened the turn, so that live
	// and replayed turns share ids.
	TurnID string
	// PartID names one run of text or reasoning, unique within its session.
	PartID string
	// CallID names one tool call, unique within its session. For Anthropic agents it is the tool_use id.
	CallID string
	// ChildID names a child agent within its session.
	ChildID string
	// AskID names one question to the user, unique within its session.
	AskID string
	// PromptID names one prompt of the user, queued or sent.
	PromptID string
)

// Generation counts the processes or attempts that have held a session, from 1. An event of an older generation than
// the newest one is late output of something already replaced, and is dropped.
type Generation uint64
