// Package crash starts the goroutines of the program, so that a panic in any of them gives the terminal back, writes what is not
// written yet, leaves a report (see [Report]) and ends the program. Go ends a program that panics at once: the terminal would stay in raw mode, and
// nobody would know why. A test of the whole tree forbids every other way to start a goroutine.
package crash
