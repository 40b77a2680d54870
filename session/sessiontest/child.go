package sessiontest

import "parley/session"

// Child is a child agent of a turn in the hands of a test. What it does goes through Turn, with [Child.Head] in the events.
type Child struct {
	ID   session.ChildID
	Call session.CallID
	turn *Turn
	// parent is the child that started this one, nil for the turn itself.
	parent *Child
}

// Child starts a child agent by a call of the tool Agent: the call, then the child. told is its prompt.
func (t *Turn) Child(name, description, told string, background bool) *Child {
	return t.startChild(nil, name, description, told, background)
}

// Child starts a child of the child.
func (c *Child) Child(name, description, told string, background bool) *Child {
	return c.turn.startChild(c, name, description, told, background)
}

func (t *Turn) startChild(parent *Child, name, description, told string, background bool) *Child {
	c := &Child{ID: session.ChildID(t.id("child")), Call: session.CallID(t.id("call")), turn: t, parent: parent}
	h := session.Head{}
	if parent != nil {
		h.Child = parent.ID
	}
	input := mustJSON(map[string]string{"description": description, "prompt": told, "subagent_type": name})
	t.Emit(session.ToolStarted{Head: h, Call: c.Call, Name: "Agent"}, session.ToolReady{Head: h, Call: c.Call, Input: input},
		session.ChildStarted{Head: h, ID: c.ID, Call: c.Call, Name: name, Description: description, Background: background})
	return c
}

// Head is the head of what the child does.
func (c *Child) Head() session.Head { return session.Head{Child: c.ID} }

// Tool plays a whole call of the child.
func (c *Child) Tool(name, input, result string) {
	id := session.CallID(c.turn.id("call"))
	c.turn.Emit(session.ToolStarted{Head: c.Head(), Call: id, Name: name, Parent: c.Call},
		session.ToolReady{Head: c.Head(), Call: id, Input: []byte(input)},
		session.ToolEnded{Head: c.Head(), Call: id, Outcome: session.ToolOK, Result: session.ToolResult{Text: result}})
}

// Text plays a whole part of text of the child.
func (c *Child) Text(text string) {
	c.turn.Emit(session.PartReplaced{Head: c.Head(), Part: session.PartID(c.turn.id("part")), Kind: session.PartText, Text: text})
}

// End ends the child, and its call with its last words.
func (c *Child) End(outcome session.TurnOutcome, summary string) {
	h := session.Head{}
	if c.parent != nil {
		h.Child = c.parent.ID
	}
	c.turn.Emit(session.ToolEnded{Head: h, Call: c.Call, Outcome: session.ToolOK, Result: session.ToolResult{Text: summary}},
		session.ChildEnded{Head: h, ID: c.ID, Outcome: outcome, Summary: summary})
}
