package session

import (
	"encoding/json"
	"time"
)

// Transcript is a conversation folded from events. Only [Transcript.Apply] changes it, and it is not safe for concurrent
// use. The zero value is an empty transcript.
type Transcript struct {
	Session ID
	Gen     Generation
	// Turns are in order of their start.
	Turns []*Turn
	Queue Queue
	// Asks are the open asks, oldest first.
	Asks []*Ask

	Settings Settings
	Title    string
	Todos    []Todo
	Usage    Usage // of the whole session
	NanoAIU  int64 // charged in the whole session
	Context  ContextState
	Quotas   []Quota // newest state of each, by name
	// Revoked are the rules that answers no longer grant for the session.
	Revoked revocations
	Runtime RuntimeState
	// Remote describes the work at a service, nil for an agent on this machine. It is replaced, never changed.
	Remote *Remote
	// Unaccepted is the number of files with changes of agents that the user has not accepted.
	Unaccepted int
	// Revision grows with every applied event that changed anything.
	Revision uint64

	index index // lookup tables of the reducer, see reduce.go
}

// ContextState is the usage of the context window, in tokens.
type ContextState struct{ Used, Window int64 }

// Turn is a prompt and everything the agent did for it. Events before the first turn and between turns are in a turn
// without a prompt and with an empty ID.
type Turn struct {
	ID     TurnID
	Prompt Prompt
	Origin Origin
	// Because and Call are why the agent began the turn itself, see [TurnStarted].
	Because string
	Call    CallID
	Started time.Time
	// Outcome is empty while the turn runs.
	Outcome  TurnOutcome
	Problem  *Problem
	Duration time.Duration
	Usage    Usage
	NanoAIU  int64
	Model    string
	// Entries are in order of first appearance.
	Entries []Entry
	// Asks are the asks among the entries and those of children, in the order of their times.
	Asks []*Ask
	// Written is the length in bytes of the text, the reasoning and the calls' inputs of the agent itself so far.
	Written int
	// Retry is the retry that the turn waits for, nil for none.
	Retry *RetryScheduled
	// Revision grows with every change of the turn's fields, but not of its entries.
	Revision uint64

	work running // see [Turn.Open]
}

// Entry is one thing within a turn: a [*Part], [*Tool], [*Child], [*Ask] or [*Mark].
type Entry interface {
	// Rev grows with every change of the entry.
	Rev() uint64
	entry()
}

// Part is a run of text or reasoning.
type Part struct {
	ID      PartID
	Kind    PartKind
	Child   ChildID
	Started time.Time
	// Ended reports that no more deltas come.
	Ended    bool
	Duration time.Duration
	// Retracted parts stay in place, empty, and are not shown.
	Retracted bool
	Opaque    json.RawMessage
	// Epoch grows when the text is replaced instead of appended to: an incremental layout starts over.
	Epoch uint64

	text      growing
	rev       uint64
	committed bool // the text is final
}

// Text returns the whole text so far, without copying it.
func (p *Part) Text() string { return p.text.String() }

// Len returns the length of the text in bytes.
func (p *Part) Len() int { return p.text.Len() }

// Tool is a tool call.
type Tool struct {
	Call   CallID
	Name   string
	Parent CallID
	Child  ChildID
	Turn   TurnID // the announcing turn
	// Started is the time of the announcement, then of the complete input, then of the answer to an ask.
	Started time.Time
	// Input is the whole input once Ready; before that, Partial is the JSON text so far. Input may be malformed JSON.
	Input json.RawMessage
	Ready bool
	// Ended reports whether Outcome, Result, Edits and Duration are known.
	Ended    bool
	Outcome  ToolOutcome
	Result   ToolResult
	Edits    []FileEdit
	Duration time.Duration
	// Handover is the result that said that the call continues in the background, once Result is that of its end; else nil.
	Handover *ToolResult
	// Changes lists the changes in files that a comparison found after the call; nil before that. The call itself reports Edits.
	Changes *FilesChanged
	// Epoch grows when the live output is replaced instead of appended to.
	Epoch uint64

	partial, output growing
	dropped         int // bytes before output, no longer kept
	rev             uint64
	closed          bool // ended without a result: a late one still counts
	answered        bool // the user allowed it at Started
	delegated       bool // it started a child agent
	places          [lists]int
}

// Partial returns the streamed input so far, as JSON text that may be incomplete.
func (t *Tool) Partial() string { return t.partial.String() }

// Child is a child agent.
type Child struct {
	ID          ChildID
	Parent      ChildID
	Call        CallID
	Name        string
	Description string
	Background  bool
	Started     time.Time
	Ended       bool
	Outcome     TurnOutcome
	Summary     string
	Entries     []Entry // what the child did
	rev         uint64
	closed      bool // ended by its turn: its own end still counts
	places      [lists]int
}

// Ask is a question to the user, open or settled.
type Ask struct {
	Asked
	Settled    bool
	Settlement Settled // valid once Settled
	rev        uint64
}

// Mark is something other than an answer or a tool: a notice, a compaction, a change of model or mode, a steered prompt, a
// reminder, which is not shown, or the end of something in the background, where the conversation was at the time.
type Mark struct {
	At    time.Time
	Event Event // Notice, Compacted, ModelChanged, ModeChanged, CustomChanged, DirsChanged, RuntimeChanged, Reminded, Steered, ToolEnded or ChildEnded
	// Prompt is the steered prompt; nil for other events.
	Prompt *Prompt
	rev    uint64
}

// Rev grows with every change of the part.
func (p *Part) Rev() uint64 { return p.rev }

// Rev grows with every change of the call.
func (t *Tool) Rev() uint64 { return t.rev }

// Rev grows with every change of the child or of what it did.
func (c *Child) Rev() uint64 { return c.rev }

// Rev grows with every change of the ask.
func (a *Ask) Rev() uint64 { return a.rev }

// Rev grows with every change of the mark.
func (m *Mark) Rev() uint64 { return m.rev }

func (*Part) entry()  {}
func (*Tool) entry()  {}
func (*Child) entry() {}
func (*Ask) entry()   {}
func (*Mark) entry()  {}
