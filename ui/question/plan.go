package question

import (
	"parley/session"
	"parley/ui/chat"
)

// plan fills in the question whether to go on with a plan. The plan itself stands in the conversation. Permission modes
// that are not available are left out.
func (q *Question) plan(o Options) {
	q.Title, q.Reveal = "Go on with this plan?", true
	yes := func(key, label, short string, m session.Mode) {
		if o.ModeProblem != nil && m != session.ModeDefault && o.ModeProblem(m) != "" {
			return
		}
		q.Choices = append(q.Choices, Choice{Key: key, Label: label, Short: short,
			Answer: session.Answer{Decision: session.Allow, Scope: session.ScopeOnce, Mode: m}})
	}
	yes("y", "yes, asking before edits", "yes", session.ModeDefault)
	yes("a", "yes, and accept edits", "accept", session.ModeAcceptEdits)
	q.At = len(q.Choices)
	q.Choices = append(q.Choices, Choice{Key: "n", Label: "no, keep planning", Short: "no", Answer: Declined()},
		Choice{Key: "m", Label: "no, and say what to change", Short: "change", Answer: Declined(), Why: "what to change"},
		Choice{Key: "e", Label: "open in the editor", Short: "editor", Do: EditPlan})
}

// EditPlan turns the question about a plan into the question whether to send the user's version back.
func (q *Question) EditPlan(text string) {
	q.Title, q.Edited = "You changed the plan. Send your version to the agent?", text
	back := session.Answer{Decision: session.Deny, Message: chat.EditedPlan + text}
	q.Choices = []Choice{{Key: "y", Label: "yes, it plans on with it", Short: "yes", Answer: back},
		{Key: "n", Label: "no, drop my changes", Short: "no", Do: DropEdits},
		{Key: "e", Label: "edit it again", Short: "edit", Do: EditPlan}}
	q.At = 1
}
