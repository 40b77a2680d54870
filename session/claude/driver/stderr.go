package driver

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"sync"
)

// tailSize bounds the standard error kept of a runtime, in bytes.
const tailSize = 16 << 10

// tail holds the last tailSize bytes added to it. It is safe for concurrent use.
type tail struct {
	mu  sync.Mutex
	buf []byte
	cut bool
}

func (t *tail) add(b []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b...)
	if over := len(t.buf) - tailSize; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
		t.cut = true
	}
}

// text returns the text with secrets masked. If it was cut, the first word is left out: it may be part of a secret.
func (t *tail) text(secrets ...string) string {
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
	return mask(strings.TrimSpace(strings.ToValidUTF8(string(b), "�")), secrets...)
}

// masked replaces a secret.
const masked = "***"

// tokens matches the kinds of secrets that a runtime and its commands may print.
var tokens = regexp.MustCompile(`(?i:bearer\s+)[^\s"',;]+|sk-ant-[\w-]+|gh[opsur]_\w+|github_pat_\w+`)

// mask replaces secrets. Of one in the form "secret.id", the first half alone is replaced too.
func mask(s string, secrets ...string) string {
	for _, secret := range secrets {
		if secret == "" {
			continue
		}
		s = strings.ReplaceAll(s, secret, masked)
		if first, _, ok := strings.Cut(secret, "."); ok && len(first) >= 8 {
			s = strings.ReplaceAll(s, first, masked)
		}
	}
	return tokens.ReplaceAllString(s, masked)
}

// drain adds everything that r returns, so that the writer never waits.
func (t *tail) drain(r io.Reader) {
	buf := make([]byte, 4<<10)
	for {
		n, err := r.Read(buf)
		t.add(buf[:n])
		if err != nil {
			return
		}
	}
}
