package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"sync"

	"parley/internal/crash"
	"parley/internal/human"
	"parley/session"
)

// journalSuffix follows the session's id in the name of a journal.
const journalSuffix = ".jsonl"

// version is the version of the journal format that this package writes.
const version = 1

// header is the first line of a journal.
type header struct {
	V    int           `json:"v"`
	Meta *session.Meta `json:"meta"`
}

func encodeHeader(m session.Meta) ([]byte, error) {
	line, err := json.Marshal(header{V: version, Meta: &m})
	if err != nil {
		return nil, problem("write journal", session.KindInternal, err)
	}
	return append(line, '\n'), nil
}

// decodeHeader decodes a header, and reports false for any other line.
func decodeHeader(line []byte) (header, bool) {
	var h header
	err := json.Unmarshal(line, &h)
	ok := err == nil && h.V > 0 && h.Meta != nil
	if ok {
		h.Meta.Turns = 0 // the events count them
	}
	return h, ok
}

// parsed is the content of a journal.
type parsed struct {
	summary summary
	events  []session.Event
	// size is the length of the journal, whole its length without a torn last line.
	size, whole int
	// torn reports that the last line is incomplete, unended that it only lacks its end.
	torn, unended bool
}

// damage counts the skipped lines.
type damage struct {
	header  bool
	newer   int // version of the header, if newer than ours
	corrupt int
	unknown int
	torn    bool
}

// parser parses a journal in chunks of whole lines.
type parser struct {
	p      parsed
	d      damage
	record session.Record
	lines  int // so far
	decode lineDecoder
}

// parseFrom decodes a journal and reports skipped lines in notices at the end. It joins fragments of one text into one event
// as a [session.Record] does, and holds only one chunk, or the longest line, in memory. The error is that of r.
func parseFrom(id session.ID, r io.Reader) (parsed, error) {
	return parseChunks(id, &chunks{r: r, room: firstChunk})
}

func parseChunks(id session.ID, chunks *chunks) (parsed, error) {
	ps := parser{p: parsed{summary: summary{Meta: session.Meta{ID: id}, Costs: costs{Counted: true}}}}
	for {
		whole, err := chunks.next()
		ps.chunk(id, whole)
		ps.p.size += len(whole)
		if err == nil {
			continue
		}
		rest := chunks.rest()
		ps.p.size += len(rest)
		ps.p.whole = ps.p.size
		ps.last(id, rest)
		if !errors.Is(err, io.EOF) {
			return ps.p, err
		}
		break
	}
	ps.p.events = ps.record.Take()
	ps.d.header = ps.d.header || ps.p.size == 0
	ps.p.events = append(ps.p.events, ps.d.notices(id, ps.p.events)...)
	return ps.p, nil
}

// chunk parses whole lines.
func (ps *parser) chunk(id session.ID, whole []byte) {
	if len(whole) == 0 {
		return
	}
	lines := ps.decode.split(whole[:len(whole)-1])
	if ps.lines == 0 {
		ps.lines = 1
		if !ps.head(id, lines[0]) {
			event, kind := decodeLine(&ps.decode.one, lines[0])
			ps.line(event, kind, true)
		}
		lines = lines[1:]
	}
	ps.lines += len(lines)
	events, kinds := ps.decode.all(lines, len(whole))
	for i, kind := range kinds {
		ps.line(events[i], kind, false)
	}
}

// last parses the bytes after the last line feed.
func (ps *parser) last(id session.ID, line []byte) {
	if len(line) == 0 {
		return
	}
	if ps.lines == 0 && ps.head(id, line) {
		ps.p.unended = true
		return
	}
	event, kind := decodeLine(&ps.decode.one, line)
	if kind == lineEvent {
		ps.line(event, kind, ps.lines == 0)
		ps.p.unended = true
		return
	}
	ps.d.torn, ps.p.torn = true, true
	ps.p.whole = ps.p.size - len(line)
}

// head parses the first line, if it is a header.
func (ps *parser) head(id session.ID, line []byte) bool {
	h, ok := decodeHeader(line)
	if !ok {
		ps.d.header = true
		return false
	}
	ps.p.summary.Meta = *h.Meta
	ps.p.summary.Meta.ID = id // the file's name decides
	if h.V > version {
		ps.d.newer = h.V
	}
	return true
}

