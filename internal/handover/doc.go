// Package handover prepares work for a service that goes on with it: what of a work tree the service does not have, a branch
// that gives it that, and the statement of the problem.
//
// In come directories, sessions' transcripts and choices of the user. Out go what is uncommitted or unpushed, text, and one
// branch pushed to a remote. Git runs as the user's own process, with the user's environment and configuration, and asks for
// nothing on the terminal.
//
// The package changes neither the work tree nor the index nor a local branch, overwrites nothing on a remote, and pushes only
// files that were named to the user. It knows no agent and no service.
package handover
