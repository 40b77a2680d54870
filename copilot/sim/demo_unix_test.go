//go:build unix

package sim

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The project of the demo really has the mistake, and the demo really mends it.
func TestDemoProjectRuns(t *testing.T) {
	c := demoChat(t)
	c.bash = func(command string) (string, bool) {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
		cmd.Dir = c.dir // where every agent's shell begins
		cmd.Env = append(os.Environ(), "CHECK_PAUSE=0")
		out, err := cmd.CombinedOutput()
		return string(out), err != nil
	}
	out, failed := c.bash("sh check.sh")
	if !failed || !strings.Contains(out, "WRONG: got 15, want 18") {
		t.Fatalf("before: failed %v\n%s", failed, out)
	}
	expect(t, c.say("hi"), "**All sums are right.**")
	out, failed = c.bash("sh check.sh")
	if failed || strings.Count(out, " ok\n") != 4 {
		t.Errorf("after: failed %v\n%s", failed, out)
	}
}
