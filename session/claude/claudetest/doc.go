// Package claudetest simulates the Claude Code runtime for tests.
//
// In comes a [Script], a function that plays the runtime through a [Conn]: it reads what the driver writes, and writes what
// it likes, also late, in pieces, or nothing. Out comes a runtime in one of two forms. [Starter] runs the script within the
// test's process, with the virtual time of testing/synctest; it is for driver.Options.Start. [Main] makes the test binary a
// runtime, which [Program] starts like any other program; TestMain calls it first.
//
// [Conn.Handshake], [Conn.Serve] and [Conn.Answer] play a well-behaved runtime. A script may block only in the methods of its
// Conn.
//
// The package is for tests only. It may import session/agenttest, session/proc and the driver.
package claudetest
