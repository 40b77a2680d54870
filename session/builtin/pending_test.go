package builtin

import (
	"testing"
	"testing/synctest"
)

// TestNoCallEndsBeforeItsAsks gives calls up while they ask, and before they do.
func TestNoCallEndsBeforeItsAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p pending
		p.settled("c", false) // asks nothing
		for range 2 {
			if !p.begin("c") {
				t.Fatal("a running call may ask")
			}
		}
		over := make(chan struct{})
		go func() {
			p.settled("c", true)
			close(over)
		}()
		p.end("c")
		synctest.Wait()
		select {
		case <-over:
			t.Error("given up while it asks")
		default:
		}
		if p.begin("c") {
			t.Error("a call that is given up asks")
		}
		if !p.begin("other") {
			t.Error("another call may not ask")
		}
		p.end("c")
		<-over
		p.forget("c")
		if !p.begin("c") || len(p.gone) != 0 {
			t.Error("the call is not forgotten")
		}
	})
}
