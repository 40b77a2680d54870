package uitest

import (
	"flag"
	"runtime"
	"runtime/debug"
	"testing"

	"parley/internal/repeat"
)

// TestMain lets more garbage gather than a program would: a terminal in memory is four megabytes, of which a test keeps few.
// What waits for each other in virtual time needs one processor; the race detector and .ci/full try it on all.
func TestMain(m *testing.M) {
	flag.Parse()
	debug.SetGCPercent(400)
	all := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(repeat.Times(all, 1, all))
	m.Run()
}

var (
	_ = flag.Bool("update", false, "rewrite golden screens and the pictures of the documentation")
	_ = flag.String("svg", "", "draw every golden screen as an SVG file in this `directory` (absolute, or below ui/uitest)")
)
