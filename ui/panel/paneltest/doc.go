// Package paneltest runs one panel as the program does: on a stack, with its commands in goroutines of their own.
//
// In come a panel and keys; out go its rows, the effects that it asked for, and whether it is open. Only tests import it.
package paneltest
