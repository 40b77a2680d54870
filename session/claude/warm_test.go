package claude

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	"parley/session"
	"parley/session/claude/driver"
	"parley/session/proc"
)

func isDone(f *fake) bool {
	select {
	case <-f.done:
		return true
	default:
		return false
	}
}

// warmBubble makes an agent in a bubble of virtual time, and checks that no runtime is left.
func warmBubble(t *testing.T, f func(t *testing.T, ch *chat, o session.OpenOptions)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ch, open := fakeWorld(t)
		f(t, ch, open)
		synctest.Wait()
		for i, rt := range ch.all {
			if !isDone(rt) {
				t.Errorf("runtime %d still runs", i)
				rt.die(driver.Exit{})
			}
		}
	})
}

func (ch *chat) open(o session.OpenOptions) session.Conversation {
	ch.t.Helper()
	c, err := ch.a.Open(ch.t.Context(), o)
	if err != nil {
		ch.t.Fatal(err)
	}
	ch.c = c
	return c
}

func TestWarmIsTaken(t *testing.T) {
	warmBubble(t, func(t *testing.T, ch *chat, o session.OpenOptions) {
		release, err := ch.a.Warm(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if len(ch.list()) != 0 {
			t.Error("announced")
		}
		c := ch.open(o)
		release()
		if ch.runtimes() != 1 || isDone(ch.rt()) {
			t.Fatalf("%d runtimes", ch.runtimes())
		}
		ch.turn(1, "hello")
		if err := c.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

func TestWarmForOtherOptionsIsGoneFirst(t *testing.T) {
	warmBubble(t, func(t *testing.T, ch *chat, o session.OpenOptions) {
		release, err := ch.a.Warm(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		first := ch.rt()
		ch.onStart = func(context.Context, *fake) error {
			if !isDone(first) {
				t.Error("two runtimes have the session")
			}
			return nil
		}
		o.Settings.Model = "claude-haiku-1"
		c := ch.open(o)
		release()
		if ch.runtimes() != 2 || ch.rt().o.Launch.Model != "claude-haiku-1" {
			t.Errorf("%d runtimes", ch.runtimes())
		}
		if err := c.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

func TestOneWarmAtMost(t *testing.T) {
	warmBubble(t, func(t *testing.T, ch *chat, o session.OpenOptions) {
		release, err := ch.a.Warm(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		o.Session = "22222222-2222-4222-8222-222222222222"
		again, err := ch.a.Warm(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if !isDone(ch.all[0]) || isDone(ch.all[1]) {
			t.Error("not one")
		}
		release()
		release()
		if isDone(ch.all[1]) {
			t.Error("released another one")
		}
		again()
	})
}

func TestOpenWaitsForTheWarmOne(t *testing.T) {
	warmBubble(t, func(t *testing.T, ch *chat, o session.OpenOptions) {
		ready := make(chan struct{})
		ch.onStart = func(context.Context, *fake) error { <-ready; return nil }
		warmed := make(chan func(), 1)
		go func() {
			release, _ := ch.a.Warm(t.Context(), o)
			warmed <- release
		}()
		synctest.Wait()
		opened := make(chan session.Conversation, 1)
		go func() {
			c, _ := ch.a.Open(t.Context(), o)
			opened <- c
		}()
		synctest.Wait()
		close(ready)
		c, release := <-opened, <-warmed
		release()
		if ch.runtimes() != 1 || isDone(ch.rt()) {
			t.Errorf("%d runtimes", ch.runtimes())
		}
		if err := c.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

func TestDeadWarmIsNotTaken(t *testing.T) {
	warmBubble(t, func(t *testing.T, ch *chat, o session.OpenOptions) {
		release, err := ch.a.Warm(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		ch.rt().die(driver.Exit{Exit: proc.Exit{Code: 1}})
		synctest.Wait()
		c := ch.open(o)
		release()
		if ch.runtimes() != 2 {
			t.Errorf("%d runtimes", ch.runtimes())
		}
		if err := c.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

func TestFailedWarm(t *testing.T) {
	warmBubble(t, func(t *testing.T, ch *chat, o session.OpenOptions) {
		broken := errors.New("broken")
		ch.onStart = func(context.Context, *fake) error { return broken }
		if release, err := ch.a.Warm(t.Context(), o); !errors.Is(err, broken) || release != nil {
			t.Error(err)
		}
		ch.onStart = nil
		c := ch.open(o)
		ch.turn(1, "hello")
		if err := c.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

// What a runtime that was not spoken to asks is refused, not left open.
func TestWarmAsksNothing(t *testing.T) {
	warmBubble(t, func(t *testing.T, ch *chat, o session.OpenOptions) {
		release, err := ch.a.Warm(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		ch.rt().ask("e1", `{"subtype":"elicitation","mcp_server_name":"db","message":"Who?"}`)
		synctest.Wait()
		if !slices.Contains(ch.rt().called(), "refuse e1") {
			t.Error(ch.rt().called())
		}
		release()
	})
}
