// Package process is what conversations with an agent on a child process have in common: the order of prompts, one link to the
// runtime at a time, its end when nothing was to do for a while, costs that come late, closing; and what their agents know
// of directories: trust, custom agents, commands.
//
// In come the link that an agent opened and what the agent knows of it; out go events through the conversation's outbox. A link is
// a process, or a session that is open in one: what it says, and how it is started and ended, is the agent's.
//
// The package starts no process and maps no message; of the disk it only looks whether a directory is there. It
// imports session, and no agent.
package process
