package process

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
)

// link is a link without a runtime. The lock of its conversation guards it.
type link struct {
	turn session.TurnID
	busy bool // works in the background
	gone chan struct{}
}

func (l *link) Turn() session.TurnID  { return l.turn }
func (l *link) Ready() bool           { return l.turn == "" }
func (l *link) Idle() bool            { return l.turn == "" && !l.busy }
func (l *link) Gone() <-chan struct{} { return l.gone }

// world is a conversation with what it reported, and what its session cost.
type world struct {
	*Conversation[*link]
	mu     sync.Mutex
	events []session.Event
	spent  int64
}

func newWorld(idle time.Duration) *world {
	w := &world{Conversation: &Conversation[*link]{}}
	w.Init(Options{Session: "s", Now: time.Now, IdleAfter: idle,
		Spent: func(session.ID) int64 { w.mu.Lock(); defer w.mu.Unlock(); return w.spent },
		Settle: func(ctx context.Context, _ session.ID) {
			select {
			case <-time.After(time.Second):
			case <-ctx.Done():
			}
		}}, session.OpenOptions{Gen: 1, Emit: func(e session.Event) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.events = append(w.events, e)
	}}, func(l *link) { close(l.gone) })
	return w
}

// open opens a link.
func (w *world) open(context.Context) error {
	w.Mu.Lock()
	defer w.Mu.Unlock()
	if w.Link == nil {
		w.Link = &link{gone: make(chan struct{})}
		w.Last = w.Link
		w.Gen++
	}
	w.Mu.Notify()
	return nil
}

func (w *world) set(change func()) {
	w.Mu.Lock()
	defer w.Mu.Unlock()
	change()
	w.Mu.Notify()
}

func kindOf(err error) session.Kind { return session.KindOf(err) }

func TestOnePromptAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(-1)
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := w.Begin(t.Context(), ""); kindOf(err) != session.KindInvalid {
			t.Error(err)
		}
		if err := w.Begin(ended, "t"); kindOf(err) != session.KindCancelled {
			t.Error(err)
		}
		if err := w.Begin(t.Context(), "t"); err != nil {
			t.Error(err)
		}
		if err := w.Begin(t.Context(), "u"); kindOf(err) != session.KindInternal {
			t.Error(err)
		}
		w.End()
		if err := w.Begin(t.Context(), "u"); err != nil {
			t.Error(err)
		}
		w.End()
		w.BeginClose()
		w.EndClose(t.Context())
		if err := w.Begin(t.Context(), "v"); kindOf(err) != session.KindRuntime {
			t.Error(err)
		}
	})
}

// A prompt waits for what the runtime began by itself. If it is cancelled meanwhile, that is interrupted.
func TestReadyWaitsForTheTurnBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(-1)
		_ = w.open(t.Context())
		w.set(func() { w.Link.turn = "own" })
		got := make(chan error, 1)
		go func() { _, err := w.Ready(t.Context(), w.open, func() { t.Error("interrupted") }); got <- err }()
		synctest.Wait()
		if len(got) != 0 {
			t.Fatal("it does not wait")
		}
		w.set(func() { w.Link.turn = "" })
		if err := <-got; err != nil {
			t.Error(err)
		}
		w.set(func() { w.Link.turn = "own" })
		ctx, cancel := context.WithCancel(t.Context())
		aborted := false
		go func() { _, err := w.Ready(ctx, w.open, func() { aborted = true }); got <- err }()
		synctest.Wait()
		cancel()
		if err := <-got; kindOf(err) != session.KindCancelled || !aborted {
			t.Errorf("%v, interrupted: %t", err, aborted)
		}
		w.set(func() { w.Link.turn = "" })
		broken := errors.New("broken")
		if _, err := w.Ready(t.Context(), func(context.Context) error { return broken }, nil); err != broken {
			t.Error(err)
		}
		w.BeginClose()
		if _, err := w.Ready(t.Context(), w.open, nil); kindOf(err) != session.KindCancelled {
			t.Error(err)
		}
		w.EndClose(t.Context())
	})
}

