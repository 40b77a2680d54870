package foreign

import (
	"flag"
	"testing"

	"go.uber.org/goleak"
)

// update writes the golden files, and in contract tests the recorded sessions.
var update = flag.Bool("update", false, "write golden files and recordings")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
