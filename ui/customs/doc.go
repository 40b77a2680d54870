// Package customs is the command /agents on the screen: the list of custom agents, the choice of one, a new one.
//
// In come what the user wrote behind the command, choices in its list, and the results of its commands as a [Msg]. Out come the
// list, notices, and commands that read and make files in the background. What only the root can do is behind [Screen].
//
// The package draws nothing and reads no file outside a command.
package customs
