package mapper

import (
	"slices"
	"strings"

	"parley/session"
)

// Texts that the model reads when a call is refused. They are fixed, so that a refusal is recognized in a transcript.
const (
	RefusedByUser     = "The user refused this call. Do not do the same thing another way; go on without it or ask how to go on."
	RefusedByAbort    = "The user interrupted the turn before answering."
	RefusedUnanswered = session.Unanswered
	RefusedNoQuestion = "The question was empty, so nobody was asked."
	RefusedKeepPlan   = "The user does not approve the plan yet. Stay in plan mode and ask what should be different."
	RefusedNoTurn     = "Nobody is waiting for this any more, so nobody was asked."
)

// refusals lists all texts of refusals, including that of a session without a user.
var refusals = []string{RefusedByUser, RefusedByAbort, RefusedUnanswered, RefusedNoQuestion, RefusedKeepPlan, RefusedNoTurn,
	session.UnattendedReason}

// saying begins the text of a refusal with words of the user.
const saying = "The user refused, and says: "

// Refused returns what the model reads of a refusal with a message: the words of the user, so that a transcript shows them as
// such, or a fixed text as it is.
func Refused(message string) string {
	if slices.Contains(refusals, message) {
		return message
	}
	return saying + message
}

// byRule begin the results of calls that a rule of parley or plan mode denies, and bySettings that of one which the runtime's
// settings deny.
var (
	byRule     = []string{"Refused: the rule ", "Refused: in plan mode "}
	bySettings = "File is in a directory that is denied by your permission settings."
)

// refusedByRule reports whether a result is that of a call which a rule denies. 2.1.330 puts the hook's name before the reason.
func refusedByRule(tool, text string) bool {
	text = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(text, hookError(tool)), "<tool_use_error>"), "</tool_use_error>")
	return strings.HasPrefix(text, byRule[0]) || strings.HasPrefix(text, byRule[1]) || text == bySettings
}
