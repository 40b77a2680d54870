// Package uitest runs the whole screen on a virtual terminal in virtual time.
//
// A test calls [Run], which starts the program inside a testing/synctest bubble with an emulator as its terminal and a
// pipe as its keyboard, on a manager whose agent the test plays (see session/sessiontest). Bytes go in as a keyboard
// sends them and cells are read as an eye sees them; nothing waits for real time. [Program.Golden] compares the cells,
// text and styles, with a file below testdata; -update writes it. [Program.Picture] does the same with the pictures of the
// documentation, which [Screen.SVG] draws without another program; one of them moves. -svg draws every golden screen.
//
// It is for the tests of this module; the program itself does not import it.
package uitest
