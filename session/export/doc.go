// Package export writes a session for readers outside parley.
//
// In come a transcript, the events and the description of its session. Out comes markdown, a page of HTML that needs nothing else,
// or JSON, piece by piece. What looks like a secret is masked unless the caller asks for it. It is pure: callers decide where the
// text goes, and make control characters visible in all but HTML.
package export
