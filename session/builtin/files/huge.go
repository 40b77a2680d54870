package files

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/session/builtin/tool"
)

// hugeFile reads lines of a file of any size, in pieces of a bounded size.
type hugeFile struct {
	ctx context.Context
	f   io.Reader
	buf []byte // what was read and not used
	end bool   // the file has no more
}

// hugePiece is the number of bytes that are read at once.
const hugePiece = 256 << 10

// fill reads the next piece behind what is there. It reports false at the end of the file.
func (h *hugeFile) fill() (bool, error) {
	if err := h.ctx.Err(); err != nil {
		return false, err
	}
	if h.end {
		return false, nil
	}
	at := len(h.buf)
	if cap(h.buf)-at < hugePiece {
		h.buf = append(make([]byte, 0, at+2*hugePiece), h.buf...)
	}
	n, err := io.ReadFull(h.f, h.buf[at:at+hugePiece])
	h.buf = h.buf[:at+n]
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		h.end, err = true, nil
	}
	return n > 0, err
}

// skip passes n lines, and returns how many there were.
func (h *hugeFile) skip(n int) (int, error) {
	for passed := 0; ; {
		if lines := bytes.Count(h.buf, []byte("\n")); passed+lines < n {
			passed += lines
			h.buf = h.buf[:0]
		} else {
			for ; passed < n; passed++ {
				h.buf = h.buf[bytes.IndexByte(h.buf, '\n')+1:]
			}
			return passed, nil
		}
		if more, err := h.fill(); !more || err != nil {
			return passed, err
		}
	}
}

// line returns the beginning of the next line and its whole length, false after the last one. The rest of a long line is
// passed without being stored.
func (h *hugeFile) line() (text []byte, size int, ok bool, err error) {
	kept := 0 // bytes of text at the front of buf
	for {
		if i := bytes.IndexByte(h.buf[kept:], '\n'); i >= 0 {
			text, size = h.buf[:min(kept+i, len(h.buf))], size+i
			h.buf = h.buf[kept+i+1:]
			return text, size, true, nil
		}
		size += len(h.buf) - kept
		if kept = len(h.buf); kept > hugePiece {
			kept = hugePiece
			h.buf = h.buf[:kept]
		}
		more, err := h.fill()
		if err != nil {
			return nil, 0, false, err
		}
		if !more {
			text, h.buf = h.buf, nil
			return text, size, len(text) > 0, nil
		}
	}
}

// lines returns lines with their numbers, from the offset-th on.
func (h *hugeFile) lines(offset, limit int) (session.ToolResult, error) {
	if limit <= 0 || limit > readLines {
		limit = readLines
	}
	r := session.ToolResult{Truncated: true, Summary: human.Count(0, "line", "lines")}
	if passed, err := h.skip(offset - 1); err != nil || passed < offset-1 {
		r.Text = fmt.Sprintf("(the file has fewer than %s)", human.Count(offset, "line", "lines"))
		return r, err
	}
	var b strings.Builder
	given, more := 0, true
	for given < limit && b.Len() <= readBytes {
		text, size, ok, err := h.line()
		if err != nil {
			return r, err
		}
		if more = ok; !ok {
			break
		}
		text = bytes.TrimSuffix(text, []byte("\r"))
		if bytes.IndexByte(text, 0) >= 0 {
			text = bytes.ReplaceAll(text, []byte{0}, []byte("\uFFFD"))
		}
		cut := tool.CutLine(text[:min(len(text), readColumns)])
		if rest := size - readColumns; rest > 0 {
			cut += fmt.Sprintf("… (%d more bytes)", rest)
		}
		fmt.Fprintf(&b, "%d\t%s\n", offset+given, cut)
		given++
	}
	r.Summary = human.Count(given, "line", "lines")
	if more {
		fmt.Fprintf(&b, "(lines %d to %d of a large file; read on with offset %d, or find lines with Grep)\n", offset, offset+given-1, offset+given)
	} else {
		fmt.Fprintf(&b, "(the end of the file: it has %s)\n", human.Count(offset+given-1, "line", "lines"))
	}
	r.Text = b.String()
	return r, nil
}
