// Package usage lists what a session cost and what is left of the plan, for the command /usage.
//
// In come names with their figures; out go rows in which there is nothing to choose.
package usage
