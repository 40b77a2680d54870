package label

import (
	"context"
	"errors"
	"slices"
	"testing"
)

// titled takes titles. Each one waits for an answer.
type titled struct {
	asked  chan string
	answer chan error
}

func (a titled) set(_ context.Context, title string) error {
	a.asked <- title
	return <-a.answer
}

func newTitled() titled {
	return titled{asked: make(chan string), answer: make(chan error)}
}

// TestTheNewestTitleIsWritten renames while a title is being written: one writer writes both, the newest last.
func TestTheNewestTitleIsWritten(t *testing.T) {
	a := newTitled()
	l := New(a.set, func() bool { return true })
	l.Set("first")
	got := []string{<-a.asked}
	l.Set("second")
	a.answer <- nil
	got = append(got, <-a.asked)
	a.answer <- nil
	if err := l.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := []string{"first", "second"}; !slices.Equal(got, want) {
		t.Errorf("wrote %q, want %q", got, want)
	}
}

// TestNothingIsWrittenWhileATurnRuns keeps the title until the session is at rest, and after an error until the next time.
func TestNothingIsWrittenWhileATurnRuns(t *testing.T) {
	a := newTitled()
	resting := false
	l := New(a.set, func() bool { return resting })
	l.Set("kept")
	if l.busy != nil {
		t.Fatal("a title is being written while a turn runs")
	}
	resting = true
	l.Consider()
	if got := <-a.asked; got != "kept" {
		t.Errorf("wrote %q", got)
	}
	failed := l.busy
	a.answer <- errors.New("no record yet")
	<-failed
	go func() { <-a.asked; a.answer <- nil }()
	if err := l.Finish(t.Context()); err != nil || l.want != "" {
		t.Errorf("after an error: %v, left %q", err, l.want)
	}
}

// TestFinishEndsWithItsContext does not wait for an agent that hangs.
func TestFinishEndsWithItsContext(t *testing.T) {
	a := newTitled()
	l := New(a.set, func() bool { return true })
	l.Set("hangs")
	<-a.asked
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.Finish(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	a.answer <- nil
	if err := l.Finish(t.Context()); err != nil {
		t.Error(err)
	}
}
