//go:build unix && !linux && !darwin

package store

// processStart is unknown here: the pid alone names a holder, and the system's lock decides.
func processStart(pid int) string { return "" }
