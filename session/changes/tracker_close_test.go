package changes

import (
	"context"
	"errors"
	"sync"
	"testing"

	"parley/session"
	"parley/session/changes/worktree"
)

// TestTrackClose closes a session with a call that has not ended and one that is being recorded.
func TestTrackClose(t *testing.T) {
	r := newRig(t)
	r.write("a", "0")
	r.write("b", "0")
	a := r.before("a")
	r.before("b")
	r.before("c")
	r.write("a", "1")
	r.write("b", "1")
	r.Ended(session.ToolEnded{Call: a, Outcome: session.ToolOK})
	if err := r.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.expect("c1 a: 0 > 1", "c2 b: 0 > 1")
	r.before("a")
	r.write("a", "2")
	r.end("c4", session.FileEdit{Path: "a", Before: text("1")})
	r.expect("c1 a: 0 > 1", "c2 b: 0 > 1")
	if err := r.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// slowTree is a work tree whose comparisons wait for the test.
type slowTree struct {
	fakeTree
	began chan struct{}
	open  chan struct{}
}

func (s *slowTree) Compare(ctx context.Context, since *worktree.Snapshot) worktree.Result {
	s.began <- struct{}{}
	<-s.open
	return s.fakeTree.Compare(ctx, since)
}

// TestTrackCloseThatTakesTooLong gives up and leaves nothing behind once the disk answers.
func TestTrackCloseThatTakesTooLong(t *testing.T) {
	r := newRig(t)
	slow := &slowTree{began: make(chan struct{}), open: make(chan struct{})}
	r.tracker.tree = func() comparer { return slow }
	r.Ended(session.ToolEnded{Call: r.command(), Outcome: session.ToolOK})
	<-slow.began
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Close(ctx); session.KindOf(err) != session.KindStalled {
		t.Errorf("%v", err)
	}
	close(slow.open)
	r.wait()
	r.expect()
}

// TestTrackWaitsForWhatHasEnded does not let a call run while the change before it is being recorded.
func TestTrackWaitsForWhatHasEnded(t *testing.T) {
	r := newRig(t)
	slow := &slowTree{began: make(chan struct{}), open: make(chan struct{})}
	r.tracker.tree = func() comparer { return slow }
	r.write("a", "0")
	command := r.command()
	slow.result = worktree.Result{Changed: []worktree.Changed{r.writes("a", "1")}}
	r.Ended(session.ToolEnded{Call: command, Outcome: session.ToolOK})
	<-slow.began
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.Before(context.Background(), session.FileCall{Call: "e", Tool: "Edit", Paths: []string{"a"}})
	}()
	select {
	case <-done:
		t.Error("the call did not wait")
	default:
	}
	close(slow.open)
	<-done
	r.write("a", "2")
	r.end("e")
	r.expect("c1 a: 0 > 1", "e a: 1 > 2")
}

// TestTrackManyCalls runs calls of several children at the same time.
func TestTrackManyCalls(t *testing.T) {
	r := newRig(t)
	var all sync.WaitGroup
	const children, each = 8, 10
	for child := range children {
		name := string(rune('a' + child))
		all.Go(func() {
			for i := range each {
				call := session.CallID(name + string(rune('0'+i)))
				r.Before(context.Background(), session.FileCall{Call: call, Tool: "Edit", Paths: []string{name}})
				r.write(name, string(rune('0'+i)))
				if i == 5 {
					r.Drop(call)
					continue
				}
				r.Ended(session.ToolEnded{Call: call, Outcome: session.ToolOK})
			}
		})
	}
	all.Wait()
	r.wait()
	if got := r.recorded(); len(got) != children*(each-1) {
		t.Errorf("%d changes: %q", len(got), got)
	}
}

func TestCopyAndRemove(t *testing.T) {
	b := newLibrary(t)
	l := b.Log("from")
	for _, call := range []session.CallID{"c1", "c2", "c3"} {
		c := change("/"+string(call), "A", "B")
		c.Call = call
		if err := l.Add(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Accept(t.Context(), Scope{Paths: []string{"/c2"}}); err != nil {
		t.Fatal(err)
	}
	wanted := func(call session.CallID) bool { return call != "c1" }
	if err := b.Copy(t.Context(), "from", "to", wanted); err != nil {
		t.Fatal(err)
	}
	if got, want := summary(t, b.Log("to")), "c2 accepted, c3 open"; got != want {
		t.Errorf("the copy has %s, want %s", got, want)
	}
	if err := b.Copy(t.Context(), "none", "other", wanted); err != nil {
		t.Error(err)
	}
	for range 2 {
		if err := b.Remove(t.Context(), "to"); err != nil {
			t.Error(err)
		}
	}
	if got := summary(t, b.Log("to")) + summary(t, again(b).Log("to")); got != "" {
		t.Errorf("a removed session has %s", got)
	}
	if got := summary(t, again(b).Log("from")); got == "" {
		t.Error("the original was removed")
	}
	cancelledContext, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.Copy(cancelledContext, "from", "to", wanted); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
