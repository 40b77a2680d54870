// Package library is what parley and its agents store of sessions that need not be open: it renames and deletes them, and reads
// the prompts of all.
//
// In come journals and agents, and what is to be done with a session. Out go the same results as for an open session, and errors
// that name who has it. It starts no agent and holds nothing.
package library
