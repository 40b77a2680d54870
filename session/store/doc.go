// Package store stores sessions on disk: one journal per session, and the drafts of the composer.
//
// In come events, metadata and draft texts. Out come the same, however the process that wrote them ended. A journal is a file
// of JSON lines: a header with the session's metadata, then one encoded event per line. It is only appended to, so that a
// kill tears at most its last line, and any text tool can read it.
//
// Beside each journal is a small summary for the list of sessions. It is derived from the journal, names the length that it
// covers, and may be deleted at any time.
//
// Summaries and drafts are replaced through a temporary file. Listing sessions and saving a draft remove the files that
// killed processes left behind.
//
// The package does not fold events, and never hides a session because of damage. It may import session, session/words
// and rooms below internal, and nothing else of parley.
package store
