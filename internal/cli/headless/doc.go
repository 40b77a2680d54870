// Package headless runs prompts without a screen: it prints what happens for scripts and programs, and reads what they send.
//
// In come the events of a session, the limits and the schema that the caller asked for, and lines of JSON from a program
// that drives a session. Out come text, one object of JSON, or one object a line, as docs/headless.md describes, and the
// prompts, answers and choices for the session. The package parses no flags, wires no agent and decides no exit code.
package headless
