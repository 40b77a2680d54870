package lsp

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"parley/session/proc/proctest"
)

// TestMain runs the tests or, where a test has started this program as a language server, that server.
func TestMain(m *testing.M) {
	if script := os.Getenv("PARLEY_FAKE_SERVER"); script != "" {
		os.Exit(serve(script))
	}
	goleak.VerifyTestMain(proctest.Watch(m))
}
