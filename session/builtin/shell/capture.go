package shell

import (
	"bytes"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"parley/internal/human"
)

const (
	// captureHead and captureTail bound the beginning and the end of an output that the model gets.
	captureHead = 10 << 10
	captureTail = 20 << 10
	// liveBytes bounds the output that is shown live; the rest is counted.
	liveBytes = 256 << 10
	// mostKept bounds the beginning of a command's output that is stored on disk, in bytes.
	mostKept = 64 << 20
	// liveEvery is the minimum interval between two pieces of live output.
	liveEvery = 50 * time.Millisecond
)

// capture collects the output of a command: it holds beginning and end, writes a long output to a file up to a bound,
// and shows it live in pieces. Only one goroutine at a time calls Write.
type capture struct {
	open func() (*os.File, error) // creates the file; nil for none
	live func(string)
	most int // bound of the file in bytes

	mu      sync.Mutex
	head    []byte
	tail    []byte
	size    int
	lines   int
	last    byte
	file    *os.File
	kept    int  // bytes in file
	broken  bool // the file could not be written
	unshown []byte
	shown   int
	timer   *time.Timer
	showing sync.Mutex // orders calls of live
	closed  bool
}

// captured is the result of a capture.
type captured struct {
	text  string
	size  int
	lines int
	cut   bool
	path  string // of the file with the output; "" for none
	kept  int    // bytes in that file
}

func newCapture(open func() (*os.File, error), live func(string)) *capture {
	return &capture{open: open, live: live, most: mostKept}
}

// Write never fails: a full disk must not stop a command.
func (c *capture) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(p) == 0 || c.closed {
		return len(p), nil
	}
	c.keep(p)
	c.size += len(p)
	c.lines += bytes.Count(p, []byte("\n"))
	c.last = p[len(p)-1]
	if room := liveBytes - c.shown - len(c.unshown); room > 0 {
		c.unshown = append(c.unshown, p[:min(room, len(p))]...)
	}
	if c.timer == nil {
		c.timer = time.AfterFunc(liveEvery, func() { c.show(false) })
	}
	return len(p), nil
}

// keep adds p to the beginning and the end and, once they no longer contain everything, to the file.
func (c *capture) keep(p []byte) {
	if c.file == nil && !c.broken && c.open != nil && c.size+len(p) > captureHead+captureTail {
		f, err := c.open()
		if c.file = f; err == nil {
			c.store(append(append([]byte{}, c.head...), c.tail...))
		}
		c.broken = c.broken || err != nil
	}
	c.store(p)
	if room := captureHead - len(c.head); room > 0 {
		n := min(room, len(p))
		c.head = append(c.head, p[:n]...)
		p = p[n:]
	}
	c.tail = append(c.tail, p...)
	if len(c.tail) > 2*captureTail {
		c.tail = append([]byte{}, c.tail[len(c.tail)-captureTail:]...)
	}
}

// store writes to the file until it is full.
func (c *capture) store(p []byte) {
	if c.file == nil || c.broken {
		return
	}
	n, err := c.file.Write(p[:min(len(p), c.most-c.kept)])
	c.kept += n
	c.broken = err != nil
}

// show passes on the new output, except for an incomplete last character.
func (c *capture) show(all bool) {
	c.showing.Lock()
	defer c.showing.Unlock()
	c.mu.Lock()
	c.timer = nil
	n := len(c.unshown)
	if !all {
		n = wholeRunes(c.unshown)
	}
	text := strings.ToValidUTF8(string(c.unshown[:n]), "\uFFFD")
	c.unshown = append([]byte{}, c.unshown[n:]...)
	c.shown += n
	c.mu.Unlock()
	if text != "" {
		c.live(text)
	}
}

// wholeRunes returns the length of b without an incomplete character at its end.
func wholeRunes(b []byte) int {
	for back := 1; back <= min(utf8.UTFMax-1, len(b)); back++ {
		if i := len(b) - back; utf8.RuneStart(b[i]) {
			if !utf8.FullRune(b[i:]) {
				return i
			}
			break
		}
	}
	return len(b)
}

// close shows the rest and returns the result. Nothing is shown afterwards. A file that could not be written is
// removed.
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
	r := captured{size: c.size, lines: c.lines}
	if c.file != nil {
		if err := c.file.Close(); err == nil && !c.broken {
			r.path, r.kept = c.file.Name(), c.kept
		} else {
			_ = os.Remove(c.file.Name()) // incomplete, and not reported
		}
	}
	if c.size > 0 && c.last != '\n' {
		r.lines++
	}
	r.cut = c.size > captureHead+captureTail
	tail := c.tail
	if r.cut {
		tail = tail[len(tail)-captureTail:]
		left := c.size - captureHead - captureTail
		r.text = valid(c.head) + "\n(" + human.Count(left, "byte", "bytes") + " left out)\n" + valid(tail)
	} else {
		r.text = valid(append(append([]byte{}, c.head...), tail...))
	}
	return r
}

func valid(b []byte) string { return strings.ToValidUTF8(string(b), "\uFFFD") }