func (ps *parser) line(event session.Event, kind lineKind, first bool) {
	switch kind {
	case lineEvent:
		ps.p.summary.fold(event)
		ps.record.Add(event)
	case lineUnknown:
		ps.d.unknown++
	case lineCorrupt:
		if !first { // reported as an unreadable header
			ps.d.corrupt++
		}
	}
}

// lineKind is the kind of a line of a journal.
type lineKind int

const (
	lineEvent lineKind = iota
	lineBlank
	lineUnknown // well-formed, of an unknown type
	lineCorrupt
)

// manyBytes is the number of bytes from which lines are decoded in parallel.
const manyBytes = 256 << 10

// lineDecoder decodes the lines of chunks and reuses its memory.
type lineDecoder struct {
	one    session.Decoder
	lines  [][]byte
	events []session.Event
	kinds  []lineKind
}

// split returns the lines of a text that does not end with a line feed. They are valid until the next call.
func (d *lineDecoder) split(text []byte) [][]byte {
	d.lines = d.lines[:0]
	for more := true; more; {
		var line []byte
		line, text, more = bytes.Cut(text, []byte{'\n'})
		d.lines = append(d.lines, line)
	}
	return d.lines
}

// all decodes lines of that many bytes, in parallel for many. The results are in the order of the lines and valid until the
// next call.
func (d *lineDecoder) all(lines [][]byte, size int) ([]session.Event, []lineKind) {
	d.events = slices.Grow(d.events[:0], len(lines))[:len(lines)]
	d.kinds = slices.Grow(d.kinds[:0], len(lines))[:len(lines)]
	if size >= manyBytes {
		decodeInto(d.events, d.kinds, lines)
		return d.events, d.kinds
	}
	for i, line := range lines {
		d.events[i], d.kinds[i] = decodeLine(&d.one, line)
	}
	return d.events, d.kinds
}

// decodeAtOnce decodes lines in parallel. The results are in the order of the lines.
func decodeAtOnce(lines [][]byte) ([]session.Event, []lineKind) {
	events, kinds := make([]session.Event, len(lines)), make([]lineKind, len(lines))
	decodeInto(events, kinds, lines)
	return events, kinds
}

func decodeInto(events []session.Event, kinds []lineKind, lines [][]byte) {
	workers := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(crash.Guarded(func() {
			var d session.Decoder
			for i := len(lines) * w / workers; i < len(lines)*(w+1)/workers; i++ {
				events[i], kinds[i] = decodeLine(&d, lines[i])
			}
		}))
	}
	wg.Wait()
}

func decodeLine(d *session.Decoder, line []byte) (session.Event, lineKind) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return nil, lineBlank
	}
	event, err := d.Decode(line)
	if err == nil {
		return event, lineEvent
	}
	if _, unknown := errors.AsType[*session.UnknownEventError](err); unknown {
		return nil, lineUnknown
	}
	return nil, lineCorrupt
}

// notices returns the damage as notices, with the newest generation and time of the events, so that the reducer applies them.
func (d damage) notices(id session.ID, events []session.Event) []session.Event {
	head := session.Head{Session: id}
	for _, e := range events {
		head.Gen = max(head.Gen, e.Header().Gen)
		if at := e.Header().At; at.After(head.At) {
			head.At = at
		}
	}
	var out []session.Event
	tell := func(format string, args ...any) {
		out = append(out, session.Notice{Head: head, Severity: session.Warning, Text: fmt.Sprintf(format, args...)})
	}
	if d.newer > 0 {
		tell("This session was written by a newer parley (journal version %d). What this one does not know is left out.",
			d.newer)
	}
	if d.header {
		tell("The beginning of this session's journal is unreadable; its directory and agent may be missing.")
	}
	if d.corrupt > 0 {
		tell("%s of this session's journal could not be read and %s left out.", human.Count(d.corrupt, "line", "lines"), was(d.corrupt))
	}
	if d.unknown > 0 {
		tell("%s of this session %s of a kind this parley does not know and left out.", human.Count(d.unknown, "event", "events"),
			was(d.unknown))
	}
	if d.torn {
		tell("The last line of this session's journal was cut off while it was written, and is left out.")
	}
	return out
}

func was(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// fallbackTimes takes times that header and events lack from the file.
func fallbackTimes(m session.Meta, path string) session.Meta {
	if !m.Updated.IsZero() && !m.Created.IsZero() {
		return m
	}
	if info, err := os.Stat(path); err == nil {
		if m.Updated.IsZero() {
			m.Updated = info.ModTime()
		}
		if m.Created.IsZero() {
			m.Created = m.Updated
		}
	}
	return m
}
