package mapper

import "parley/session"

// What the model reads when a call is refused. The words are fixed, so that a result that consists of them is known for a
// refusal, also when it is read from a transcript.
const (
	RefusedByUser     = "The user refused this call. Do not do the same thing another way; go on without it or ask how to go on."
	RefusedByAbort    = "The user interrupted the turn before answering."
	RefusedUnanswered = "The user closed the question without answering. Go on with your best judgement, or ask in another way."
	RefusedNoQuestion = "The question was empty, so nobody was asked."
	RefusedKeepPlan   = "The user does not approve the plan yet. Stay in plan mode and ask what should be different."
	RefusedNoTurn     = "Nobody is waiting for this any more, so nobody was asked."
)

// refusals are all texts with which this agent refuses a call, for the user or where there is none.
var refusals = []string{RefusedByUser, RefusedByAbort, RefusedUnanswered, RefusedNoQuestion, RefusedKeepPlan, RefusedNoTurn,
	session.UnattendedReason}
