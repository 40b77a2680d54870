package md

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"parley/ui/md/cells"
)

// run is text that is being collected, with its looks.
type run struct {
	buf   []byte
	spans []span
}

// span is the look of the text up to an offset of the run.
type span struct {
	end  int
	look look
}

// clear removes the text.
func (t *run) clear() { t.buf, t.spans = t.buf[:0], t.spans[:0] }

// put adds text in a look. The text is visible, and its newlines are hard breaks.
func (t *run) put(s string, l look) {
	if s == "" {
		return
	}
	t.buf = append(t.buf, s...)
	t.mark(l)
}

// mark sets the look of the text that was added behind the last span.
func (t *run) mark(l look) {
	if n := len(t.spans); n > 0 && t.spans[n-1].look == l {
		t.spans[n-1].end = len(t.buf)
		return
	}
	t.spans = append(t.spans, span{len(t.buf), l})
}

// trimBlank removes the blanks before a hard break.
func (t *run) trimBlank() {
	t.buf = bytes.TrimRight(t.buf, " ")
	for n := len(t.spans); n > 0 && t.spans[n-1].end > len(t.buf); n-- {
		if n > 1 && t.spans[n-2].end >= len(t.buf) {
			t.spans = t.spans[:n-1]
		} else {
			t.spans[n-1].end = len(t.buf)
		}
	}
}

// collapse replaces successive blanks in buf[from:] by one.
func (t *run) collapse(from int) {
	b := t.buf
	w := from
	blank := from > 0 && (b[from-1] == ' ' || b[from-1] == '\n')
	for _, c := range b[from:] {
		if c == ' ' || c == '\t' || c == '\n' {
			if !blank {
				b[w], w = ' ', w+1
			}
			blank = true
			continue
		}
		b[w], w, blank = c, w+1, false
	}
	t.buf = b[:w]
}

// raw adds text as it is written, with spaces for tabs and newlines.
func (t *run) raw(v []byte, l look) {
	if len(v) == 0 {
		return
	}
	n := len(t.buf)
	t.buf = append(t.buf, v...)
	for i, c := range t.buf[n:] {
		if c == '\t' || c == '\n' {
			t.buf[n+i] = ' '
		}
	}
	t.mark(l)
}

// segments adds text as it is written.
func (t *run) segments(s *text.Segments, src []byte, l look) {
	for i := range s.Len() {
		seg := s.At(i)
		t.raw(seg.Value(src), l)
	}
}

// unescape adds v with backslash escapes and entities resolved. What an entity spells is made visible, because it did not
// pass Visible with the source.
func (t *run) unescape(v []byte) {
	for i := 0; i < len(v); {
		switch {
		case v[i] == '\\' && i+1 < len(v) && util.IsPunct(v[i+1]):
			t.buf = append(t.buf, v[i+1])
			i += 2
		case v[i] == '&':
			s, n := entity(v[i:])
			if n == 0 {
				s, n = "&", 1
			}
			t.buf = append(t.buf, s...)
			i += n
		default:
			t.buf = append(t.buf, v[i])
			i++
		}
	}
}

// entity decodes the character reference at the start of v; n is 0 if there is none.
func entity(v []byte) (s string, n int) {
	end := bytes.IndexByte(v[:min(len(v), 40)], ';')
	if end < 2 {
		return "", 0
	}
	name := v[1:end]
	if name[0] != '#' {
		e, ok := util.LookUpHTML5EntityByName(string(name))
		if !ok {
			return "", 0
		}
		return spelled(string(e.Characters)), end + 1
	}
	digits, base, most := string(name[1:]), 10, 7
	if len(name) > 1 && (name[1] == 'x' || name[1] == 'X') {
		digits, base, most = string(name[2:]), 16, 6
	}
	code, err := strconv.ParseUint(digits, base, 32)
	if err != nil || len(digits) > most || digits[0] == '+' {
		return "", 0
	}
	c := rune(code)
	if c == 0 || !utf8.ValidRune(c) {
		c = utf8.RuneError
	}
	return spelled(string(c)), end + 1
}

// spelled makes what an entity spells fit for a row, where newlines and tabs are blanks.
func spelled(s string) string {
	if s == "\n" || s == "\t" {
		return " "
	}
	return cells.Visible(s)
}
