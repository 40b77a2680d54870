// Package copilot holds conversations with the official Copilot runtime, one child process for all sessions.
//
// In come prompts, answers and settings through the interfaces of package session. Out go [session.Event] values, and the
// runtime's model requests: to Copilot itself, or to the session's endpoint where that is configured. After a crash the next
// prompt starts another process, which resumes the session.
//
// Its folders: protocol has the messages, dispatch finds the session and the child agent of what the runtime asks, driver
// runs the process, mapper turns events into those of package session, archive reads the sessions on disk, guard decides what
// the runtime may do without asking, copilottest simulates a runtime. None of them imports this package.
package copilot
