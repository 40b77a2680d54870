// Package record is what the mappers of runtimes on a child process share: which turn, which call and which child agent an event is
// of, and that each of them begins once and ends once.
//
// In come the turns, calls and children that a mapper recognizes in what its runtime prints or stores. Out go [session.Event] values
// with their heads, in order: a late result goes to the turn that announced its call, and what a child does to the turn that
// started it.
//
// The package is pure, imports session only and knows no runtime.
package record
