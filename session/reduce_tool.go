package session

func (t *Transcript) toolStarted(e ToolStarted) Change {
	if s := t.index.tools[e.Call]; s != nil && s.said == e.Turn {
		return nothing
	}
	if s := t.index.tools[e.Call]; s != nil {
		t.index.behind.remove(behind, Work{Tool: s.it})
		t.Turns[s.at.turn].work.remove(open, Work{Tool: s.it})
	}
	tool := &Tool{Call: e.Call, Name: e.Name, Parent: e.Parent, Child: e.Child, Started: e.At, rev: 1, delegated: t.index.agents[e.Call] != ""}
	at := t.put(e.Head, tool)
	tool.Turn = t.Turns[at.turn].ID
	if t.index.tools == nil {
		t.index.tools = map[CallID]*spot[*Tool]{}
	}
	t.index.tools[e.Call] = &spot[*Tool]{it: tool, at: at, said: e.Turn, announced: true}
	turn := t.Turns[at.turn]
	turn.goOn()
	turn.work.add(open, Work{Tool: tool})
	return touched(at)
}

// changeTool applies a change to a known call, and reports what it touched if there was a change.
func (t *Transcript) changeTool(id CallID, change func(*Tool) bool) Change {
	s := t.index.tools[id]
	if s == nil {
		return nothing
	}
	was := s.it.written()
	if !change(s.it) {
		return nothing
	}
	s.it.rev++
	t.index.bump(s.at.child)
	t.Turns[s.at.turn].wrote(s.at.child, s.it.written()-was)
	return touched(s.at)
}

// written returns the length in bytes of the input so far.
func (t *Tool) written() int { return max(len(t.Input), t.partial.Len()) }

// addInput appends a fragment of the input.
func (t *Tool) addInput(e ToolInput) bool {
	if t.Ready || t.Ended || e.Fragment == "" {
		return false
	}
	t.partial.WriteString(e.Fragment)
	return true
}

// setInput sets the whole input. It replaces the fragments, so that a written file is not held twice.
func (t *Tool) setInput(e ToolReady) bool {
	if t.Ended && t.Ready {
		return false
	}
	if !t.Ready && !t.Ended && e.At.After(t.Started) {
		t.Started = e.At // nothing runs while the model writes the input
	}
	t.Input, t.Ready = e.Input, true
	t.partial.Reset()
	return true
}

// addOutput appends live output.
func (t *Tool) addOutput(e ToolOutput) bool {
	if t.Ended && !(t.closed && t.Result.Background) || e.Text == "" {
		return false
	}
	t.output.WriteString(e.Text)
	t.trim()
	return true
}

// toolEnded ends a call. The end of one in the background also gets a mark.
func (t *Transcript) toolEnded(e ToolEnded) Change {
	s := t.index.tools[e.Call]
	was := s != nil && s.it.closed && s.it.Result.Background
	c := t.changeTool(e.Call, func(tool *Tool) bool { return tool.end(e) })
	if c.Dropped {
		return c
	}
	t.index.list(Work{Tool: s.it}, e.Result.Background)
	t.Turns[s.at.turn].work.remove(open, Work{Tool: s.it})
	if was && !e.Result.Background && !s.it.delegated {
		t.index.past.add(past, Work{Tool: s.it})
		t.markEnd(e.Head, e)
		c.Marked = true
	}
	return c
}

// markEnd appends the mark of the end of something in the background to the newest turn if it runs, else behind it.
func (t *Transcript) markEnd(h Head, e Event) {
	h.Turn, h.Child = "", ""
	t.mark(h, &Mark{Event: e})
}

// end sets the result. One in the background may get another result.
func (t *Tool) end(e ToolEnded) bool {
	if t.Ended && !t.closed {
		return false
	}
	if t.Result.Background && !e.Result.Background {
		first := t.Result
		t.Handover = &first
	}
	t.Ended, t.closed = true, e.Result.Background
	t.Outcome, t.Result, t.Edits, t.Duration = e.Outcome, e.Result, e.Edits, e.Duration
	if t.answered && !e.At.IsZero() { // runtimes count from the announcement
		t.Duration = min(t.Duration, max(0, e.At.Sub(t.Started)))
	}
	if t.Outcome == "" {
		t.Outcome = ToolOK
	}
	return true
}

// filesChanged adds what was found out about the files of a call, or the count of a session's files. A journal has no
// counts, so an event about a call leaves the count as it is.
func (t *Transcript) filesChanged(e FilesChanged) Change {
	if e.Call == "" {
		counted := t.Unaccepted != e.Unaccepted
		t.Unaccepted = e.Unaccepted
		return metaIf(counted)
	}
	if len(e.Edits) == 0 && e.More == 0 && e.Gap == "" {
		return nothing
	}
	return t.changeTool(e.Call, func(tool *Tool) bool {
		tool.Changes = &e
		return true
	})
}

// Outcomes returns how each tool call ended, "" for those that may still get a result.
func (t *Transcript) Outcomes() map[CallID]ToolOutcome {
	out := make(map[CallID]ToolOutcome, len(t.index.tools))
	for call, spot := range t.index.tools {
		out[call] = ""
		if !spot.it.closed {
			out[call] = spot.it.Outcome
		}
	}
	return out
}
