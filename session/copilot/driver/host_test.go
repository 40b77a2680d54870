package driver_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/copilot/copilottest"
	"parley/session/copilot/driver"
	"parley/session/proc"
	"parley/session/proc/pipe"
)

// host returns a host of runtimes that play a script, and how many it has started.
func host(script copilottest.Script, idle time.Duration) (*driver.Host, func() int) {
	o, commands := simulated(script)
	return driver.NewHost(driver.HostOptions{Idle: idle, Options: func(context.Context) (driver.Options, error) { return o, nil }}),
		func() int { return len(commands) }
}

func TestHostStartsOneProcessForAll(t *testing.T) {
	var r copilottest.Runtime
	h, started := host(r.Play, 0)
	defer func() { _ = h.Close(context.Background()) }()
	if h.Running() != nil {
		t.Error("runs already")
	}
	var wg sync.WaitGroup
	clients := make([]*driver.Client, 10)
	for i := range clients {
		wg.Go(func() {
			c, release, err := h.Acquire(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			defer release()
			clients[i] = c
		})
	}
	wg.Wait()
	for _, c := range clients {
		if c != clients[0] || c != h.Running() {
			t.Error("another client")
		}
	}
	if n := started(); n != 1 {
		t.Errorf("%d processes", n)
	}
}

// After a crash there is another process, once the old one is gone with all it has started.
func TestHostRestartsAfterACrash(t *testing.T) {
	crash := make(chan struct{}, 1)
	var r copilottest.Runtime
	h, started := host(func(c *copilottest.Conn) {
		c.Begin(func() {
			select {
			case <-crash:
				c.Die()
			case <-c.Killed():
			}
		})
		r.Play(c)
	}, 0)
	defer func() { _ = h.Close(context.Background()) }()
	first, release, err := h.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	crash <- struct{}{}
	<-first.Done()
	second, releaseSecond, err := h.Acquire(t.Context())
	if err != nil || second == first || second.Err() != nil || started() != 2 {
		t.Fatalf("%v, %d processes", err, started())
	}
	release() // of the first: the second goes on
	release()
	releaseSecond()
	if h.Running() != second {
		t.Error("ended")
	}
}

func TestHostEndsAnIdleProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r copilottest.Runtime
		h, started := host(r.Play, time.Minute)
		first, release, err := h.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		_, again, err := h.Acquire(t.Context())
		if err != nil || started() != 1 {
			t.Fatal("ended in use", err)
		}
		release()
		again()
		time.Sleep(59 * time.Second)
		_, again, err = h.Acquire(t.Context())
		if err != nil || started() != 1 {
			t.Fatal("ended too early", err)
		}
		again()
		time.Sleep(61 * time.Second)
		<-first.Done()
		if h.Running() != nil || first.Err() != nil {
			t.Errorf("runs, or ended with %v", first.Err())
		}
		second, release, err := h.Acquire(t.Context())
		if err != nil || second == first || started() != 2 {
			t.Fatal(err)
		}
		release()
		if err := h.Close(context.Background()); err != nil {
			t.Error(err)
		}
		<-second.Done()
	})
}

func TestHostErrors(t *testing.T) {
	why := errors.New("not installed")
	h := driver.NewHost(driver.HostOptions{Options: func(context.Context) (driver.Options, error) { return driver.Options{}, why }})
	for range 2 {
		if _, _, err := h.Acquire(t.Context()); !errors.Is(err, why) {
			t.Error(err)
		}
	}
	if err := h.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if _, _, err := h.Acquire(t.Context()); session.KindOf(err) != session.KindCancelled {
		t.Error(err)
	}
}

// A caller that gives up does not end the start for the others; Close does.
func TestHostStartsOutliveTheirCallers(t *testing.T) {
	began, proceed := make(chan struct{}), make(chan struct{})
	var r copilottest.Runtime
	var once sync.Once
	h, started := host(func(c *copilottest.Conn) {
		once.Do(func() { close(began) })
		select {
		case <-proceed:
			r.Play(c)
		case <-c.Killed():
		}
	}, 0)
	ctx, cancel := context.WithCancel(t.Context())
	gaveUp := make(chan error, 1)
	go func() {
		_, _, err := h.Acquire(ctx)
		gaveUp <- err
	}()
	<-began
	cancel()
	if err := <-gaveUp; !errors.Is(err, context.Canceled) || session.KindOf(err) != session.KindCancelled {
		t.Error(err)
	}
	close(proceed)
	_, release, err := h.Acquire(t.Context())
	if err != nil || started() != 1 {
		t.Fatalf("%v, %d processes", err, started())
	}
	release()
	if err := h.Close(t.Context()); err != nil {
		t.Error(err)
	}

	began = make(chan struct{})
	h = driver.NewHost(driver.HostOptions{Options: func(context.Context) (driver.Options, error) {
		o, _ := simulated((*copilottest.Conn).Hang)
		begin := o.Start
		o.Start = func(ctx context.Context, c proc.Command) (pipe.Process, error) {
			defer close(began)
			return begin(ctx, c)
		}
		return o, nil
	}})
	go func() {
		_, _, err := h.Acquire(context.Background())
		gaveUp <- err
	}()
	<-began
	if err := h.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-gaveUp; session.KindOf(err) != session.KindCancelled {
		t.Error(err)
	}
}
