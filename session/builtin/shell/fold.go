package shell

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	// foldRows bounds the last lines that an output can still change, and foldColumns the signs of one.
	foldRows    = 64
	foldColumns = 16 << 10
)

// folder turns the output of a program into the text that a terminal would show in the end: carriage returns, backspaces and
// movements of the cursor are carried out on the last lines, and all other control sequences are dropped. Only one goroutine
// at a time uses it.
type folder struct {
	out      func([]byte) // receives text that no longer changes
	rows     [][]rune
	row, col int
	part     []byte // an incomplete character or sequence
}

func newFolder(out func([]byte)) *folder { return &folder{out: out, rows: [][]rune{nil}} }

// Write never fails.
func (f *folder) Write(p []byte) (int, error) {
	n := len(p)
	if len(f.part) > 0 {
		p = append(f.part, p...)
		f.part = nil
	}
	p = p[f.pass(p):]
	for len(p) > 0 {
		p = p[f.words(p):]
		if len(p) == 0 {
			break
		}
		used := f.one(p)
		if used == 0 {
			f.part = append([]byte{}, p...)
			break
		}
		p = p[used:]
	}
	return n, nil
}

// pass passes on plain lines as they are, but for the last ones, and returns their length.
func (f *folder) pass(p []byte) int {
	if len(p) < 4096 || f.row != len(f.rows)-1 || f.col != len(f.rows[f.row]) {
		return 0
	}
	plain := p
	if i := bytes.IndexFunc(p, isControl); i >= 0 {
		plain = p[:i]
	}
	end := len(plain)
	for range foldRows + 1 {
		if end = bytes.LastIndexByte(plain[:end], '\n'); end < 0 {
			return 0
		}
	}
	f.commit(len(f.rows) - 1)
	f.out([]byte(string(f.rows[0])))
	f.rows[0], f.col = nil, 0
	f.out(plain[:end+1])
	return end + 1
}

// words appends the plain signs at the beginning of p to the last line, and returns how many.
func (f *folder) words(p []byte) int {
	line := f.rows[f.row]
	if f.row != len(f.rows)-1 || f.col != len(line) {
		return 0
	}
	n := 0
	for n < len(p) && f.col+n < foldColumns && p[n] >= ' ' && p[n] < 0x7f {
		line = append(line, rune(p[n]))
		n++
	}
	f.rows[f.row], f.col = line, f.col+n
	return n
}

func isControl(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f }

// one carries out the first sign or sequence of p and returns its length, 0 if it is incomplete.
func (f *folder) one(p []byte) int {
	switch c := p[0]; {
	case c == 0x1b:
		return f.escape(p)
	case c == '\n':
		f.row, f.col = f.row+1, 0
		if f.row == len(f.rows) {
			f.rows = append(f.rows, nil)
			f.commit(len(f.rows) - foldRows)
		}
	case c == '\r':
		f.col = 0
	case c == '\b':
		f.col = max(0, f.col-1)
	case c == 0:
		f.put('\u2400') // a separator, which would glue names together if it were dropped
	case isControl(rune(c)):
	case c < utf8.RuneSelf:
		f.put(rune(c))
	default:
		if !utf8.FullRune(p) {
			return 0
		}
		r, n := utf8.DecodeRune(p)
		f.put(r)
		return n
	}
	return 1
}

// put writes one sign at the cursor. A line that is too long is passed on in pieces.
func (f *folder) put(r rune) {
	line := f.rows[f.row]
	if f.col >= foldColumns {
		if f.row < len(f.rows)-1 {
			return
		}
		f.commit(len(f.rows) - 1)
		f.out([]byte(string(f.rows[0])))
		f.rows[0], f.col, line = nil, 0, nil
	}
	for len(line) < f.col {
		line = append(line, ' ')
	}
	if f.col < len(line) {
		line[f.col] = r
	} else {
		line = append(line, r)
	}
	f.rows[f.row] = line
	f.col++
}

// commit passes on the first n lines.
func (f *folder) commit(n int) {
	if n <= 0 {
		return
	}
	for _, line := range f.rows[:n] {
		f.out([]byte(string(line) + "\n"))
	}
	f.rows = append(f.rows[:0], f.rows[n:]...)
	f.row = max(0, f.row-n)
}

// maxSequence bounds a control sequence in bytes. A longer one is text.
const maxSequence = 4096

// escape carries out a control sequence.
func (f *folder) escape(p []byte) int {
	if len(p) == 1 {
		return 0
	}
	switch p[1] {
	case '[':
		for i := 2; i < len(p); i++ {
			if p[i] >= 0x40 && p[i] <= 0x7e {
				f.control(string(p[2:i]), p[i])
				return i + 1
			}
			if p[i] < 0x20 || p[i] > 0x7e || i > maxSequence {
				return i
			}
		}
		return 0
	case ']', 'P', 'X', '^', '_':
		for i := 2; i < len(p); i++ {
			if p[i] == 7 {
				return i + 1
			}
			if p[i] == 0x1b && i+1 < len(p) {
				if p[i+1] == '\\' {
					return i + 2
				}
				return i
			}
			if p[i] == '\n' || i > maxSequence {
				return i
			}
		}
		return 0
	case '(', ')', '*', '+', '#', ' ', '%':
		if len(p) < 3 {
			return 0
		}
		return 3
	}
	return 2
}

// control carries out the control sequence of a final byte.
func (f *folder) control(params string, final byte) {
	first, _, _ := strings.Cut(params, ";")
	given, err := strconv.Atoi(first)
	n := min(max(given, 1), foldColumns)
	line := f.rows[f.row]
	switch final {
	case 'A', 'F':
		f.row = max(0, f.row-n)
	case 'B', 'E':
		f.row = min(len(f.rows)-1, f.row+n)
	case 'C':
		f.col = min(f.col+n, foldColumns)
	case 'D':
		f.col = max(0, f.col-n)
	case 'G':
		f.col = n - 1
	case 'H', 'f':
		f.row, f.col = 0, 0
	case 'K':
		switch {
		case err != nil || given == 0:
			f.rows[f.row] = line[:min(f.col, len(line))]
		case given == 1:
			for i := range min(f.col+1, len(line)) {
				line[i] = ' '
			}
		default:
			f.rows[f.row] = line[:0]
		}
	case 'J':
		if err != nil || given == 0 {
			f.rows[f.row] = line[:min(f.col, len(line))]
			f.rows = f.rows[:f.row+1]
			return
		}
		f.rows, f.row = [][]rune{nil}, 0
	}
	if final == 'E' || final == 'F' {
		f.col = 0
	}
}

// flush passes on the last lines.
func (f *folder) flush() {
	f.part = nil
	last := len(f.rows) - 1
	f.commit(last)
	f.out([]byte(string(f.rows[0])))
	f.rows, f.row, f.col = [][]rune{nil}, 0, 0
}

// shownAs returns a whole text as a terminal would show it.
func shownAs(p []byte) string {
	var b bytes.Buffer
	f := newFolder(func(p []byte) { b.Write(p) })
	_, _ = f.Write(p)
	f.flush()
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}
