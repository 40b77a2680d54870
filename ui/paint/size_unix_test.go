//go:build unix

package paint

import (
	"context"
	"os"
	"syscall"
	"testing"

	"github.com/creack/pty"
)

func TestWatchSize(t *testing.T) {
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	defer slave.Close()
	resize := func(w, h uint16) {
		if err := pty.Setsize(master, &pty.Winsize{Cols: w, Rows: h}); err != nil {
			t.Fatal(err)
		}
	}
	resize(80, 24)
	ctx, cancel := context.WithCancel(context.Background())
	sizes, ended := make(chan [2]int), make(chan struct{})
	go func() {
		defer close(ended)
		WatchSize(ctx, slave.Fd(), func(w, h int) { sizes <- [2]int{w, h} })
	}()
	if got := <-sizes; got != [2]int{80, 24} {
		t.Errorf("the first size is %v", got)
	}
	for _, want := range [][2]int{{120, 40}, {40, 12}} {
		resize(uint16(want[0]), uint16(want[1]))
		// The process in the foreground of a terminal gets the signal from the kernel, this test has to send it.
		if err := syscall.Kill(os.Getpid(), syscall.SIGWINCH); err != nil {
			t.Fatal(err)
		}
		if got := <-sizes; got != want {
			t.Errorf("the size is %v, want %v", got, want)
		}
	}
	cancel()
	<-ended
}
