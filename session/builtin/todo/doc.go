// Package todo has the list of tasks of the builtin agent: the tool that replaces it, and when the model is reminded of it.
//
// In come calls of the tool and the rounds of an agent's loop. Out come the tasks, for the user and for a summary, and notes for
// the model. The package may import session, session/builtin/tool and session/toolview; it asks nobody and writes nothing.
package todo
