// Package background is the panel of what runs: commands and child agents in the background, those of the running turn, and what
// ended in the background.
//
// In come keys, the session's transcript and what its conversation can do. Out go rows, effects, and commands
// that ask the session to stop something, to send it to the background, or to pass words on to a child agent. A pane shows the
// output of what is selected as it comes; it follows the end until the user scrolls.
//
// The panel changes no transcript and starts nothing itself. What loses work is asked about first. All text is made visible.
package background
