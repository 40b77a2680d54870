// Package builtin is parley's own agent: a loop on the official Anthropic SDK with a few tools, which works on a
// machine where nothing else is installed.
//
// In come prompts and answers through [session.Conversation], and the stream of its endpoint. Out go [session.Event]
// values through [session.OpenOptions.Emit]. Between them, [mapper.Mapper] turns the stream into events, and history.go turns
// a transcript back into the messages of a request. Both are pure. The conversation has no other memory: every request
// is built from the transcript of all events so far, so that a resumed session sends exactly what an uninterrupted one
// would have sent.
//
// A [loop] is the run of one agent: requests, tools, notes, retries. The conversation has one and each child another, with a
// separate history, workspace and tool list; policy, asks, events and connection are shared. Before each request the loop
// takes what arrived meanwhile ([loop.boundary]): it becomes events, so that history stays the same after a restart.
//
// The facts and instructions that a session begins with end the system prompt and stay the same, because an event keeps them
// ([facts]); what changes is told in reminders. A conversation that fills its model's window is summarised, or loses old
// results ([room]), again by an event. A prompt may be a command ([commandOf]); what it prints is part of no request.
//
// Every file is read as a regular file, within a bound and under a context. A tool resolves the links of a path before
// the policy rules on it and follows none afterwards ([tool.Place]), so that it opens exactly what was allowed.
//
// The permission mode is a note at the end of the newest request and the list of tools never changes, so that what the
// service has cached stays valid. Questions and plans are asks in place of a tool's work ([tool.Form]); they reach the user in
// every mode. A search leaves out what a read would be asked about ([tool.Searched]).
//
// This package never sees a GitHub token and connects only to its endpoint. It changes files and runs commands only if
// the session's [permission.Policy] or the user allows it. It may import session, session/permission, session/proc,
// session/toolview, its subfolders and rooms below internal, and nothing else of parley. Its tools are in the subfolders.
package builtin
