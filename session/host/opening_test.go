package host_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"parley/session"
	"parley/session/host"
	"parley/session/live"
	"parley/session/terminals"
)

// A file is opened by the terminal that was used last, and by none where none looks.
func TestOpen(t *testing.T) {
	screens, book := &host.Screens{}, &terminals.Book{}
	w := newWorld(t, func(o *host.Options) { o.Screens, o.Terminals = screens, book })
	opened := make(chan string, 4)
	screen := func(name string, waits bool, end func(ctx context.Context) error) *host.Manager {
		d := w.Deps
		m := host.NewManager(host.ClientOptions{Place: w.o.Place, Local: live.NewManager(d), Program: "test", OpenWaits: waits, Environ: []string{"HOME=/h", "PATH=/" + name},
			Open: func(ctx context.Context, path string, line int) error {
				opened <- fmt.Sprint(name, path, line)
				return end(ctx)
			}})
		t.Cleanup(func() { leave(t, m) })
		return m
	}
	fine := func(context.Context) error { return nil }
	one := screen("one", true, fine)
	s := draft(t, one)
	if _, err := screens.Open(t.Context(), s.ID(), "/f", 1); err == nil || !strings.Contains(err.Error(), "no terminal") {
		t.Errorf("without a terminal: %v", err)
	}
	send := func(s *live.Session, n int) {
		t.Helper()
		must(s.Send(session.Prompt{Text: fmt.Sprint("prompt ", n)}))(t)
		if err := s.Stored(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	open := func(line int, wantLeft bool, want, wantErr string) {
		t.Helper()
		left, err := screens.Open(t.Context(), s.ID(), "/f", line)
		if got := <-opened; got != want || left != wantLeft || (err == nil) != (wantErr == "") || err != nil && !strings.Contains(err.Error(), wantErr) {
			t.Errorf("%s, left %v: %v", got, left, err)
		}
	}
	send(s, 1)
	open(1, true, "one/f1", "")
	two := screen("two", false, func(context.Context) error { return errors.New("no display") })
	other := must(two.Resume(t.Context(), s.ID()))(t)
	open(2, false, "two/f2", "no display")
	if got := book.In(s.ID(), []string{"HOME=/h", "PATH=/host"}); fmt.Sprint(got) != "[HOME=/h PATH=/one]" {
		t.Errorf("who looks brings its environment: %q", got)
	}
	send(s, 2)
	open(3, true, "one/f3", "")
	send(other, 3)
	if got := book.In(s.ID(), nil); fmt.Sprint(got) != "[PATH=/two]" {
		t.Errorf("%q", got)
	}
	three := screen("three", true, func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
	must(three.Resume(t.Context(), s.ID()))(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-opened; cancel() }()
	if _, err := screens.Open(ctx, s.ID(), "/f", 4); !errors.Is(err, context.Canceled) {
		t.Errorf("a wait that is given up: %v", err)
	}
	if _, err := screens.Open(t.Context(), s.ID(), strings.Repeat("f", 5000), 1); err == nil || !strings.Contains(err.Error(), "longer than 4096 bytes") {
		t.Errorf("a long path: %v", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	waiting := make(chan error, 8)
	for range cap(waiting) {
		go func() {
			_, err := screens.Open(ctx, s.ID(), "/f", 6)
			waiting <- err
		}()
		<-opened
	}
	if _, err := screens.Open(t.Context(), s.ID(), "/f", 7); err == nil || !strings.Contains(err.Error(), "8 files wait") {
		t.Errorf("a ninth at once: %v", err)
	}
	cancel()
	for range cap(waiting) {
		if err := <-waiting; !errors.Is(err, context.Canceled) {
			t.Errorf("one of many: %v", err)
		}
	}
	go func() { <-opened; leave(t, three) }()
	if _, err := screens.Open(t.Context(), s.ID(), "/f", 5); err == nil || !strings.Contains(err.Error(), "terminal that opened it is gone") {
		t.Errorf("a terminal that is closed: %v", err)
	}
}
