package copilot

import (
	"bytes"
	"errors"
	"io"
)

const (
	// maxFrame bounds one event, its line ends included.
	maxFrame = 32 << 20
	// firstBuffer is the initial size of a stream's buffer, enough for what models write. A stream that fills it gets a
	// bigger one, up to usualBuffer; beyond that it grows only for a single event.
	firstBuffer = 4 << 10
	usualBuffer = 32 << 10
	// maxEmptyReads bounds successive reads that return nothing and no error.
	maxEmptyReads = 100
)

// errFrameTooLong reports that an event exceeds maxFrame.
var errFrameTooLong = errors.New("an event of the stream is longer than 32 MiB")

// span is a byte range relative to the beginning of the current event.
type span struct{ start, end int }

// sseReader splits a stream of server-sent events. It accepts LF and CRLF, "data:" with and without a space, several
// data lines per event and comments; it ignores "id" and "retry". An event cut off by the end of the stream counts, so
// that a last line without a line end is not lost. Only one goroutine uses it.
type sseReader struct {
	src   io.Reader
	limit int // of one event

	buf   []byte
	base  int // where the current event begins
	scan  int // the end of the lines found so far
	end   int // the end of the data in buf
	begun bool
	empty int   // successive reads that returned nothing
	err   error // the error of src at its end

	event span
	data  []span
	join  []byte // several data lines, joined

	last  repeat
	again seen // the event that begins at scan
}

// seen describes the next event before it is taken.
type seen struct {
	data   span // relative to the event
	length int  // on the wire; 0: unknown
}

// newSSEReader returns a reader of src.
func newSSEReader(src io.Reader) *sseReader {
	return &sseReader{src: src, limit: maxFrame, buf: make([]byte, firstBuffer)}
}

// repeated takes the next event if it is complete and looks like the learned one.
func (r *sseReader) repeated() (data []byte, ok bool) {
	if r.again.length == 0 && !r.foresee() {
		return nil, false
	}
	from := r.scan
	r.scan += r.again.length
	r.again.length = 0
	return r.buf[from+r.again.data.start : from+r.again.data.end], true
}

// foresee reports whether the next event looks like the learned one.
func (r *sseReader) foresee() bool {
	var ok bool
	r.again.data, r.again.length, ok = r.last.match(r.buf[r.scan:r.end])
	return ok
}

// learn makes the event returned last the pattern for later ones. Its data must be JSON.
func (r *sseReader) learn() {
	if len(r.data) == 1 {
		r.last.learn(r.buf[r.base:r.scan], r.data[0])
	}
}

// next returns the name and the data of the next event with data. Both are valid until the next call. After the last
// one it returns the error of the source.
func (r *sseReader) next() (event, data []byte, err error) {
	r.base, r.again.length = r.scan, 0
	r.event, r.data = span{}, r.data[:0]
	for {
		line, ok, err := r.line()
		if err != nil {
			return nil, nil, err
		}
		if !ok { // the source ended
			if len(r.data) > 0 {
				return r.take()
			}
			return nil, nil, r.err
		}
		if line.start == line.end {
			if len(r.data) > 0 {
				return r.take()
			}
			r.event, r.base = span{}, r.scan // an event without fields: the next one begins here
			continue
		}
		r.field(line)
	}
}

// ready reports whether another event with data is complete, including its empty line.
func (r *sseReader) ready() bool {
	if r.again.length > 0 || r.foresee() {
		return true
	}
	data := false
	for rest := r.buf[r.scan:r.end]; ; {
		n := bytes.IndexByte(rest, '\n')
		if n < 0 {
			return false
		}
		line := bytes.TrimSuffix(rest[:n], []byte("\r"))
		if data && len(line) == 0 {
			return true
		}
		data = data || bytes.HasPrefix(line, []byte("data:"))
		rest = rest[n+1:]
	}
}

// line returns the next line without its end, relative to base; false at the end.
func (r *sseReader) line() (span, bool, error) {
	searched := r.scan
	for {
		if n := bytes.IndexByte(r.buf[searched:r.end], '\n'); n >= 0 {
			return r.cut(searched+n, searched+n+1), true, nil
		}
		searched = r.end
		if r.err != nil {
			if r.scan == r.end {
				return span{}, false, nil
			}
			return r.cut(r.end, r.end), true, nil
		}
		if r.end-r.base > r.limit {
			return span{}, false, errFrameTooLong
		}
		searched -= r.fill()
	}
}

// cut ends a line and moves on to the next one.
func (r *sseReader) cut(end, next int) span {
	start := r.scan
	r.scan = next
	if end > start && r.buf[end-1] == '\r' {
		end--
	}
	if !r.begun { // a byte order mark may come first
		r.begun = true
		if bytes.HasPrefix(r.buf[start:end], []byte("\xef\xbb\xbf")) {
			start += 3
		}
	}
	return span{start - r.base, end - r.base}
}

// fill reads more. It returns by how much the content of the buffer moved towards its beginning.
func (r *sseReader) fill() (moved int) {
	if r.end == len(r.buf) {
		moved = r.base
		if len(r.buf) >= usualBuffer && (r.base > len(r.buf)/2 || r.base > 0 && r.end-r.base < len(r.buf)/2) {
			copy(r.buf, r.buf[r.base:r.end])
		} else {
			bigger := make([]byte, 2*len(r.buf))
			copy(bigger, r.buf[r.base:r.end])
			r.buf = bigger
		}
		r.base, r.scan, r.end = 0, r.scan-moved, r.end-moved
	}
	n, err := r.src.Read(r.buf[r.end:])
	r.end += n
	switch {
	case err != nil:
		r.err = err
	case n > 0:
		r.empty = 0
	default:
		if r.empty++; r.empty > maxEmptyReads {
			r.err = io.ErrNoProgress
		}
	}
	return moved
}

// field parses a line of an event.
func (r *sseReader) field(l span) {
	line := r.buf[r.base+l.start : r.base+l.end]
	colon := bytes.IndexByte(line, ':')
	if colon == 0 {
		return // a comment
	}
	name, value := line, span{l.end, l.end}
	if colon > 0 {
		name, value = line[:colon], span{l.start + colon + 1, l.end}
		if value.start < value.end && line[colon+1] == ' ' {
			value.start++
		}
	}
	switch string(name) {
	case "data":
		r.data = append(r.data, value)
	case "event":
		r.event = value
	}
}

// take returns the current event.
func (r *sseReader) take() (event, data []byte, err error) {
	event = r.buf[r.base+r.event.start : r.base+r.event.end]
	if len(r.data) == 1 {
		return event, r.buf[r.base+r.data[0].start : r.base+r.data[0].end], nil
	}
	r.join = r.join[:0]
	for i, s := range r.data {
		if i > 0 {
			r.join = append(r.join, '\n')
		}
		r.join = append(r.join, r.buf[r.base+s.start:r.base+s.end]...)
	}
	return event, r.join, nil
}
