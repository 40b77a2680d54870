// Package doctor is `/doctor`: the checks of the user's setup, as they end.
//
// In come the checks, which run in the background; out go rows, on the screen and in lines. The package checks nothing itself.
package doctor
