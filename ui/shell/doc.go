// Package shell runs command lines of the user's own shell beside the agent, for prompts that begin with an exclamation mark.
//
// In come lines and the results of its commands; out go the running command with its output, and an attachment for the next prompt.
package shell
