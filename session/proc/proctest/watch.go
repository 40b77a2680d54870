package proctest

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// patience is how long what is about to end may take, on a machine that is busy. What is gone costs no waiting.
const patience = time.Minute

// Tests are the tests of a package; *testing.M is such.
type Tests interface{ Run() int }

// Watch returns the same tests, whose Run fails if one of their processes is left. To be used in TestMain, once, with
// goleak as goleak.VerifyTestMain(proctest.Watch(m)). A test binary that behaves as another program must not get here.
func Watch(tests Tests) Tests { return watched{tests} }

type watched struct{ tests Tests }

func (w watched) Run() int {
	adopt()
	code := w.tests.Run()
	left := awaitNone(patience)
	if len(left) == 0 {
		return code
	}
	fmt.Fprintf(os.Stderr, "FAIL: processes that the tests started are left:\n  %s\n", strings.Join(left, "\n  "))
	return max(code, 1)
}

// awaitNone waits until no descendant lives and returns those that do after that time.
func awaitNone(limit time.Duration) []string {
	for deadline := time.Now().Add(limit); ; time.Sleep(10 * time.Millisecond) {
		left := descendants()
		if len(left) == 0 || time.Now().After(deadline) {
			return left
		}
	}
}
