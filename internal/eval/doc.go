// Package eval measures agents on a suite of small tasks.
//
// In come the tasks embedded in the package, a function that opens sessions, and the agents and models to compare. Out comes
// a report: what passed, and the requests, tokens, credits and time of each run, the same figures for every agent. A task is a
// repository with a prompt, checks, and a solution that a scripted model plays, so that the suite itself can be tested: each
// task passes with its solution and fails without one. format.md describes tasks.
//
// Runs work in fresh temporary directories. Checks start programs through [proc]. The package wires no agent and prints nothing.
package eval
