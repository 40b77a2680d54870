// Package statusline runs the status line command that a user has set up for Claude Code, and shows what it writes.
//
// In come the settings files of Claude Code (`statusLine`, as 2.1 reads them) and a [Report] of the session. Out go rows
// with colors and nothing else that could drive a terminal.
//
// A [Line] decides when the command runs: at most one at a time, at most every 300 ms, and only if the report has changed
// or the user's interval is over. The command runs in the function that [Line.Due] returns, off the screen's path, and is
// killed after five seconds. What fails or writes nothing shows nothing.
//
// The settings of a directory count only once the user trusts the directory.
//
// The package draws no frame, starts no process itself and knows no agent.
package statusline
