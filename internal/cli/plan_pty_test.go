//go:build unix

package cli

import (
	"syscall"
	"testing"
)

// TestKilledWithAnOpenPlan kills parley while a plan is asked about. The next process is in plan mode, and the model reads
// that the plan was not decided about.
func TestKilledWithAnOpenPlan(t *testing.T) {
	t.Parallel()
	w := newWorldApart(t).signIn(planning)
	tm := w.start(90, 30, "--permission-mode", "plan")
	tm.shows("plans, changes nothing")
	tm.send("plan it\r")
	tm.shows("Go on with this plan?")
	if err := tm.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if code := tm.exit(); code != -int(syscall.SIGKILL) {
		t.Fatalf("exit %d", code)
	}
	tm = w.start(90, 30, "-c")
	tm.shows("stopped")
	tm.shows("plans, changes nothing")
	tm.send("and now\r")
	tm.shows("You said and now")
	tm.send("plan it again\r")
	tm.shows("❯ y  Yes")
	tm.send("a")
	tm.shows("Told: The user approved the plan.")
	tm.shows("edits without asking")
	tm.send("make it\r")
	tm.shows("Told: Wrote a.txt")
	tm.send("/quit\r")
	if code := tm.exit(); code != 0 {
		t.Errorf("exit %d", code)
	}
	for _, r := range w.sim.Requests() {
		if r.Refused != "" || r.Messages != nil && r.Status != 200 {
			t.Errorf("request %d was refused: %s %d", r.Number, r.Refused, r.Status)
		}
	}
}
