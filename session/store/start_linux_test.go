package store

import (
	"os/exec"
	"testing"
	"time"
)

// A process that was killed holds nothing, even while nobody waits for it.
func TestEndedProcessIsNotAlive(t *testing.T) {
	cmd := exec.Command("sleep", "1000")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	h := holder{pid: cmd.Process.Pid, start: processStart(cmd.Process.Pid)}
	if !h.alive() {
		t.Fatal("it runs")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.After(10 * time.Second); h.alive(); {
		select {
		case <-time.After(time.Millisecond):
		case <-deadline:
			t.Fatal("it still counts as alive")
		}
	}
}
