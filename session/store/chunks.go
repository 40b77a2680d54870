package store

import (
	"bytes"
	"io"
)

// firstChunk is how many bytes of a journal are read at once, unless a line is longer.
const firstChunk = 1 << 20

// chunks cuts what a reader gives into pieces of whole lines, in memory that is used again.
type chunks struct {
	r    io.Reader
	room int
	buf  []byte
	used int // how much of buf the last piece takes
}

// next returns the next lines, each with its end; they are valid until the next call. With an error, io.EOF included, rest
// is what came behind them.
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

// rest returns what has no end.
func (c *chunks) rest() []byte { return c.buf[c.used:] }
