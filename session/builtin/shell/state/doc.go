// Package state is what the commands of one agent leave for its next one: the directory, exported variables and functions.
//
// Each command runs in a fresh shell. In comes a command line; out goes a script for the shell ([Run.Script]) that begins
// where the last command ended and at its end writes its own state into a private file, which [Run.Keep] reads. The next
// environment is given to the shell as such, so that nothing in it is ever evaluated. What is always known is therefore
// exactly where a command begins ([State.Dir]) and with which environment and functions; the agent's policy judges by it.
//
// A shell that is killed, or replaced by exec, leaves no state: the one before stays. Options, aliases and variables that
// are not exported do not last. GitHub tokens are never kept.
//
// It may import session/proc, and nothing else of parley.
package state
