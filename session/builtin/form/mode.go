package form

import (
	"slices"

	"parley/session"
)

// PlanNote is the note that the model reads with each request in plan mode.
const PlanNote = `Plan mode is on: the user wants to see a plan before anything is changed. Read and search as much as you need; calls that
change something are refused. Ask with AskUserQuestion what only the user can decide. When the plan is complete, call
ExitPlanMode with it: what is changed and where, in which order, and how you will check it. Do not ask in words whether to
go on; ExitPlanMode asks. If the user only wants to know something, answer without a plan.`

// meaning describes the modes to the model.
var meaning = map[session.Mode]string{
	session.ModeDefault:     "The permission mode is default: the user is asked before a file is changed, and before a command runs that no rule allows.",
	session.ModeAcceptEdits: "The permission mode is acceptEdits: edits in the session's directories run without asking, commands are asked about as before.",
	session.ModeBypass:      "The permission mode is bypassPermissions: calls run without asking. Do nothing that cannot be undone unless the user wants it.",
}

// Notes are the notes about the permission mode for the model. Only the running turn uses them.
//
// A note ends the newest request and no other: it is part of neither the system prompt nor the history, so that what
// the service has cached stays valid when the mode changes, and so that history after a restart is the same.
type Notes struct {
	// last is the mode of the last request, empty before the first.
	last session.Mode
	// left reports whether plan mode ended in this turn.
	left bool
}

// Next returns the note for a request, "" for none. first means the first request of a turn. Plan mode is in every request,
// with its note, another mode in the first one of a turn and in the one after a change, and the end of plan mode until the turn ends.
func (n *Notes) Next(mode session.Mode, first bool, planNote string) string {
	changed := mode != n.last
	n.left = mode != session.ModePlan && (n.last == session.ModePlan || n.left && !first)
	known := n.last != ""
	n.last = mode
	switch {
	case mode == session.ModePlan:
		return planNote
	case n.left:
		return "Plan mode is off. " + meaning[mode]
	case changed && known, first && mode != session.ModeDefault:
		return meaning[mode]
	}
	return ""
}

// Restore continues the notes of a transcript.
func (n *Notes) Restore(t *session.Transcript) { n.last = lastMode(t) }

// lastMode returns the mode in which the model answered last, empty if it has not answered. Where the transcript has only a
// later mode, it returns plan mode: the note of another one says that plan mode is off, which is right either way.
func lastMode(t *session.Transcript) session.Mode {
	answered, changed := false, false
	for _, turn := range slices.Backward(t.Turns) {
		for _, e := range slices.Backward(turn.Entries) {
			switch e := e.(type) {
			case *session.Part, *session.Tool:
				answered = true
			case *session.Mark:
				m, ok := e.Event.(session.ModeChanged)
				if ok && answered {
					return m.Mode
				}
				changed = changed || ok
			}
		}
	}
	switch {
	case !answered:
		return ""
	case changed:
		return session.ModePlan
	}
	return t.Settings.Mode
}
