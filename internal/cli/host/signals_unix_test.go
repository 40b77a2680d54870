//go:build unix

package host

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
)

// What a host starts dies of the signals that the host survives, and SIGTERM ends it.
func TestOutlast(t *testing.T) {
	root, end := signal.NotifyContext(context.Background(), syscall.SIGHUP, syscall.SIGINT)
	defer end()
	ctx, stop := Outlast(root)
	defer stop()
	for name, s := range map[string]syscall.Signal{"HUP": syscall.SIGHUP, "INT": syscall.SIGINT, "PIPE": syscall.SIGPIPE} {
		if err := syscall.Kill(os.Getpid(), s); err != nil {
			t.Fatal(err)
		}
		if out, _ := exec.Command("sh", "-c", "kill -"+name+" $$; echo survived").CombinedOutput(); len(out) > 0 {
			t.Errorf("%s is ignored by what a host starts: %s", name, out)
		}
	}
	<-root.Done()
	if ctx.Err() != nil {
		t.Error("a hangup ends the host")
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-ctx.Done()
}
