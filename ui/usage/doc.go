// Package usage lists what a session cost and on what, what is left of the plan, and what all sessions cost, for the command /usage.
//
// In come names with their figures, the session's events and the report of all costs, which are read in the background; out go rows
// in which there is nothing to choose.
package usage
