// Package claudetest simulates the Claude Code runtime for tests.
//
// In comes a [Script], a function that plays the runtime through a [Conn]: it reads what the driver writes and writes what
// it likes, also late, in pieces, or nothing. Out comes a runtime in one of two forms. [Starter] runs the script within the
// test's own process, where testing/synctest can let time pass; put it into driver.Options.Start. [Main] makes the test
// binary a runtime of its own, started as any other program with [Program]; call it first in TestMain.
//
// [Conn.Handshake], [Conn.Serve] and [Conn.Answer] play a well-behaved runtime as far as a script does not want to be
// anything else. A script may block only in the methods of its Conn.
//
// The package is for tests only. It may import session/proc and the driver.
package claudetest
