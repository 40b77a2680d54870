package cells

import (
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// Writer writes text to another writer as [Visible] returns it, however the text is cut into writes. It is not safe for
// concurrent use.
type Writer struct {
	to    io.Writer
	clean Cleaner
	buf   []byte
}

// NewWriter returns a writer that writes visible text to w.
func NewWriter(w io.Writer) *Writer { return &Writer{to: w} }

// Write writes p. It holds back what later text decides, such as the beginning of a rune, until then or until Flush. On success
// it returns len(p), whatever it wrote.
func (w *Writer) Write(p []byte) (int, error) {
	w.buf = w.clean.Add(w.buf[:0], string(p))
	if err := w.pass(); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes what is held back.
func (w *Writer) Flush() error {
	w.buf = w.clean.End(w.buf[:0])
	return w.pass()
}

func (w *Writer) pass() error {
	if len(w.buf) == 0 {
		return nil
	}
	_, err := w.to.Write(w.buf)
	return err
}

// VisibleJSON returns src, which is JSON, with everything escaped that [Visible] would write out. If src is not JSON, neither is
// the result.
func VisibleJSON(src []byte) []byte {
	if printableASCII(string(src)) {
		return src
	}
	var c Cleaner
	var piece []byte
	dst := make([]byte, 0, len(src)+len(src)/4)
	for len(src) > 0 {
		r, size := utf8.DecodeRune(src)
		one := string(src[:size])
		if r == '\n' || r == '\t' || r >= ' ' && r < 0x7f {
			piece, c = append(piece[:0], one...), Cleaner{prev: r}
		} else {
			c.runs = 0 // nothing is counted here
			piece = c.rune(piece[:0], one, r, size)
		}
		switch {
		case string(piece) == one:
			dst = append(dst, one...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			dst = fmt.Appendf(dst, `\u%04x\u%04x`, high, low)
		default:
			dst = fmt.Appendf(dst, `\u%04x`, r)
		}
		src = src[size:]
	}
	return dst
}
