package live

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/session"
)

const manyDeltas, manyParts = 100_000, 20

// stream gives add the deltas of parts in turn, and returns the texts of the parts.
func stream(add func(session.Event)) []string {
	texts := make([]strings.Builder, manyParts)
	for i := range manyDeltas {
		p := i % manyParts
		text := fmt.Sprintf("%05d", i)
		texts[p].WriteString(text)
		add(session.PartDelta{Head: session.Head{Turn: "t"}, Part: session.PartID(fmt.Sprint(p)), Text: text})
	}
	out := make([]string, manyParts)
	for p := range texts {
		out[p] = texts[p].String()
	}
	return out
}

// check compares the deltas of events with the texts of the parts.
func check(t *testing.T, events []session.Event, want []string) {
	t.Helper()
	got := make([]string, manyParts)
	for _, e := range events {
		var p int
		_, _ = fmt.Sscan(string(e.(session.PartDelta).Part), &p)
		got[p] += e.(session.PartDelta).Text
	}
	for p := range want {
		if got[p] != want[p] {
			t.Errorf("part %d has %d bytes of %d", p, len(got[p]), len(want[p]))
		}
	}
}

// TestFeedIsBounded streams to a listener that stands still. One that attaches meanwhile gets no text twice.
func TestFeedIsBounded(t *testing.T) {
	idle, stand, standing := make(chan struct{}), make(chan struct{}), make(chan struct{})
	f := &feed{idle: func() { close(idle) }}
	var slow, late []session.Event
	f.attach(func(e session.Event) {
		if slow = append(slow, e); len(slow) == 1 {
			close(standing)
			<-stand
		}
	})
	n := 0
	want := stream(func(e session.Event) {
		f.add(e)
		if n++; n == 1 {
			<-standing
		}
		if n == manyDeltas/2 {
			history, _ := f.attach(func(e session.Event) { late = append(late, e) })
			late = append(late, history...)
		}
	})
	seen := 0
	f.after(func() { seen = len(slow) })
	if n := len(f.All()); n != manyParts {
		t.Errorf("%d events for %d parts", n, manyParts)
	}
	close(stand)
	<-idle
	check(t, slow, want)
	check(t, late, want)
	if seen != len(slow) || seen != 1+manyParts {
		t.Errorf("the function came after %d of %d calls", seen, len(slow))
	}
}

// standingJournal stands still in its first flush, and counts what it gets.
type standingJournal struct {
	stand, standing chan struct{}
	flushes         int
	events          []session.Event
}

func (j *standingJournal) Append(e session.Event) error {
	j.events = append(j.events, e)
	return nil
}

func (j *standingJournal) Flush() error {
	if j.flushes++; j.flushes == 1 {
		close(j.standing)
		<-j.stand
	}
	return nil
}

func (j *standingJournal) Close() error { return nil }

// TestJournalQueueIsBounded streams while no journal is open, then while its disk stands still.
func TestJournalQueueIsBounded(t *testing.T) {
	j := &standingJournal{stand: make(chan struct{}), standing: make(chan struct{})}
	var log session.Log
	w := newWriter(&log, time.Hour, func(err error) { t.Error(err) })
	waits := func(when string) {
		t.Helper()
		if n := len(log.All()); n != manyParts || len(w.aside) > 0 {
			t.Errorf("%d events and %d aside %s, for %d parts", n, len(w.aside), when, manyParts)
		}
	}
	add := func(e session.Event) { log.Add(e) }
	want := stream(add)
	waits("without a journal")
	first := w.ask()
	w.start(j)
	<-j.standing
	for p, text := range stream(add) {
		want[p] += text
	}
	waits("while the disk stands still")
	second := w.ask()
	close(j.stand)
	if err := errors.Join(<-first, <-second); err != nil {
		t.Error(err)
	}
	l := w.stop()
	<-l.done
	check(t, j.events, want)
	if len(j.events) != 2*manyParts {
		t.Errorf("%d events written", len(j.events))
	}
}

// What the journal has already, or must not get, passes it, and what only the journal gets comes in its place.
func TestJournalLeavesOutWhatPasses(t *testing.T) {
	stand := make(chan struct{})
	close(stand)
	j := &standingJournal{stand: stand, standing: make(chan struct{})}
	var log session.Log
	w := newWriter(&log, time.Hour, func(err error) { t.Error(err) })
	delta := func(text string) session.Event {
		return session.PartDelta{Head: session.Head{Turn: "t"}, Part: "0", Text: text}
	}
	log.Add(delta("a"))
	w.pass(func() { log.Add(delta("b")) })
	log.Add(delta("c"))
	w.write(delta("d"))
	log.Add(delta("e"), session.Notice{Text: "old"})
	w.raise(2)
	log.Add(session.Notice{Text: "new"})
	if n := len(w.unwritten()); n != 6 {
		t.Errorf("%d events are unwritten", n)
	}
	w.start(j)
	if err := <-w.ask(); err != nil {
		t.Error(err)
	}
	<-w.stop().done
	got := ""
	for _, e := range j.events {
		text, _ := session.Fragment(e)
		if n, ok := e.(session.Notice); ok {
			text = fmt.Sprint(" ", n.Text, n.Gen)
		}
		got += text
	}
	if got != "acde old2 new0" {
		t.Errorf("written: %q", got)
	}
}
