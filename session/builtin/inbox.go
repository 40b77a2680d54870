package builtin

import (
	"fmt"
	"strings"
	"sync"

	"parley/session"
	"parley/session/builtin/tool"
)

// inbox holds what a loop takes at its next boundary, in order of arrival. It is safe for concurrent use.
type inbox struct {
	mu    sync.Mutex
	notes []note
}

// note is a text for the model about something that happened without it.
type note struct {
	text string
	// because and call say what happened in a few words, for a turn that begins with it.
	because string
	call    session.CallID
}

func (b *inbox) add(n note) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.notes = append(b.notes, n)
}

// take empties the inbox.
func (b *inbox) take() []note {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := b.notes
	b.notes = nil
	return out
}

// endedLater reports the end of a call that went on in the background. The model reads of it at the next boundary.
func (l *loop) endedLater(id session.CallID, out tool.Outcome, because string) {
	l.c.out.emit(session.ToolEnded{Head: l.head(), Call: id, Outcome: out.How, Result: out.Result, Edits: out.Edits})
	read := out.Result.Sent
	if read == "" {
		read = out.Result.Text
	}
	if strings.TrimSpace(read) == "" {
		read = tool.NoOutput
	}
	l.inbox.add(note{remind(fmt.Sprintf("The call %s in the background has ended: %s\n\n%s", id, because, read)), because, id})
}
