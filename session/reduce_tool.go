package session

func (t *Transcript) toolStarted(e ToolStarted) Change {
	if s := t.index.tools[e.Call]; s != nil && s.said == e.Turn {
		return nothing
	}
	tool := &Tool{Call: e.Call, Name: e.Name, Parent: e.Parent, Child: e.Child, Started: e.At, rev: 1}
	at := t.put(e.Head, tool)
	tool.Turn = t.Turns[at.turn].ID
	if t.index.tools == nil {
		t.index.tools = map[CallID]*spot[*Tool]{}
	}
	t.index.tools[e.Call] = &spot[*Tool]{it: tool, at: at, said: e.Turn, announced: true}
	t.going(at.turn)
	return touched(at)
}

func (t *Transcript) touchTool(s *spot[*Tool]) Change {
	s.it.rev++
	if s.at.child != "" {
		t.bump(s.at.child)
	}
	return touched(s.at)
}

func (t *Transcript) toolInput(e ToolInput) Change {
	s := t.index.tools[e.Call]
	if s == nil || s.it.Ready || s.it.Ended || e.Fragment == "" {
		return nothing
	}
	s.it.partial.WriteString(e.Fragment)
	return t.touchTool(s)
}

func (t *Transcript) toolReady(e ToolReady) Change {
	s := t.index.tools[e.Call]
	if s == nil || s.it.Ended && s.it.Ready {
		return nothing
	}
	if !s.it.Ready && !s.it.Ended && e.At.After(s.it.Started) {
		s.it.Started = e.At // nothing runs while the model still writes what to run
	}
	s.it.Input, s.it.Ready = e.Input, true
	// The whole input replaces the fragments; keeping both would hold every written file twice.
	s.it.partial.Reset()
	return t.touchTool(s)
}

func (t *Transcript) toolOutput(e ToolOutput) Change {
	s := t.index.tools[e.Call]
	if s == nil || s.it.Ended || e.Text == "" {
		return nothing
	}
	s.it.output.WriteString(e.Text)
	return t.touchTool(s)
}

func (t *Transcript) toolEnded(e ToolEnded) Change {
	s := t.index.tools[e.Call]
	if s == nil || s.it.Ended && !s.closed {
		return nothing
	}
	tool := s.it
	tool.Ended, s.closed = true, e.Result.Background // what goes on may still get its result
	tool.Outcome, tool.Result, tool.Edits, tool.Duration = e.Outcome, e.Result, e.Edits, e.Duration
	if tool.Outcome == "" {
		tool.Outcome = ToolOK
	}
	return t.touchTool(s)
}

// Outcomes returns how each tool call ended, "" for those that may still get a result.
func (t *Transcript) Outcomes() map[CallID]ToolOutcome {
	out := make(map[CallID]ToolOutcome, len(t.index.tools))
	for call, spot := range t.index.tools {
		out[call] = ""
		if !spot.closed { // a call that only its turn's end has ended may still get a result
			out[call] = spot.it.Outcome
		}
	}
	return out
}
