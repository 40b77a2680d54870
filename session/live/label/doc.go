// Package label gives the agent's own record of a session the title that the user chose.
//
// In come titles, and when a session is at rest: while a turn runs, the agent writes its record itself. Out go titles to an agent that has
// some. It never blocks a caller but in Finish, and touches no journal.
package label
