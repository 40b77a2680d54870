// Package copilottest simulates the Copilot runtime for tests, within the test's process.
//
// In comes a [Script], a function that plays the runtime through a [Conn]. Out comes a [Process], which has the shape of a
// started child process. [Runtime] is a script that behaves well in protocol version 2 or 3: it keeps sessions, and calls a
// function of the test for each prompt, which plays the turn through an [Actor]: texts, calls of tools, requests to the user,
// child agents. [Form] chooses how requests name the child agent that makes them, also as no real runtime does.
//
// Frames are written and read here, not by internal/jsonrpc, so that both sides check each other. The package is for tests
// only and knows nothing of the driver.
package copilottest
