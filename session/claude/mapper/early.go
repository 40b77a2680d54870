package mapper

import (
	"bytes"
	"maps"
	"slices"
	"time"
)

// earlyLines holds what child agents print before the call that starts them is announced.
type earlyLines struct {
	mapLine func(line, time.Time) // maps a line that was held
	held    map[string]*heldLines // by call
}

type heldLines struct {
	lines []line
	bytes int
}

// Bounds of the lines held for one call, and of the calls.
const (
	maxEarlyLines = 64
	maxEarlyBytes = 1 << 20
)

func newEarlyLines(mapLine func(line, time.Time)) *earlyLines {
	return &earlyLines{mapLine: mapLine, held: map[string]*heldLines{}}
}

// hold copies a line, which was decoded from data, and reports whether there was room for it.
func (e *earlyLines) hold(l line, data []byte) bool {
	h := e.held[l.ParentID]
	if h == nil {
		h = &heldLines{}
		e.held[l.ParentID] = h
	}
	if len(h.lines) >= maxEarlyLines || h.bytes+len(data) > maxEarlyBytes || len(e.held) > maxEarlyLines {
		return false
	}
	l.Message, l.ToolUseResult = bytes.Clone(l.Message), bytes.Clone(l.ToolUseResult)
	h.lines = append(h.lines, l)
	h.bytes += len(data)
	return true
}

// release maps the lines held for a call, oldest first.
func (e *earlyLines) release(call string, at time.Time) {
	h := e.held[call]
	if h == nil {
		return
	}
	delete(e.held, call)
	for _, l := range h.lines {
		e.mapLine(l, at)
	}
}

// flush releases all lines, although their calls were never announced: no text is lost.
func (e *earlyLines) flush(at time.Time) {
	for _, call := range slices.Sorted(maps.Keys(e.held)) {
		e.release(call, at)
	}
}
