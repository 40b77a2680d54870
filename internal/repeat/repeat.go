package repeat

import (
	"os"
	"testing"
)

// variable is the environment variable that asks for long tests, with the value "long".
const variable = "PARLEY_TESTS"

// Times returns how often a test repeats: short with -short, long with PARLEY_TESTS=long in the environment, else usual.
// -short wins.
func Times(short, usual, long int) int {
	switch {
	case testing.Short():
		return short
	case os.Getenv(variable) == "long":
		return long
	}
	return usual
}
