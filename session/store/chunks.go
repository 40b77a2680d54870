package store

import (
	"bytes"
	"io"
)

// firstChunk is the number of bytes of a journal that are read at once, unless a line is longer.
const firstChunk = 1 << 20

// chunks splits a reader into pieces of whole lines, in reused memory.
type chunks struct {
	r    io.Reader
	room int
	buf  []byte
	used int // bytes of the last piece in buf
}

// next returns the next lines, each with its end, valid until the next call. After an error, including io.EOF, rest returns
// the incomplete line.
func (c *chunks) next() ([]byte, error) {
	n := copy(c.buf, c.buf[c.used:])
	c.buf, c.used = c.buf[:n], 0
	for {
		if free := cap(c.buf) - len(c.buf); free == 0 || free < c.room/2 {
			grown := make([]byte, len(c.buf), max(c.room, 2*cap(c.buf)))
			copy(grown, c.buf)
			c.buf = grown
		}
		n, err := io.ReadFull(c.r, c.buf[len(c.buf):cap(c.buf)])
		from := len(c.buf)
		c.buf = c.buf[:from+n]
		if err == io.ErrUnexpectedEOF {
			err = io.EOF
		}
		if end := bytes.LastIndexByte(c.buf[from:], '\n'); end >= 0 {
			c.used = from + end + 1
			return c.buf[:c.used], err
		}
		if err != nil {
			return nil, err
		}
	}
}

// rest returns the incomplete line at the end.
func (c *chunks) rest() []byte { return c.buf[c.used:] }
