package builtin

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"parley/session"
	"parley/session/builtin/tool"
)

// inbox holds what a loop takes at its next boundary, in order of arrival. It is safe for concurrent use.
type inbox struct {
	mu    sync.Mutex
	taken bool // prompts are taken
	items []note
}

// note is a prompt of the user, or a text for the model about something that happened without it.
type note struct {
	prompt *session.Prompt
	text   string
	// because and call say what happened in a few words, for a turn that begins with it.
	because string
	call    session.CallID
}

func (b *inbox) add(n note) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.items = append(b.items, n)
}

// open lets the inbox take prompts.
func (b *inbox) open() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.taken = true
}

// steer adds a prompt, and reports false if the inbox takes none.
func (b *inbox) steer(p session.Prompt) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.taken {
		b.items = append(b.items, note{prompt: &p})
	}
	return b.taken
}

// takes reports whether the inbox takes prompts.
func (b *inbox) takes() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.taken
}

// over stops the inbox from taking prompts, and reports true, unless one waits.
func (b *inbox) over() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	waits := slices.ContainsFunc(b.items, func(n note) bool { return n.prompt != nil })
	b.taken = waits
	return !waits
}

// close stops the inbox from taking prompts and drops those that wait: their sender still has them. Notes stay.
func (b *inbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.taken = false
	b.items = slices.DeleteFunc(b.items, func(n note) bool { return n.prompt != nil })
}

// first returns the oldest note, false if there is none.
func (b *inbox) first() (note, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, n := range b.items {
		if n.prompt == nil {
			return n, true
		}
	}
	return note{}, false
}

// take empties the inbox.
func (b *inbox) take() []note {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := b.items
	b.items = nil
	return out
}

// endedLater reports the end of a call that went on in the background. The model reads of it at the next boundary, or in a
// turn that begins for it.
func (l *loop) endedLater(id session.CallID, out tool.Outcome, because string) {
	l.c.out.emit(session.ToolEnded{Head: l.between(), Call: id, Outcome: out.How, Result: out.Result, Edits: out.Edits,
		Duration: out.Duration})
	if because != "" {
		l.report(id, out, because)
	}
}

// report puts the end of something in the background before the model.
func (l *loop) report(id session.CallID, out tool.Outcome, because string) {
	to := l.awake()
	to.inbox.add(endNote(id, out.Result, because))
	if to == l.c.top && out.How != session.ToolCancelled { // the user knows of what they stopped
		l.c.wake()
	}
}

// endNote returns the note about the end of a call in the background.
func endNote(id session.CallID, result session.ToolResult, because string) note {
	read := result.Sent
	if read == "" {
		read = result.Text
	}
	if strings.TrimSpace(read) == "" {
		read = tool.NoOutput
	}
	return note{text: remind(fmt.Sprintf("Ended in the background (call %s): %s\n\n%s", id, because, read)), because: because, call: id}
}
