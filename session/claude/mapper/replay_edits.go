package mapper

import (
	"parley/session"
	"parley/session/claude/transcript"
)

// ReplayEdits returns the ends of the calls of a conversation that changed files, oldest first, with what the files contained
// before.
func ReplayEdits(id session.ID, entries []transcript.Entry, children []transcript.Child) []session.ToolEnded {
	r := newReplayer(id, children)
	r.read = readResult
	r.look(entries)
	var out []session.ToolEnded
	for i := range entries {
		r.guarded(&entries[i])
		for _, e := range r.m.rec.Take() {
			if e, ok := e.(session.ToolEnded); ok && e.Outcome == session.ToolOK && len(e.Edits) > 0 {
				out = append(out, e)
			}
		}
	}
	return out
}
