package builtin

import (
	"context"
	"testing"

	"parley/session"
	"parley/session/builtin/tool"
)

// TestWhoReportsTheEndOfAChild checks that the call reports the end of a child exactly if the child does not work in the
// background, whatever else happened at the same time.
func TestWhoReportsTheEndOfAChild(t *testing.T) {
	for _, back := range []bool{false, true} {
		for _, moved := range []bool{false, true} {
			for _, over := range []bool{false, true} {
				for _, interrupted := range []bool{false, true} {
					ctx, cancel := context.WithCancel(t.Context())
					now := &shift{back: back || moved, done: make(chan struct{}), toBack: make(chan struct{}), told: make(chan struct{}),
						outcome: tool.Outcome{How: session.ToolOK, Result: session.ToolResult{Text: "done"}}}
					now.cancel = func(error) { close(now.done) }
					ch := &child{now: now}
					if moved {
						close(now.toBack)
					}
					if over {
						close(now.done)
						now.cancel = func(error) {}
					}
					if interrupted {
						cancel()
					}
					if !now.back && !over && !interrupted {
						cancel()
						continue // it goes on
					}
					out := ch.wait(ctx, now)
					cancel()
					if out.Result.Background != now.back {
						t.Errorf("background %t, moved %t, over %t, interrupted %t: %+v", back, moved, over, interrupted, out)
					}
					if out.Result.Background {
						out.Reported()
						<-now.told
					}
				}
			}
		}
	}
}
