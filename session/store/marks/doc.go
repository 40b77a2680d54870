// Package marks stores how the user sorted sessions: tags, pins, what is out of sight, and titles that no journal and no agent stores.
//
// In come the ids of sessions of any agent, also of those that another process has open. Out go their marks. Each session with some has
// a small file of its own, which is replaced as a whole under a lock, so that several processes lose no change. It changes no session.
package marks
