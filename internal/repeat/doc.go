// Package repeat decides how much work a test of random or generated inputs does: little under the race detector, enough to
// find what breaks often in `go test ./...`, and much in .ci/full.
//
// In come three numbers, out goes the one that counts. Only tests import it. Nothing but the amount may depend on it: what a
// test asserts is the same everywhere.
package repeat
