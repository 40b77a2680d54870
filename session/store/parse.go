package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"

	"parley/session"
)

// journalSuffix ends the name of every journal; what stands before it is the session's id.
const journalSuffix = ".jsonl"

// version is the version of the journal's format that this package writes.
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

// decodeHeader reports false for a line that is no header.
func decodeHeader(line []byte) (header, bool) {
	var h header
	err := json.Unmarshal(line, &h)
	ok := err == nil && h.V > 0 && h.Meta != nil
	if ok {
		h.Meta.Turns = 0 // what follows counts them
	}
	return h, ok
}

// parsed is what the bytes of a journal hold.
type parsed struct {
	summary summary
	events  []session.Event
	// whole is the length of what can stay in the file: everything but a torn last line.
	whole int
	// torn says that the last line has no end and makes no sense; unended, that it only lacks its end.
	torn, unended bool
}

// damage counts what was left out.
type damage struct {
	header  bool
	newer   int // version of the header, if newer than ours
	corrupt int
	unknown int
	torn    bool
}

// parse makes sense of as many lines as possible. It never fails: what cannot be read is left out and told in notices at
// the end. It is pure.
func parse(id session.ID, data []byte) parsed {
	p := parsed{whole: len(data), summary: summary{Meta: session.Meta{ID: id}}}
	var d damage
	lines := decodeLines(data)
	rest := data
	for i := 0; len(rest) > 0; i++ {
		first := i == 0
		line, after, ended := bytes.Cut(rest, []byte{'\n'})
		if first {
			if h, ok := decodeHeader(line); ok {
				p.summary.Meta = *h.Meta
				p.summary.Meta.ID = id // the file's name is what finds it again
				p.unended = !ended
				if h.V > version {
					d.newer = h.V
				}
				rest = after
				continue
			}
			d.header = true
		}
		event, verdict := lines(i, line)
		switch {
		case verdict == lineEvent:
			p.events = append(p.events, event)
			p.summary.fold(event)
			p.unended = !ended
		case verdict == lineUnknown && ended:
			d.unknown++
		case verdict == lineBlank && ended:
		case !ended:
			d.torn = true
			p.torn = true
			p.whole = len(data) - len(line)
		case first: // told as an unreadable header
		default:
			d.corrupt++
		}
		rest = after
	}
	d.header = d.header || len(data) == 0
	p.events = append(p.events, d.notices(id, p.events)...)
	return p
}

// lineKind is what a line of a journal turned out to be.
type lineKind int

const (
	lineEvent lineKind = iota
	lineBlank
	lineUnknown // well-formed, of a type this version does not know
	lineCorrupt
)

// manyBytes is how long a journal has to be for more than one processor to be worth their while.
const manyBytes = 256 << 10

// decodeLines returns what the lines of a journal are, by their place. A long journal is decoded at once, by all
// processors; what it returns then does not look at the line.
func decodeLines(data []byte) func(i int, line []byte) (session.Event, lineKind) {
	if len(data) < manyBytes {
		var d session.Decoder
		return func(_ int, line []byte) (session.Event, lineKind) { return decodeLine(&d, line) }
	}
	events, kinds := decodeAtOnce(bytes.Split(data, []byte{'\n'}))
	return func(i int, _ []byte) (session.Event, lineKind) { return events[i], kinds[i] }
}

// decodeAtOnce decodes lines by all processors. What it returns has the places of the lines.
func decodeAtOnce(lines [][]byte) ([]session.Event, []lineKind) {
	events, kinds := make([]session.Event, len(lines)), make([]lineKind, len(lines))
	workers := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			var d session.Decoder
			for i := len(lines) * w / workers; i < len(lines)*(w+1)/workers; i++ {
				events[i], kinds[i] = decodeLine(&d, lines[i])
			}
		})
	}
	wg.Wait()
	return events, kinds
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

// notices words the damage. They carry the newest generation and time of the events, so that the reducer takes them.
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
		tell("%s of this session's journal could not be read and %s left out.", count(d.corrupt, "line"), was(d.corrupt))
	}
	if d.unknown > 0 {
		tell("%s of this session %s of a kind this parley does not know and left out.", count(d.unknown, "event"),
			was(d.unknown))
	}
	if d.torn {
		tell("The last line of this session's journal was cut off while it was written, and is left out.")
	}
	return out
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func was(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// fallbackTimes fills in times that neither header nor events gave, from the file.
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
