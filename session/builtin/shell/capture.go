package shell

import (
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"parley/internal/crash"
	"parley/internal/human"
)

const (
	// captureHead and captureTail bound the beginning and the end of an output that the model gets.
	captureHead = 10 << 10
	captureTail = 20 << 10
	// liveBytes bounds the output that is shown live; the rest is counted.
	liveBytes = 256 << 10
	// maxKept bounds the beginning of a command's output that is stored on disk, in bytes.
	maxKept = 64 << 20
	// liveEvery is the minimum interval between two pieces of live output, slowEvery that of a command in the background which
	// has used up its share. Then each piece is the newest slowBytes.
	liveEvery = 50 * time.Millisecond
	slowEvery = time.Second
	slowBytes = 1 << 10
)

// capture collects the output of a command: it folds it into the text that a terminal would show, holds beginning and end of
// that, writes a long output to a file up to a bound, and shows it live in pieces. Only one goroutine at a time calls Write.
type capture struct {
	open func() (*os.File, error) // creates the file; nil for none
	live func(string)

	mu      sync.Mutex
	text    folded
	raw     []byte // the beginning of the output, until the file has it
	size    int
	store   store
	shown   liveShare
	timer   *time.Timer
	showing sync.Mutex // orders calls of live
	closed  bool
}

// captured is the result of a capture.
type captured struct {
	text   string
	size   int // of the output in bytes
	lines  int
	cut    bool
	binary bool
	path   string // of the file with the output; "" for none
	kept   int    // bytes in that file
}

func newCapture(open func() (*os.File, error), live func(string)) *capture {
	c := &capture{open: open, live: live}
	c.store.most = maxKept
	c.text.folder = newFolder(c.text.add)
	c.shown.room = liveBytes
	return c
}

// Write never fails: a full disk must not stop a command.
func (c *capture) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(p) == 0 || c.closed {
		return len(p), nil
	}
	c.size += len(p)
	c.keep(p)
	_, _ = c.text.folder.Write(p)
	c.shown.add(p)
	if c.timer == nil && c.shown.some() {
		c.timer = time.AfterFunc(c.shown.every(), crash.Guarded(func() { c.show(false) }))
	}
	return len(p), nil
}

// keep keeps the beginning and, once that no longer contains everything, writes to the file.
func (c *capture) keep(p []byte) {
	if c.store.file != nil || c.store.broken {
		c.store.write(p)
		return
	}
	if room := captureHead + captureTail - len(c.raw); room >= len(p) || c.open == nil {
		c.raw = append(c.raw, p[:min(max(0, room), len(p))]...)
		return
	}
	c.toFile()
	c.store.write(p)
}

// toFile creates the file with the beginning of the output.
func (c *capture) toFile() {
	f, err := c.open()
	c.store.file, c.store.broken = f, err != nil
	c.store.write(c.raw)
}

// background lets the output that is shown live go on slowly once it has used up its share.
func (c *capture) background() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shown.slow = true
}

// show passes on the new output, except for an incomplete last character.
func (c *capture) show(all bool) {
	c.showing.Lock()
	defer c.showing.Unlock()
	c.mu.Lock()
	c.timer = nil
	text := c.shown.take(all)
	c.mu.Unlock()
	if text != "" {
		c.live(text)
	}
}

// close shows the rest and returns the result. Nothing is shown afterwards. A file that could not be written, or that is not
// needed, is removed.
func (c *capture) close() captured {
	c.mu.Lock()
	c.closed = true
	if c.timer != nil {
		c.timer.Stop()
	}
	c.mu.Unlock()
	c.show(true)
	c.mu.Lock()
	defer c.mu.Unlock()
	r := captured{size: c.size, binary: isBinary(c.raw)}
	if r.binary && c.store.file == nil && c.open != nil && !c.store.broken {
		c.toFile()
	}
	r.text, r.lines, r.cut = c.text.end()
	if r.binary {
		r.text = "(binary output, " + human.Count(c.size, "byte", "bytes") + ", " + http.DetectContentType(c.raw) + ": not shown)"
		r.cut, r.lines = true, 0
	}
	r.path, r.kept = c.store.close(r.cut)
	return r
}

// isBinary reports whether the beginning of an output is not text: much of it are control characters and invalid UTF-8. Zero
// bytes alone separate names.
func isBinary(head []byte) bool {
	head = head[:min(len(head), 8000)]
	odd, zero := 0, 0
	for i := 0; i < len(head); {
		r, n := utf8.DecodeRune(head[i:])
		switch {
		case r == utf8.RuneError && n == 1 && utf8.FullRune(head[i:]):
			odd++
		case r == 0:
			zero++
		case r < ' ' && !strings.ContainsRune("\t\n\v\f\r\b\a\x1b", r):
			odd++
		}
		i += n
	}
	return odd >= 8 && (odd+zero)*10 > len(head)
}

func valid(b []byte) string { return strings.ToValidUTF8(string(b), "\uFFFD") }
