package merge

import "parley/session"

// callNotes is what a journal adds to tool calls.
type callNotes struct {
	asks       map[session.CallID][]session.Event // asks and settlements
	denied     map[session.CallID]bool
	hooked     map[session.CallID]session.ToolResult  // blocked by hooks; failures in a transcript
	background map[session.CallID]*session.ToolResult // output of background commands, nil until the end
	changed    map[session.CallID]session.FilesChanged
}

func newCallNotes() callNotes {
	return callNotes{asks: map[session.CallID][]session.Event{}, denied: map[session.CallID]bool{},
		hooked: map[session.CallID]session.ToolResult{}, background: map[session.CallID]*session.ToolResult{},
		changed: map[session.CallID]session.FilesChanged{}}
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
