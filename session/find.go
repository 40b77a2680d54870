package session

import "encoding/json"

// FindChild returns the child agent with an id, from the newest turns first; nil if there is none.
func (t *Transcript) FindChild(id ChildID) *Child {
	for i := len(t.Turns) - 1; i >= 0; i-- {
		if c := childIn(t.Turns[i].Entries, id); c != nil {
			return c
		}
	}
	return nil
}

func childIn(entries []Entry, id ChildID) *Child {
	for _, e := range entries {
		c, ok := e.(*Child)
		if !ok {
			continue
		}
		if c.ID == id {
			return c
		}
		if in := childIn(c.Entries, id); in != nil {
			return in
		}
	}
	return nil
}

// findTool returns the tool call with an id, of the session or of a child agent, from the newest turns first; nil if
// there is none.
func (t *Transcript) findTool(id CallID) *Tool {
	if id == "" {
		return nil
	}
	for i := len(t.Turns) - 1; i >= 0; i-- {
		if tool := toolIn(t.Turns[i].Entries, id); tool != nil {
			return tool
		}
	}
	return nil
}

func toolIn(entries []Entry, id CallID) *Tool {
	for _, e := range entries {
		switch e := e.(type) {
		case *Tool:
			if e.Call == id {
				return e
			}
		case *Child:
			if t := toolIn(e.Entries, id); t != nil {
				return t
			}
		}
	}
	return nil
}

// TaskOf returns the task of a child agent: the prompt of the call that started it, else its description.
func (t *Transcript) TaskOf(c *Child) string {
	if call := t.findTool(c.Call); call != nil {
		var in struct {
			Prompt string `json:"prompt"`
		}
		if json.Unmarshal(call.Input, &in) == nil && in.Prompt != "" {
			return in.Prompt
		}
	}
	return c.Description
}
