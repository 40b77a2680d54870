// Package budget counts what an agent uses against the limits of its user.
//
// In come the limits, the time, and the tokens and the price of each answer. Out come the problem of a limit that is reached, and
// the words for a model of which little is left. The package makes no request and ends nothing itself.
package budget
