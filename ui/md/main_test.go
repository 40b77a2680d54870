package md

import "runtime/debug"

// init lets more garbage gather than a program would: the tests make much of it, and keep little.
func init() { debug.SetGCPercent(400) }
