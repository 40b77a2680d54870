package store

import (
	"errors"
	"strings"

	"parley/session"
)

// journal appends to one session's file. It is used by one goroutine.
type journal struct {
	path   string
	file   File
	unlock func()

	// delta is a delta not yet encoded, because the next may continue it; its text is in text.
	delta session.Event
	text  strings.Builder
	// pending is what is encoded and not yet in the file. After a failed write it begins in the middle of a line.
	pending []byte
	// size is the length of the file, for the summary.
	size    int64
	summary summary
	closed  bool
}

var _ session.TurnCounter = (*journal)(nil)

// Append records e. Deltas wait for the next Flush or the next event that is none.
func (j *journal) Append(e session.Event) error {
	if j.closed {
		return problem("write journal", session.KindInternal, errors.New("the journal is closed"))
	}
	j.summary.fold(e)
	if text, ok := deltaText(e); ok {
		if j.delta == nil || !continues(j.delta, e) {
			if err := j.encodeDelta(); err != nil {
				return err
			}
			j.delta = e
		}
		j.text.WriteString(text)
		return nil
	}
	if err := j.encodeDelta(); err != nil {
		return err
	}
	if err := j.encode(e); err != nil {
		return err
	}
	if err := j.write(); err != nil {
		return err
	}
	if _, ok := e.(session.TurnEnded); ok {
		j.saveSummary()
	}
	return nil
}

// CountTurns sets how many turns the session has before what is appended next.
func (j *journal) CountTurns(n int) { j.summary.Meta.Turns = n }

// Flush writes what is pending. What cannot be written stays pending.
func (j *journal) Flush() error {
	if j.closed {
		return nil
	}
	if err := j.encodeDelta(); err != nil {
		return err
	}
	return j.write()
}

// Close flushes and gives the lock back, also when flushing fails. It may be called more than once.
func (j *journal) Close() error {
	if j.closed {
		return nil
	}
	err := j.Flush()
	j.closed = true
	if err == nil {
		if syncErr := j.file.Sync(); syncErr != nil {
			err = diskError("write journal", j.path, syncErr)
		}
		j.saveSummary()
	}
	if closeErr := j.file.Close(); closeErr != nil && err == nil {
		err = diskError("write journal", j.path, closeErr)
	}
	j.unlock()
	return err
}

func (j *journal) encodeDelta() error {
	if j.delta == nil {
		return nil
	}
	e := withText(j.delta, j.text.String())
	j.delta = nil
	j.text.Reset()
	return j.encode(e)
}

func (j *journal) encode(e session.Event) error {
	line, err := session.EncodeEvent(e)
	if err != nil {
		return problem("write journal", session.KindInternal, err)
	}
	j.pending = append(append(j.pending, line...), '\n')
	return nil
}

// write hands pending to the file. A short write keeps exactly the bytes that are missing, so that a later one mends the
// line it broke.
func (j *journal) write() error {
	if len(j.pending) == 0 {
		return nil
	}
	n, err := j.file.Write(j.pending)
	n = min(max(n, 0), len(j.pending))
	j.size += int64(n)
	j.pending = j.pending[n:]
	if err != nil {
		return diskError("write journal", j.path, err)
	}
	j.pending = nil
	return nil
}

// saveSummary is best effort: List derives a missing or old summary from the journal.
func (j *journal) saveSummary() {
	s := j.summary
	s.Size = j.size
	saveSummary(summaryPath(j.path), s)
}

// deltaText returns the text of a delta, and false for every other event.
func deltaText(e session.Event) (string, bool) {
	switch e := e.(type) {
	case session.PartDelta:
		return e.Text, true
	case session.ToolInput:
		return e.Fragment, true
	case session.ToolOutput:
		return e.Text, true
	}
	return "", false
}

// withText returns the delta with another text.
func withText(e session.Event, text string) session.Event {
	switch e := e.(type) {
	case session.PartDelta:
		e.Text = text
		return e
	case session.ToolInput:
		e.Fragment = text
		return e
	case session.ToolOutput:
		e.Text = text
		return e
	}
	return e
}

// continues reports whether b appends to the same thing as the delta a, so that both can be one event. The time of the
// first is kept.
func continues(a, b session.Event) bool {
	ha, hb := a.Header(), b.Header()
	hb.At = ha.At
	if ha != hb {
		return false
	}
	switch a := a.(type) {
	case session.PartDelta:
		b, ok := b.(session.PartDelta)
		return ok && a.Part == b.Part
	case session.ToolInput:
		b, ok := b.(session.ToolInput)
		return ok && a.Call == b.Call
	case session.ToolOutput:
		b, ok := b.(session.ToolOutput)
		return ok && a.Call == b.Call
	}
	return false
}
