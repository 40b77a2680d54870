// Package changes is the panel of what agents did to files: by file and by turn, with the difference beside or below.
//
// In come keys, clicks, the size of the window, the names of turns, and the results of its own commands. Out come rows and
// effects. The panel keeps its own selection and scrolling. The log is read and changed in commands only, outside of the event
// loop, one at a time for each purpose.
//
// Only what is on the screen is compared, laid out and colored. The package reads no file, and undoes nothing that loses
// something before the user has seen what, and has chosen to.
package changes
