// Package export writes a session for readers outside parley.
//
// In come a transcript and the description of its session. Out comes markdown, whole or piece by piece, or
// JSON with the session's events. It is pure: callers
// decide where the text goes and make control characters visible.
package export
