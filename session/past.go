package session

import (
	"context"
	"time"
)

// PastPrompt is an earlier prompt of any session.
type PastPrompt struct {
	Text string
	// At is zero if unknown.
	At time.Time
	// Dir is the directory of its session.
	Dir string
}

// PromptJournals are [Journals] that can list the prompts they hold.
type PromptJournals interface {
	// Has reports whether there is a journal of a session.
	Has(id ID) bool
	// Prompts yields the prompts of all sessions, one session at a time, the most recently changed first and its newest
	// prompt first. It ends early when yield returns false or ctx ends. It is for background use.
	Prompts(ctx context.Context, yield func([]PastPrompt) bool) error
}

// PromptReader is an [Agent] that can list the prompts of sessions it stores itself.
type PromptReader interface {
	// Prompts yields the prompts of a directory as [PromptJournals] does, without the sessions that skip reports.
	Prompts(ctx context.Context, dir string, skip func(ID) bool, yield func([]PastPrompt) bool) error
}

// Remover is an [Agent] that can delete the sessions it stores itself.
type Remover interface {
	// Kept returns the files and directories that Remove deletes. The error is of kind [KindNotFound] if there are none.
	Kept(ctx context.Context, id ID) ([]string, error)
	// Users returns the numbers of the running processes that have the session open in the agent's own program and not in parley.
	Users(id ID) []int
	// Remove permanently deletes the agent's record of a session. It does not check whether a runtime is using it.
	Remove(ctx context.Context, id ID) error
}

// Labeler is an [Agent] that has titles, tags and an archive for the sessions it stores itself.
type Labeler interface {
	// SetTitle and SetTag give a stored session a title or its one tag, "" for none, so that the agent's own program has it too. The session
	// is as old as before. The error is of kind [KindNotFound] or [KindDisk].
	SetTitle(ctx context.Context, id ID, title string) error
	SetTag(ctx context.Context, id ID, tag string) error
	// SetArchived takes a session out of the lists of the agent's own program, or brings it back there.
	SetArchived(ctx context.Context, id ID, archived bool) error
}

// Text is a piece of what was said in a session.
type Text struct {
	Prompt bool // of a prompt, not an answer
	Tool   bool // the input or the result of a tool call
	GoesOn bool // it continues the piece before
	Bytes  []byte
}

// TextReader are [Journals], or an [Agent], that pass on what was said in the sessions they store.
type TextReader interface {
	// Texts passes the prompts, answers, inputs and results of tool calls of a session to yield in their order, each piece valid until
	// yield returns. It ends when yield returns false or ctx ends. The error is of kind [KindNotFound] if the session is not stored
	// there, [KindInvalid] if its record does not go on from the place. It is for background use.
	Texts(ctx context.Context, id ID, want TextQuery, yield func(Text) bool) (TextsRead, error)
}

// TextQuery says which texts of a session are wanted. The zero value wants all.
type TextQuery struct {
	// Likely reports whether a line of a file may have what is looked for; others may be left out. Nil: all may.
	Likely func(line []byte) bool
	// Spoken wants only prompts and answers, Tools only the inputs and results of calls.
	Spoken, Tools bool
	// After is the [TextsRead.Place] behind which to begin; "": the beginning. Places of other kinds of texts are others.
	After string
}

// Wants reports whether a text is wanted.
func (q TextQuery) Wants(t Text) bool { return !(q.Spoken && t.Tool || q.Tools && !t.Tool) }

// Skips reports whether a line of a file may be left out.
func (q TextQuery) Skips(line []byte) bool { return q.Likely != nil && !q.Likely(line) }

// TextsRead is how far texts were read.
type TextsRead struct {
	Bytes int64 // of files
	// Place is where what comes later is read from, "" if only all can be read again.
	Place string
}
