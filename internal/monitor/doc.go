// Package monitor has a lock on state that goroutines can wait for.
//
// In come conditions on the state that a [Monitor] guards, and notifications that it has changed. The package has no goroutine
// and no clock.
package monitor
