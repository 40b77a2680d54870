//go:build unix && !linux && !darwin

package store

// processStart returns "": only the pid names a holder, and the system's lock decides.
func processStart(pid int) string { return "" }
