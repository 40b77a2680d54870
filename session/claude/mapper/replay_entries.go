package mapper

import (
	"cmp"
	"encoding/json"

	"parley/session"
	"parley/session/claude/transcript"
)

// toolResults replays the results in an entry and reports whether there are any. What a child agent did is told before
// the result of the call that started it.
func (r *replayer) toolResults(e *transcript.Entry, child string) bool {
	found := false
	for i, b := range e.Blocks {
		if b.Type != "tool_result" {
			continue
		}
		found = true
		call := session.CallID(b.ToolUseID)
		if child == "" && r.m.turnOf(call) == r.m.turn {
			r.touch(e.Time)
		}
		r.child(b.ToolUseID)
		r.m.toolResultRead(resultLine(e, child), blockFrom(b), e.Time, r.ahead.reader(e, i))
	}
	return found
}

// attachment replays words of the user that were taken into the running turn. Everything else that is attached is for the
// model alone.
func (r *replayer) attachment(e *transcript.Entry) {
	if note, ok := noteOf(e); ok {
		r.taskEnded(note, e.Time)
		return
	}
	if call := hookedIn(e); call != "" && r.m.tools[call] != nil {
		r.m.tools[call].hooked = true
		return
	}
	q, ok := queuedIn(e)
	if !ok || q.mode != "prompt" || r.m.turn == "" {
		return
	}
	p := session.Prompt{ID: session.PromptID(cmp.Or(q.source, e.UUID)), Text: transcript.PromptText(q.blocks), Attachments: images(q.blocks)}
	r.m.emit(session.Queued{Head: r.m.at(e.Time), Prompt: p})
	r.m.emit(session.Steered{Head: r.m.at(e.Time), Prompt: p.ID})
	r.touch(e.Time)
}

// system replays compactions. Other lines of the kind are notes of the runtime to itself, or the output of commands that
// only concern the terminal they were typed in.
func (r *replayer) system(e *transcript.Entry) {
	if e.Subtype != "compact_boundary" {
		return
	}
	var c struct {
		Trigger    string `json:"trigger"`
		PreTokens  int64  `json:"preTokens"`
		PostTokens int64  `json:"postTokens"`
	}
	// Without its numbers a compaction is still one.
	if json.Unmarshal(e.Compact, &c) != nil {
		c.Trigger = ""
	}
	if c.Trigger != "auto" {
		r.end() // the user asked for it, between turns
	}
	r.m.emit(session.Compacted{Head: r.m.at(e.Time), Auto: c.Trigger == "auto", Before: c.PreTokens, After: c.PostTokens})
	r.used = c.PostTokens // until a request says how much it really is
}
