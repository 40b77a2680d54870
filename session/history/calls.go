package history

import "parley/session"

// callNotes holds the facts that a journal adds to tool calls.
type callNotes struct {
	asks       map[session.CallID][]session.Event // asks and settlements
	denied     map[session.CallID]bool
	hooked     map[session.CallID]session.ToolResult  // blocked by hooks; failures in a transcript
	background map[session.CallID]*session.ToolResult // output of background commands, nil until the end
	changed    map[session.CallID]session.FilesChanged
	ran        map[session.CallID]string // what ran in place of their commands
}

func newCallNotes() callNotes {
	return callNotes{asks: map[session.CallID][]session.Event{}, denied: map[session.CallID]bool{},
		hooked: map[session.CallID]session.ToolResult{}, background: map[session.CallID]*session.ToolResult{},
		changed: map[session.CallID]session.FilesChanged{}, ran: map[session.CallID]string{}}
}

// ended notes how a call ended in the journal.
func (n callNotes) ended(e session.ToolEnded) {
	if e.Result.Ran != "" {
		n.ran[e.Call] = e.Result.Ran
	}
	if e.Outcome == session.ToolDenied && e.Result.Summary == session.BlockedByHook {
		n.hooked[e.Call] = e.Result
	}
	if _, was := n.background[e.Call]; was {
		n.background[e.Call] = &e.Result
	} else if e.Result.Background {
		n.background[e.Call] = nil
	}
}

// complete returns the end of a call in the transcript with what only the journal knows of it.
func (n callNotes) complete(e session.ToolEnded) session.ToolEnded {
	if n.denied[e.Call] && e.Outcome == session.ToolFailed {
		e.Outcome = session.ToolDenied
	}
	if r, ok := n.hooked[e.Call]; ok && e.Outcome == session.ToolFailed {
		e.Outcome, e.Result = session.ToolDenied, r
	}
	if r := n.background[e.Call]; r != nil && !e.Result.Background && e.Result.Text == "" {
		e.Result = *r
	}
	if ran := n.ran[e.Call]; ran != "" {
		e.Result.Ran = ran
	}
	return e
}

// withChanges returns the end of a call with what the call changed in files, which only a journal has. It is in the turn of
// the end: the journal may name an autonomous turn otherwise.
func (n callNotes) withChanges(e session.ToolEnded) []session.Event {
	c, ok := n.changed[e.Call]
	if !ok || e.Call == "" {
		return []session.Event{e}
	}
	at := c.At
	c.Head = e.Head
	c.At = at
	return []session.Event{e, c}
}
