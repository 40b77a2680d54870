//go:build contract

package transcript_test

import (
	"flag"
	"testing"

	"parley/session/runtimes/runtimestest"
)

var update = flag.Bool("update", false, "record the runtimes again")

// runtimes are the real ones. Those with recordings have them in folders of these names.
var runtimes = []struct{ name, version string }{
	{"sdk-0.2.112", runtimestest.ClaudeScript},
	{"native", runtimestest.ClaudeNative},
	{"newest", runtimestest.ClaudeNewest},
}

// eachRuntime calls do with the name of every driven runtime, its version and its command line.
func eachRuntime(t *testing.T, do func(name, version string, argv []string)) {
	t.Helper()
	dir := runtimestest.Installed(t)
	for _, rt := range runtimes {
		if runtimestest.Drives(rt.version) {
			do(rt.name, rt.version, runtimestest.Claude(t, dir, rt.version))
		}
	}
}
