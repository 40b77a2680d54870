package journal

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
	w := New(&log, time.Hour, func(err error) { t.Error(err) })
	waits := func(when string) {
		t.Helper()
		if n := len(log.All()); n != manyParts || len(w.aside) > 0 {
			t.Errorf("%d events and %d aside %s, for %d parts", n, len(w.aside), when, manyParts)
		}
	}
	add := func(e session.Event) { log.Add(e) }
	want := stream(add)
	waits("without a journal")
	first := w.Ask()
	w.Start(j)
	<-j.standing
	for p, text := range stream(add) {
		want[p] += text
	}
	waits("while the disk stands still")
	second := w.Ask()
	close(j.stand)
	if err := errors.Join(<-first, <-second); err != nil {
		t.Error(err)
	}
	if err := w.Stop()(t.Context()); err != nil {
		t.Error(err)
	}
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
	w := New(&log, time.Hour, func(err error) { t.Error(err) })
	delta := func(text string) session.Event {
		return session.PartDelta{Head: session.Head{Turn: "t"}, Part: "0", Text: text}
	}
	log.Add(delta("a"))
	w.Pass(func() { log.Add(delta("b")) })
	log.Add(delta("c"))
	w.Write(delta("d"))
	log.Add(delta("e"), session.Notice{Text: "old"})
	w.Change(func(e session.Event) session.Event {
		if n, ok := e.(session.Notice); ok {
			n.Gen = 2
			return n
		}
		return e
	})
	log.Add(session.Notice{Text: "new"})
	if n := len(w.Unwritten()); n != 6 {
		t.Errorf("%d events are unwritten", n)
	}
	w.Start(j)
	if err := <-w.Ask(); err != nil {
		t.Error(err)
	}
	if err := w.Stop()(t.Context()); err != nil {
		t.Error(err)
	}
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
