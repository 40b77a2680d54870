package host_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/host"
	"parley/session/live"
	"parley/session/sessiontest"
)

// wait bounds what a test waits for.
const wait = 20 * time.Second

// world is a host in this process, with an agent that the test plays.
type world struct {
	*sessiontest.World
	o      host.Options
	hosted *live.Manager
	ended  chan error
	end    context.CancelFunc
}

// shortDir returns a folder with a path that a socket can have.
func shortDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "ph")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// newWorld starts a host.
func newWorld(t testing.TB, change func(*host.Options)) *world {
	t.Helper()
	w := &world{World: sessiontest.NewWorld()}
	w.o = host.Options{Place: host.Place{Dir: shortDir(t), Key: "k"}, Program: "test", Log: slog.New(slog.DiscardHandler), Idle: time.Hour}
	if change != nil {
		change(&w.o)
	}
	w.start(t)
	t.Cleanup(w.stop)
	return w
}

func (w *world) start(t testing.TB) {
	t.Helper()
	w.hosted = w.Manager()
	w.o.Manager = w.hosted
	ctx, cancel := context.WithCancel(context.Background())
	ready, ended := make(chan struct{}), make(chan error, 1)
	w.end, w.ended = cancel, ended
	go func() { ended <- host.Run(ctx, w.o, func() { close(ready) }) }()
	select {
	case <-ready:
	case err := <-ended:
		t.Fatal(err)
	}
}

// stop ends the host and waits for it.
func (w *world) stop() {
	w.end()
	w.ended <- <-w.ended
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	_ = w.hosted.Close(ctx)
}

// screen returns the manager of a screen, which reads the same journals.
func (w *world) screen(t testing.TB) *host.Manager {
	t.Helper()
	d := w.Deps
	d.Agents = []session.Agent{sessiontest.NewAgent("builtin")}
	m := host.NewManager(host.ClientOptions{Place: w.o.Place, Local: live.NewManager(d), Program: "test"})
	t.Cleanup(func() { leave(t, m) })
	return m
}

// leave closes a screen.
func leave(t testing.TB, m *host.Manager) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	if err := m.Close(ctx); err != nil {
		t.Error(err)
	}
}

// must fails the test with an error.
func must[V any](v V, err error) func(t testing.TB) V {
	return func(t testing.TB) V {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// view follows a session as a screen does.
type view struct {
	t      *session.Transcript
	anew   int
	all    []session.Event // since the session is followed
	reader *session.Reader
	news   chan struct{}
}

func follow(t testing.TB, s *live.Session) *view {
	t.Helper()
	v := &view{news: make(chan struct{}, 1)}
	var past []session.Event
	past, v.reader = s.Read(func(bool) {
		select {
		case v.news <- struct{}{}:
		default:
		}
	})
	v.t = session.Fold(past)
	return v
}

// until waits until the transcript is as it should be.
func (v *view) until(t testing.TB, what string, enough func(*session.Transcript) bool) {
	t.Helper()
	late := time.After(wait)
	for {
		events, anew := v.reader.Next()
		v.all = append(v.all, events...)
		if anew {
			v.t, v.anew = session.Fold(events), v.anew+1
		} else {
			for _, e := range events {
				v.t.Apply(e)
			}
		}
		if enough(v.t) {
			return
		}
		select {
		case <-v.news:
		case <-late:
			for _, e := range v.all {
				t.Logf("%T %+v", e, e)
			}
			t.Fatalf("not %s: %d turns, %d asks", what, len(v.t.Turns), len(v.t.Asks))
		}
	}
}

// text returns what the last turn says.
func text(t *session.Transcript) string {
	var b strings.Builder
	for _, turn := range t.Turns {
		for _, e := range turn.Entries {
			if p, is := e.(*session.Part); is {
				b.WriteString(p.Text())
			}
		}
	}
	return b.String()
}

// over reports whether n turns have ended.
func over(n int) func(*session.Transcript) bool {
	return func(t *session.Transcript) bool {
		ended := 0
		for _, turn := range t.Turns {
			if turn.ID != "" && !turn.Running() {
				ended++
			}
		}
		return ended >= n
	}
}

func draft(t testing.TB, m *host.Manager) *live.Session {
	t.Helper()
	return must(m.Draft(live.DraftOptions{Dir: must(filepath.Abs("/repos/x"))(t)}))(t)
}
