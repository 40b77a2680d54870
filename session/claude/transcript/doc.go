// Package transcript reads, lists and copies the transcripts that the Claude Code runtime keeps of its sessions, as JSON
// lines below the projects folder of its configuration directory (Claude Code 2.1, from 2.1.112 on).
//
// In come folders and files; out go descriptions of sessions ([Lister]), conversations as ordered entries ([File]) and, on
// request, a new transcript that holds the beginning of another ([Fork]). Reading is pure: it starts nothing, changes
// nothing, and does not mind a runtime that writes meanwhile. Damage is passed over and counted.
//
// What entries mean, and how they become session events, is not known here. The package may import nothing of parley but
// session, whose kinds of errors it uses.
package transcript
