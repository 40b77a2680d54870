package question

import (
	"strings"

	"parley/internal/linediff"
	"parley/session"
	"parley/ui/textarea"
)

// Review is the review of a plan: what was proposed, the user's version of it, and the editor in which that is written.
type Review struct {
	// Plan is the plan as it was proposed, without line breaks at its end.
	Plan string
	// Edited is the user's version, "" without one, and Patch its difference in hunks of a unified diff.
	Edited, Patch string
	// Editor holds the text while Editing, and its undo steps afterwards; nil until the plan is edited in place.
	Editor  *textarea.Composer
	Editing bool
	// Trouble is why the text in the editor cannot be taken, "" for nothing.
	Trouble string

	changes uint64         // how often Edited changed
	modes   []session.Mode // in which the plan can be approved
	// handsOver means that the plan can be handed over to an agent at a service.
	handsOver bool
	who       string // the child that proposes it
}

// emptyPlan is why an edited plan without words is not taken.
const emptyPlan = "An empty plan can't be used. Write what to do, or drop your changes."

// maxCompared bounds the plans that are compared line by line, in bytes of both together.
const maxCompared = 4 << 20

// Text returns the plan as it is now: what is in the editor, the user's version, or the plan as proposed.
func (r *Review) Text() string {
	switch {
	case r.Editing:
		return r.Editor.Value()
	case r.Edited != "":
		return r.Edited
	}
	return r.Plan
}

// Version grows with every change of the user's version. It is 0 before the first.
func (r *Review) Version() uint64 {
	if r.Editor == nil {
		return r.changes
	}
	return r.changes + r.Editor.Version()
}

// Unsent returns the user's version of the plan, "" if there is none.
func (r *Review) Unsent() string {
	if r == nil {
		return ""
	}
	if text := trimmed(r.Text()); text != r.Plan {
		return text
	}
	return ""
}

// BeginEdit opens the plan in the question, with the user's changes so far.
func (q *Question) BeginEdit() {
	r := q.Review
	if r.Editor == nil {
		r.Editor = textarea.New(textarea.Looks{})
		r.Editor.Load(r.Text())
	} else if now := r.Text(); trimmed(r.Editor.Value()) != now {
		r.Editor.SetValue(now)
		r.Editor.Move(textarea.TextStart)
	}
	r.Editing, r.Trouble = true, ""
}

// EndEdit takes the text in the editor, and closes it unless the text cannot be taken. See [Review.Trouble].
func (q *Question) EndEdit() {
	r := q.Review
	if r.Trouble = q.TakePlan(r.Editor.Value()); r.Trouble == "" {
		r.Editing = false
	}
}

// TakePlan takes the user's version of the plan and asks what to do with it; the plan as it was proposed is no version. It
// returns why a text cannot be taken, "" for nothing, and then changes nothing.
func (q *Question) TakePlan(text string) (problem string) {
	r := q.Review
	switch text = trimmed(text); {
	case strings.TrimSpace(text) == "":
		return emptyPlan
	case text == r.Plan:
		q.DropEdits()
	default:
		r.Edited, r.Patch = text, difference(r.Plan, text)
		r.changes++
		r.Editing = false
		q.changed()
	}
	return ""
}

// DropEdits asks about the plan again as it was proposed.
func (q *Question) DropEdits() {
	r := q.Review
	r.Edited, r.Patch, r.Editing, r.Trouble = "", "", false, ""
	r.changes++
	q.proposed()
}

// trimmed returns a plan without the line breaks and blanks at its end.
func trimmed(plan string) string { return strings.TrimRight(plan, " \t\r\n") }

// difference returns the hunks of a unified diff, "" for plans that are too large to compare.
func difference(before, after string) string {
	if len(before)+len(after) > maxCompared {
		return ""
	}
	return linediff.Between(strings.ToValidUTF8(before, "\ufffd")+"\n", strings.ToValidUTF8(after, "\ufffd")+"\n").Text
}
