// Package listtest checks what holds for every list, whatever it lists.
//
// In come lists with at least one row, and what the choice of the first stands for; out go failures of the test. Only tests import
// it.
package listtest
