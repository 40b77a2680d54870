// Package sessions has the commands of `parley sessions`: they list, show, export, copy and remove stored sessions, and print and
// undo what those changed in files.
//
// In come the streams of a run, a manager of stored sessions and the records of changes, as [Library]. Out go the command
// ([Command]), all sessions ([List]) and the next steps for an id that is not clear ([Candidates]). It needs no login and starts
// no agent.
package sessions
