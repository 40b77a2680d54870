// Package sessions lists the stored sessions, the turns that a copy of one can end with, and the agents that a new one can have.
//
// In come what a manager knows and finds; out go lists and their effects. Sessions, services and previews are read in the
// background.
package sessions
