// Package store keeps sessions on disk: one journal per session, and the drafts of the composer.
//
// In come events, meta data and draft texts; out go the same, however the process that wrote them ended. A journal is a
// file of JSON lines: a header with the session's meta data, then one encoded event per line. It is only ever appended to,
// so that a kill at any moment tears at most its last line, and it is readable with any text tool.
//
// Beside each journal lies a small summary for the list of sessions. It is derived from the journal, says how much of it
// it covers, and may be deleted at any time.
//
// Summaries and drafts are replaced as a whole, by way of a temporary file. What a killed process leaves of that goes when
// sessions are listed or a draft is saved.
//
// This package decides nothing about conversations: it does not fold events, and it never hides a session because of
// damage. It may import session and nothing else of parley.
package store
