package copilot

import (
	"context"
	"sync/atomic"
	"testing"
)

// A change of the files that the runtime reads opens the session again, once, with the next prompt.
func TestOpenedAgainForChangedFiles(t *testing.T) {
	var files atomic.Int64
	s := newStage(t, func(_ *stage, o *Options) {
		o.Extends = func(context.Context, string) string { return string(rune('a' + files.Load())) }
	})
	s.ask("t1", "hello")
	s.store(stageSession)
	s.ask("t2", "again")
	if n := len(s.runtime.Requests("session.resume")); n != 0 {
		t.Fatalf("opened again %d times without a change", n)
	}
	files.Add(1)
	files.Add(1)
	s.ask("t3", "changed")
	s.ask("t4", "and again")
	if n := len(s.runtime.Requests("session.resume")); n != 1 {
		t.Errorf("opened again %d times", n)
	}
}