// A link without work is released after the idle time; one with work is checked again.
func TestIdleLinksAreReleased(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(time.Minute)
		if err := w.WakeUp(t.Context(), w.open); err != nil {
			t.Fatal(err)
		}
		w.set(func() { w.Link.busy = true })
		time.Sleep(3 * time.Minute)
		if w.Mu.Check(func() bool { return w.Link == nil }) {
			t.Error("work in the background was released")
		}
		w.set(func() { w.Link.busy = false })
		time.Sleep(2 * time.Minute)
		if !w.Mu.Check(func() bool { return w.Link == nil }) {
			t.Error("it is not released")
		}
		if err := w.LastGone(t.Context()); err != nil {
			t.Error(err)
		}
		w.BeginClose()
		w.EndClose(t.Context())
		if err := w.WakeUp(t.Context(), func(context.Context) error { t.Error("opened"); return nil }); err != nil {
			t.Error(err)
		}
	})
}

// Closing ends a wake that is going on.
func TestClosingEndsAWake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(-1)
		got := make(chan error, 1)
		go func() {
			got <- w.WakeUp(t.Context(), func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
		}()
		synctest.Wait()
		w.BeginClose()
		if err := <-got; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		w.EndClose(t.Context())
	})
}

// What requests cost that end after their turn is reported, once they are over, unless a turn has begun: then it is the turn's.
func TestLateCosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(-1)
		credits := func() (all []int64) {
			w.mu.Lock()
			defer w.mu.Unlock()
			for _, e := range w.events {
				if c, is := e.(session.CreditsReported); is {
					all = append(all, c.NanoAIU)
				}
			}
			return all
		}
		spend := func(n int64) { w.mu.Lock(); w.spent += n; w.mu.Unlock() }
		w.set(func() { w.Costs.Turn = "t" })
		w.ChargeLate()
		spend(5)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if got := credits(); !slices.Equal(got, []int64{5}) {
			t.Errorf("%d", got)
		}
		w.ChargeLate()
		spend(7)
		w.set(func() { w.Sending = true })
		time.Sleep(2 * time.Second)
		if got := credits(); len(got) != 1 {
			t.Errorf("beside a turn: %d", got)
		}
		w.set(func() { w.Sending = false })
		w.BeginClose()
		w.EndClose(t.Context())
		if got := credits(); !slices.Equal(got, []int64{5, 7}) {
			t.Errorf("at the end: %d", got)
		}
	})
}

// Links are opened, and settings applied, by one caller at a time.
func TestOneCallerAtATime(t *testing.T) {
	w := newWorld(-1)
	for name, enter := range map[string]func(context.Context) (func(), error){"starting": w.Starting, "applying": w.Applying} {
		leave, err := enter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := enter(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s twice: %v", name, err)
		}
		leave()
		leave, err = enter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		leave()
	}
	w.ReportRuntime(session.RuntimeStarting, "why")
	w.Mu.Lock()
	w.Out.Put(w.Notice(session.Info, "hello"))
	w.Mu.Unlock()
	w.Out.Deliver()
	if got := w.events[0].(session.RuntimeChanged); got.Gen != 1 || got.Detail != "why" || w.events[1].(session.Notice).Gen != 0 {
		t.Errorf("%+v", w.events)
	}
	w.Drop()
}

// Who learns commands ahead does so once for each who waits.
func TestCommandsAreLearnedWhenAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c Commands
		seen := make(chan int, 3)
		go func() {
			for n := c.Asked(t.Context(), "/x", 0); n > 0; n = c.Asked(t.Context(), "/x", n) {
				seen <- n
				c.Learn("/x", nil, errors.New("not yet"))
			}
			close(seen)
		}()
		synctest.Wait()
		for range 2 {
			if err := c.Await(t.Context(), "/x"); err == nil {
				t.Error("it did not fail")
			}
			synctest.Wait()
		}
		c.Learn("/x", []session.SlashCommand{{Name: "b"}, {Name: "a"}, {Name: "b"}}, nil)
		if got := c.Of("/x"); len(got) != 2 || got[0].Name != "a" {
			t.Errorf("%v", got)
		}
		if a, b, more := <-seen, <-seen, len(seen); a != 1 || b != 2 || more != 0 {
			t.Errorf("asked %d, %d, %d more", a, b, more)
		}
		if c.Forget("/x"); c.Of("/x") != nil {
			t.Error("it is known still")
		}
	})
}
