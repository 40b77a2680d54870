package question

import (
	"slices"

	"parley/session"
	"parley/ui/core"
)

// plan fills in the question whether to go on with a plan. The plan itself stands in the conversation. Permission modes
// that are not available are left out.
func (q *Question) plan(o Options) {
	q.Review = &Review{Plan: trimmed(q.Ask.Plan.Plan), who: o.Who, handsOver: o.HandsOver && o.Who == ""}
	problem := ""
	for _, m := range []session.Mode{session.ModeDefault, session.ModeAcceptEdits} {
		if o.ModeProblem != nil {
			if p := o.ModeProblem(m); p != "" {
				problem = p
				continue
			}
		}
		q.Review.modes = append(q.Review.modes, m)
	}
	if len(q.Review.modes) == 0 {
		q.Detail = "It can't be approved here: " + problem
	}
	q.proposed()
}

// proposed asks about the plan as the agent proposed it.
func (q *Question) proposed() {
	q.setTitle("Go on with this plan?")
	q.Reveal, q.Decline = true, nil
	q.Choices = q.Review.approvals("")
	q.Choices = append(q.Choices, Choice{Key: "n", Digit: "3", Label: "No, keep planning", Short: "No", Answer: Declined()},
		Choice{Key: "m", Digit: "4", Label: "No, and say what to change", Short: "Change", Answer: Declined(), Why: "what to change"},
		Choice{Key: "e", Label: "Edit the plan", Hint: "edit the plan", Do: EditHere},
		Choice{Key: "o", Label: "Open it in your editor", Hint: "your editor", Do: EditPlan})
	q.Choices = withMore(append(q.Choices, q.Review.handOver()...))
}

// changed asks what to do with the user's version of the plan.
func (q *Question) changed() {
	q.setTitle("Go on with your version?")
	q.Choices = q.Review.approvals(q.Review.Edited)
	back := session.Answer{Decision: session.Deny, Message: core.EditedPlan + q.Review.Edited}
	q.Choices = append(q.Choices, Choice{Key: "n", Digit: "3", Label: "No, send it back to plan on", Short: "Plan on", Answer: back},
		Choice{Key: "d", Label: "Drop my changes", Short: "Drop", Do: DropEdits},
		Choice{Key: "e", Label: "Edit it again", Hint: "edit it again", Do: EditHere},
		Choice{Key: "o", Label: "Open it in your editor", Hint: "your editor", Do: EditPlan})
	q.Choices = withMore(append(q.Choices, q.Review.handOver()...))
	q.Decline = &Choice{Label: "Edit it again", Do: EditHere} // escape must not lose what was written
}

// setTitle sets the title, with the child that asks before it.
func (q *Question) setTitle(title string) {
	if q.Title = title; q.Review.who != "" {
		q.Title = q.Review.who + ": " + title
	}
}

// handOver returns the choice that hands the plan over, if there is an agent for it.
func (r *Review) handOver() []Choice {
	if !r.handsOver {
		return nil
	}
	return []Choice{{Key: "g", Label: "Hand it over to GitHub", Hint: "hand it over to GitHub", Do: HandOver}}
}

// approvals returns the choices that approve a plan, one for each mode that is available.
func (r *Review) approvals(plan string) (all []Choice) {
	for _, m := range r.modes {
		c := Choice{Key: "y", Digit: "1", Label: "Yes, start", Short: "Yes"}
		if m == session.ModeAcceptEdits {
			c = Choice{Key: "a", Digit: "2", Label: "Yes, and accept its edits", Short: "Accept"}
		}
		c.Answer = session.Answer{Decision: session.Allow, Scope: session.ScopeOnce, Mode: m, Plan: plan}
		all = append(all, c)
	}
	return slices.Clip(all)
}
