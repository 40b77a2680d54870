// Package hooks finds the hooks of the user, the project and the administrator, and runs those that an event of parley's own agent
// calls for, in the format of Claude Code 2.1.330; files of the Copilot runtime are read too.
//
// In come the places of settings files, whether the user agreed to those of the project, and events. Out go [Outcome] values: whether
// something is blocked and why, a changed input, what the model is to read; and a report of the hooks, what is wrong with them, and
// their last runs. Reading, matching and judging are pure; only [Runner] starts anything.
//
// A hook of a project that the user has not agreed to is listed and never run. Keys of files are compared exactly, as the list that the
// user agrees to does. Each hook has a time limit and a bound on what it prints, and is ended with all that it started. The
// package decides nothing about permissions: what a hook allows is for the caller to weigh.
package hooks
