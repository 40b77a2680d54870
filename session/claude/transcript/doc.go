// Package transcript reads, lists and copies the transcripts of the Claude Code runtime: JSON lines below the projects
// folder of its configuration directory (Claude Code 2.1, from 2.1.112 on).
//
// In come folders and files. Out go descriptions of sessions ([Lister]), conversations as ordered entries ([File]) and, on
// request, a new transcript with the beginning of another ([Fork]). Reading starts nothing, changes nothing, and works while
// a runtime writes. Damage is skipped and counted.
//
// The package does not interpret entries or map them to session events. It may import session, for its kinds of errors, and
// internal/jsonedit, and nothing else of parley.
package transcript
