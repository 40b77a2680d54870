// Package agenttest is what tests of agents on a child process share: a process simulated within the test.
//
// In come a program, a function that plays the runtime on its side of the streams, and what a driver does with a process. Out go
// the other ends of the streams and how the process ended. Only tests and packages for tests import it.
package agenttest
