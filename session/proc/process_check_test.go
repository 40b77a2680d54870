package proc

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestIsRunning(t *testing.T) {
	if runtime.GOOS == "windows" {
		if IsRunning(os.Getpid(), "") {
			t.Error("there are no signals here")
		}
		return
	}
	if !IsRunning(os.Getpid(), filepath.Base(os.Args[0])) || IsRunning(1<<30, "") {
		t.Error("it does not know what runs")
	}
	if _, err := os.Stat("/proc/self/cmdline"); err == nil && IsRunning(os.Getpid(), "another program") {
		t.Error("a number that another program has by now counts")
	}
}
