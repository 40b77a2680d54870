package mapper

import (
	"cmp"
	"encoding/json"

	"parley/session"
	"parley/session/claude/transcript"
)

// toolResults replays the results in an entry and reports whether there are any. A child agent is replayed before the
// result of the call that started it.
func (r *replayer) toolResults(e *transcript.Entry, child string) bool {
	found := false
	for i, b := range e.Blocks {
		if b.Type != "tool_result" {
			continue
		}
		found = true
		call := session.CallID(b.ToolUseID)
		if child == "" && r.m.calls.turnOf(call) == r.m.rec.Turn {
			r.touch(e.Time)
		}
		r.child(b.ToolUseID)
		l := resultLine(e, child)
		r.m.toolResult(l, blockFrom(b), e.Time, r.ahead.reader(e, i, r.read))
		r.wentOn(l.ToolUseResult, e.Time)
	}
	return found
}

// attachment replays prompts that were taken into the running turn. Other attachments are for the model only.
func (r *replayer) attachment(e *transcript.Entry) {
	if ending, ok := endingOf(e); ok {
		r.taskEnded(ending, e.Time)
		return
	}
	if t := r.m.calls.Find(hookedIn(e)); t != nil {
		t.With.hooked = true
		return
	}
	q, ok := queuedIn(e)
	if !ok || q.mode != "prompt" || r.m.rec.Turn == "" {
		return
	}
	p := session.Prompt{ID: session.PromptID(cmp.Or(q.source, e.UUID)), Text: transcript.PromptText(q.blocks), Attachments: images(q.blocks)}
	r.m.rec.Emit(session.Queued{Head: r.m.rec.At(e.Time), Prompt: p})
	r.m.rec.Emit(session.Steered{Head: r.m.rec.At(e.Time), Prompt: p.ID})
	r.touch(e.Time)
}

// system replays compactions. Other system lines are internal notes of the runtime, or output that concerned only its
// terminal.
func (r *replayer) system(e *transcript.Entry) {
	if e.Subtype != "compact_boundary" {
		return
	}
	var c struct {
		Trigger    string `json:"trigger"`
		PreTokens  int64  `json:"preTokens"`
		PostTokens int64  `json:"postTokens"`
	}
	// A compaction without numbers still counts.
	if json.Unmarshal(e.Compact, &c) != nil {
		c.Trigger = ""
	}
	if c.Trigger != "auto" {
		r.end() // the user asked for it, between turns
	}
	r.m.rec.Emit(session.Compacted{Head: r.m.rec.At(e.Time), Auto: c.Trigger == "auto", Before: c.PreTokens, After: c.PostTokens})
	r.contextUsed = c.PostTokens // until the next request reports its usage
}
