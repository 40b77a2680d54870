// Package label stores the title that the user chose beside the journal of a session, such as in its agent's own record.
//
// In come titles, and when a session is at rest: while a turn runs, the agent writes its record itself. Out go titles to where they are
// stored. It never blocks a caller but in Finish, and touches no journal.
package label
