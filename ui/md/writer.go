package md

import (
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// Writer passes text on to another writer as [Visible] shows it, wherever the text is cut into writes. It is not safe for
// concurrent use.
type Writer struct {
	to    io.Writer
	clean cleaner
	buf   []byte
}

// NewWriter returns a writer that passes visible text on to w.
func NewWriter(w io.Writer) *Writer { return &Writer{to: w} }

// Write passes p on. What only later text can decide, such as the rest of a rune, is held back until then or until Flush.
// On success it reports that it took all of p, whatever the length of what stands for it.
func (w *Writer) Write(p []byte) (int, error) {
	w.buf = w.clean.add(w.buf[:0], string(p))
	if err := w.pass(); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush passes on what is held back.
func (w *Writer) Flush() error {
	w.buf = w.clean.end(w.buf[:0])
	return w.pass()
}

func (w *Writer) pass() error {
	if len(w.buf) == 0 {
		return nil
	}
	_, err := w.to.Write(w.buf)
	return err
}

// VisibleJSON returns JSON with the same meaning as src in which everything that [Visible] would write out is escaped. What
// is not JSON comes back as something that is not JSON.
func VisibleJSON(src []byte) []byte {
	if printableASCII(string(src)) {
		return src
	}
	var c cleaner
	var piece []byte
	dst := make([]byte, 0, len(src)+len(src)/4)
	for len(src) > 0 {
		r, size := utf8.DecodeRune(src)
		one := string(src[:size])
		if r == '\n' || r == '\t' || r >= ' ' && r < 0x7f {
			piece, c = append(piece[:0], one...), cleaner{prev: r}
		} else {
			c.runs = 0 // each for itself: nothing is counted here
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
