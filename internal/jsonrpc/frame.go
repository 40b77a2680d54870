package jsonrpc

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"parley/internal/crash"
)

var (
	// ErrMalformed is the cause of an error about bytes that are not a frame.
	ErrMalformed = errors.New("malformed frame")
	// ErrTooLarge is the cause of an error about a message that is longer than allowed.
	ErrTooLarge = errors.New("message too large")
	// ErrSlow is the cause of an error about a peer that does not read what it is sent.
	ErrSlow = errors.New("the peer does not read")
)

const (
	// maxHeader bounds the header of a frame, in bytes.
	maxHeader = 4 << 10
	// maxTrusted bounds the length of a message for which memory is reserved before it arrives, in bytes.
	maxTrusted = 64 << 10
	// maxSkipped bounds the frames of a connection that are skipped because they are no message.
	maxSkipped = 10
)

// readFrame returns the content of the next frame, at most most bytes. io.EOF means that the stream ended between frames.
func readFrame(r *bufio.Reader, most int64) ([]byte, error) {
	length, read := int64(-1), 0
	for {
		line, err := headerLine(r, maxHeader-read)
		if err != nil {
			if read > 0 && errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		read += len(line)
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			break
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			return nil, fmt.Errorf("%w: %.60q is not a header", ErrMalformed, line)
		}
		if !strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			continue
		}
		if length, err = strconv.ParseInt(strings.TrimSpace(value), 10, 64); err != nil || length < 0 {
			return nil, fmt.Errorf("%w: the length %.60q is not a number", ErrMalformed, value)
		}
	}
	switch {
	case length < 0:
		return nil, fmt.Errorf("%w: no Content-Length", ErrMalformed)
	case length > most:
		return nil, fmt.Errorf("%w: %d bytes", ErrTooLarge, length)
	}
	if length <= maxTrusted {
		content := make([]byte, length)
		if _, err := io.ReadFull(r, content); err != nil {
			return nil, unexpected(err)
		}
		return content, nil
	}
	// A length is only a claim: memory grows with what arrives, eightfold, so that little of it is copied.
	content := make([]byte, 0, maxTrusted)
	for {
		n, err := io.ReadFull(r, content[len(content):cap(content)])
		content = content[:len(content)+n]
		if err != nil {
			return nil, unexpected(err)
		}
		if int64(len(content)) == length {
			return content, nil
		}
		room := 8 * int64(cap(content))
		if 2*room >= length {
			room = length
		}
		content = append(make([]byte, 0, room), content...)
	}
}

// unexpected returns the error of a frame that ends too early.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// headerLine returns the next line with its end, at most most bytes.
func headerLine(r *bufio.Reader, most int) (string, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > most:
			return "", fmt.Errorf("%w: the header is longer than %d bytes", ErrMalformed, maxHeader)
		case err == nil:
			return string(line), nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(line) > 0:
			return "", io.ErrUnexpectedEOF
		default:
			return "", err
		}
	}
}

// frame returns content with its header.
func frame(content []byte) []byte {
	out := make([]byte, 0, len(content)+32)
	out = fmt.Appendf(out, "Content-Length: %d\r\n\r\n", len(content))
	return append(out, content...)
}

// stream is an object stream of jsonrpc2 with bounds. Writes are queued and never wait.
type stream struct {
	in      io.ReadCloser
	r       *bufio.Reader
	most    int64
	skipped int
	// notified takes a plain notification, or leaves it to the library.
	notified func(method string, params []byte) (taken bool)

	out       io.WriteCloser
	maxQueued int

	mu     sync.Mutex
	queue  [][]byte
	queued int // bytes
	err    error
	closed bool
	more   chan struct{} // has a value while queue may have something
	ended  chan struct{} // closed by Close
	wrote  chan struct{} // closed when the writer has ended
}

func newStream(r io.ReadCloser, w io.WriteCloser, o Options, notified func(string, []byte) bool) *stream {
	s := &stream{in: r, r: bufio.NewReaderSize(r, 64<<10), most: o.MaxMessage, notified: notified, out: w, maxQueued: o.MaxQueued,
		more: make(chan struct{}, 1), ended: make(chan struct{}), wrote: make(chan struct{})}
	crash.Go(s.write)
	return s
}

// ReadObject reads the next message into v.
func (s *stream) ReadObject(v any) error {
	for {
		content, err := readFrame(s.r, s.most)
		if err != nil {
			s.fail(err)
			return err
		}
		if method, params, ok := plainNotification(content); ok && s.notified(method, params) {
			continue
		}
		if err = json.Unmarshal(content, v); err == nil {
			return nil
		}
		reflect.ValueOf(v).Elem().SetZero()
		if s.skipped++; s.skipped > maxSkipped {
			err = fmt.Errorf("%w: %w", ErrMalformed, err)
			s.fail(err)
			return err
		}
	}
}

// WriteObject queues a message.
func (s *stream) WriteObject(v any) error {
	content, err := json.Marshal(v)
	if err != nil {
		return err
	}
	bytes := frame(content)
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return io.ErrClosedPipe
	}
	if s.queued+len(bytes) > s.maxQueued {
		s.mu.Unlock()
		err := fmt.Errorf("%w: %d bytes wait", ErrSlow, s.maxQueued)
		s.fail(err)
		_ = s.Close() // the reader notices
		return err
	}
	s.queue, s.queued = append(s.queue, bytes), s.queued+len(bytes)
	s.mu.Unlock()
	select {
	case s.more <- struct{}{}:
	default:
	}
	return nil
}

// write writes what is queued until the stream is closed or a write fails.
func (s *stream) write() {
	defer close(s.wrote)
	for {
		select {
		case <-s.ended:
			return
		case <-s.more:
		}
		for {
			s.mu.Lock()
			if len(s.queue) == 0 {
				s.mu.Unlock()
				break
			}
			next := s.queue[0]
			s.queue = s.queue[1:]
			s.mu.Unlock()
			if _, err := s.out.Write(next); err != nil {
				s.fail(fmt.Errorf("write: %w", err))
				_ = s.Close()
				return
			}
			s.mu.Lock()
			s.queued -= len(next)
			s.mu.Unlock()
		}
	}
}

// fail records the first reason why the connection ends.
func (s *stream) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil && !s.closed {
		s.err = err
	}
}

// Close closes both directions.
func (s *stream) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	s.mu.Unlock()
	close(s.ended)
	return errors.Join(s.out.Close(), s.in.Close())
}
