package proc

import (
	"bytes"
	"io"
	"strings"
	"sync"
)

// TailSize bounds the text that a [Tail] keeps, in bytes.
const TailSize = 16 << 10

// Tail keeps the end of what a program writes to its standard error. The zero value is empty. It is safe for concurrent use.
type Tail struct {
	mu  sync.Mutex
	buf []byte
	cut bool
}

// Add adds a copy of b.
func (t *Tail) Add(b []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b...)
	if over := len(t.buf) - TailSize; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
		t.cut = true
	}
}

// Drain adds everything that r returns, so that the writer never waits. It returns at the end of r.
func (t *Tail) Drain(r io.Reader) {
	buf := make([]byte, 4<<10)
	for {
		n, err := r.Read(buf)
		t.Add(buf[:n])
		if err != nil {
			return
		}
	}
}

// Text returns the text, in valid UTF-8 and without space around it. If its beginning was cut off, the first word is left out:
// it may be part of a secret.
func (t *Tail) Text() string {
	t.mu.Lock()
	b, cut := bytes.Clone(t.buf), t.cut
	t.mu.Unlock()
	if cut {
		if i := bytes.IndexAny(b, " \t\r\n"); i >= 0 {
			b = b[i+1:]
		} else {
			b = nil
		}
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(b), "\uFFFD"))
}
