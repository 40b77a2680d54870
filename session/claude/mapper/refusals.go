package mapper

import "parley/session"

// Texts that the model reads when a call is refused. They are fixed, so that a refusal is recognized in a transcript.
const (
	RefusedByUser     = "The user refused this call. Do not do the same thing another way; go on without it or ask how to go on."
	RefusedByAbort    = "The user interrupted the turn before answering."
	RefusedUnanswered = "The user closed the question without answering. Go on with your best judgement, or ask in another way."
	RefusedNoQuestion = "The question was empty, so nobody was asked."
	RefusedKeepPlan   = "The user does not approve the plan yet. Stay in plan mode and ask what should be different."
	RefusedNoTurn     = "Nobody is waiting for this any more, so nobody was asked."
)

// refusals lists all texts of refusals, including that of a session without a user.
var refusals = []string{RefusedByUser, RefusedByAbort, RefusedUnanswered, RefusedNoQuestion, RefusedKeepPlan, RefusedNoTurn,
	session.UnattendedReason}
