// Package question turns what is asked of the user into choices or a form, and what the user picks into an answer.
//
// In comes a [session.Ask] with what else its words depend on, or a list of things that a directory would load. Out comes
// a [Question]: its title, its subject, and either a list of [Choice] values or a [Form]; for a plan also its [Review], which
// holds the user's version and the editor in which that is written. The texts of a Question's own
// fields are visible already; those of a Form's fields come from outside as they are, and whoever shows them passes them
// through style.Visible.
//
// The package draws nothing, imports no Bubble Tea and calls no session. The screen (ui/question/view) and the chat in lines use it
// alike, each from one goroutine at a time.
package question
