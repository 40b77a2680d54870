// Package permits is the command /permissions on the screen: its list, its changes and its explanations.
//
// In come what the user wrote behind the command, choices in its lists, and the results of its commands as a [Msg]. Out come
// lists, notices, and commands that read and change the files of rules in the background. What only the root can do is behind
// [Screen].
//
// The package draws nothing, reads no file outside a command, and changes no rule that the user did not choose to change.
package permits
