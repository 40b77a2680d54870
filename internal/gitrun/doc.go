// Package gitrun runs git for the user: what the user asked for, with the user's environment and configuration.
//
// In come commands with a directory. Out comes what git printed, bounded, or its last complaint without credentials. It asks for
// nothing on the terminal, takes no optional locks and starts no file monitor that a repository names. Package git reads what git
// stores without running it, which is what a first frame has time for.
package gitrun
