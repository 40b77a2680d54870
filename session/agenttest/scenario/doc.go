// Package scenario is what contract tests do with each real runtime in the same way: questions to a language server, a plugin, what is
// in force after a summary.
//
// In come a runtime with the agent that drives it, as functions of the room that tests it ([Stage]), and the words in which its simulated
// model is prompted. Nothing comes out: what is not as it has to be fails the test. Only contract tests of agents import it.
package scenario
