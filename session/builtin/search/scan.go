package search

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"parley/internal/safefs"
	"parley/session/builtin/tool"
)

const (
	windowBytes = 1 << 20 // of a file that are searched at once, if its lines are not longer
	// maxBytes bounds a line, and a file that has to be in memory as a whole.
	maxBytes = 64 << 20
	// binaryBytes is the beginning of a file in which a zero byte makes it binary.
	binaryBytes = 64 << 10
)

// hits are the matches in one file.
type hits struct {
	name string
	rows []string // of content mode
	n    int      // matches, or matching lines
}

// scanner searches files, one after the other. One goroutine uses it.
type scanner struct {
	*finder
	in   *grepInput
	need int // rows of a file that are wanted
	late func() bool
	buf  []byte

	// The file that is searched.
	hits
	binary bool // the call names the file, so that it is searched although it is binary
	text   []byte
	first  int // the number of the line at counted
	// counted is where lines were counted, shown what is shown or passed, both in text.
	counted, shown int
	some           bool // a line was shown
	after          int  // lines to show after the last match
}

var errTooLong = errors.New("the file, or a line of it, is too long to search")

// file searches a file. It returns false if the file cannot be searched, or not whole.
func (s *scanner) file(in *safefs.Descent, name, path string, named bool, memory *safefs.Scratch) (h hits, err error) {
	f, info, err := in.File(name, memory)
	if err != nil {
		return hits{}, nil // gone, or not permitted
	}
	defer f.Close()
	s.hits, s.first, s.counted, s.shown, s.after = hits{name: path}, 1, 0, 0, 0
	s.binary, s.some = false, false
	if err := s.read(f, info.Size, named); err != nil {
		return hits{}, err
	}
	return s.hits, nil
}

// read searches what a reader has. size is a guess.
func (s *scanner) read(f io.Reader, size int64, named bool) error {
	if room := int(min(size, windowBytes)) + 512; cap(s.buf) < room {
		s.buf = make([]byte, max(room, binaryBytes))
	}
	buf := s.buf[:cap(s.buf)]
	have, offset, whole := 0, 0, s.whole // bytes in buf, where buf is in the file
	from := 0                            // what is before it was searched
	for !s.late() {
		n, ended, err := fill(f, buf[have:], offset+have, size)
		if err != nil {
			return nil // what was found stands
		}
		if offset == 0 && have == 0 {
			if whole = whole || utf16Order(buf[:n]) != nil; !whole && bytes.HasPrefix(buf[:n], utf8Mark) {
				from = len(utf8Mark)
				s.counted, s.shown = from, from
			}
		}
		have += n
		if cut := s.binaryFrom(buf[:have], have-n, offset, named || whole); cut < have {
			have, ended = cut, true
		}
		end := lastLine(buf[:have])
		switch {
		case ended && whole:
			return s.wholeText(decode(buf[:have]), named)
		case ended:
			return s.lines(buf[:have], min(from, have))
		case whole || end <= from:
			if have < len(buf) {
				continue
			}
			if len(buf) >= maxBytes {
				return errTooLong
			}
			buf = append(buf, make([]byte, len(buf))...)
			buf = buf[:cap(buf)]
			continue
		}
		if err := s.lines(buf[:end], from); err != nil || s.done() {
			return err
		}
		// The next window begins with the lines that may be shown before a match.
		low := s.back(end, s.in.Before)
		s.number(low)
		s.counted, s.shown = 0, s.shown-low
		copy(buf, buf[low:have])
		from, have, offset = end-low, have-low, offset+low
	}
	return nil
}

// binaryFrom returns the length of the text in a window, of which the bytes from fresh on are new: all of it, or less if a zero
// byte shows that the file is binary. As in ripgrep, text counts up to the piece with the zero byte. In a file that the call
// names, zero bytes count as ends of lines.
func (s *scanner) binaryFrom(window []byte, fresh, offset int, named bool) int {
	at := bytes.IndexByte(window[fresh:], 0)
	if at < 0 || s.utf16(window, offset) {
		return len(window)
	}
	if named && !s.whole {
		s.binary = true
		for i := fresh + at; i < len(window); i++ {
			if window[i] == 0 {
				window[i] = '\n'
			}
		}
		return len(window)
	}
	at += offset + fresh
	return max(at-at%binaryBytes-offset, 0)
}

// utf16 reports whether the window is the beginning of a text in UTF-16, in which zero bytes are usual.
func (s *scanner) utf16(window []byte, offset int) bool {
	return offset == 0 && utf16Order(window) != nil
}

// fill reads until the buffer is full or the file ends. at is where the buffer is in the file.
func fill(f io.Reader, buf []byte, at int, size int64) (n int, ended bool, err error) {
	for n < len(buf) {
		m, err := f.Read(buf[n:])
		n += m
		switch {
		case err == io.EOF:
			return n, true, nil
		case err != nil:
			return n, false, err
		case size > 0 && int64(at+n) == size:
			return n, true, nil // spares a read that returns nothing
		}
	}
	return n, false, nil
}

// lastLine returns the length of the whole lines in text.
func lastLine(text []byte) int { return bytes.LastIndexByte(text, '\n') + 1 }

// done reports whether nothing more of the file is wanted.
func (s *scanner) done() bool {
	switch s.in.Mode {
	case "content":
		return len(s.rows) >= s.need || s.binary && s.n > 0
	case "count":
		return false
	}
	return s.n > 0
}

// lines searches text from a position, where a line begins. What is before it was searched already.
func (s *scanner) lines(text []byte, from int) error {
	s.text = text
	s.finder.begin()
	for !s.done() {
		start, end, after, ok := s.finder.line(text, from)
		if !ok {
			break
		}
		s.n++
		from = after
		if s.in.Mode == "content" {
			s.match(start, end, after)
		}
	}
	if s.in.Mode == "content" && !s.done() {
		s.showAfter(len(text))
	}
	return nil
}

// match shows a line with what is before it.
func (s *scanner) match(start, end, after int) {
	if s.binary {
		s.rows = append(s.rows, s.name+": binary file matches")
		return
	}
	s.showAfter(start)
	low := max(s.back(start, s.in.Before), s.shown)
	if low > s.shown {
		s.gap()
	}
	for low < start {
		low = s.show(low, '-')
	}
	s.row(s.text[start:end], start, ':')
	s.shown, s.after = after, s.in.After
}

// showAfter shows the lines that follow the last match, up to a position.
func (s *scanner) showAfter(to int) {
	for s.after > 0 && s.shown < to && len(s.rows) < s.need {
		s.shown = s.show(s.shown, '-')
		s.after--
	}
}

// gap puts a line between groups of lines that are not neighbours.
func (s *scanner) gap() {
	if s.some && s.in.Before+s.in.After > 0 {
		s.rows = append(s.rows, separator)
	}
}

// separator stands between groups of lines that are not neighbours.
const separator = "--"

// show shows the line at a position and returns where the next begins.
func (s *scanner) show(at int, sep byte) int {
	end, next := len(s.text), len(s.text)
	if i := bytes.IndexByte(s.text[at:], '\n'); i >= 0 {
		end, next = at+i, at+i+1
	}
	if end > at && s.text[end-1] == '\r' {
		end--
	}
	s.row(s.text[at:end], at, sep)
	return next
}

func (s *scanner) row(line []byte, at int, sep byte) {
	s.some = true
	if s.in.Number == nil || *s.in.Number {
		s.rows = append(s.rows, fmt.Sprintf("%s%c%d%c%s", s.name, sep, s.number(at), sep, tool.CutLine(line)))
		return
	}
	s.rows = append(s.rows, fmt.Sprintf("%s%c%s", s.name, sep, tool.CutLine(line)))
}

// number returns the number of the line at a position.
func (s *scanner) number(at int) int {
	if at > s.counted {
		s.first += bytes.Count(s.text[s.counted:at], newline)
	} else {
		s.first -= bytes.Count(s.text[at:s.counted], newline)
	}
	s.counted = at
	return s.first
}

var newline = []byte{'\n'}

// back returns where the line begins that is some lines before a position, which is the beginning of a line.
func (s *scanner) back(at, lines int) int {
	for ; lines > 0 && at > 0; lines-- {
		at = bytes.LastIndexByte(s.text[:at-1], '\n') + 1
	}
	return at
}

// wholeText searches a file that is in memory.
func (s *scanner) wholeText(text []byte, named bool) error {
	if at := bytes.IndexByte(text, 0); at >= 0 && !named {
		text = text[:at-at%binaryBytes]
	}
	if !s.whole {
		return s.lines(text, 0)
	}
	if !strings.Contains(s.in.Pattern, `\r`) && bytes.Contains(text, []byte("\r\n")) { // $ matches before them too
		text = bytes.ReplaceAll(text, []byte("\r\n"), newline)
	}
	s.text = text
	s.finder.begin()
	if s.finder.need == nil || s.finder.candidate(text, 0) < len(text) {
		s.spans(text)
	}
	return nil
}

// maxSpans bounds the matches of a file that are counted.
const maxSpans = 1_000_000

// spans searches for matches that may span lines, and shows all lines of each.
func (s *scanner) spans(text []byte) {
	most := 1
	switch s.in.Mode {
	case "content":
		most = s.need
	case "count":
		most = maxSpans
	}
	for _, m := range s.re.FindAllIndex(text, most) {
		from, to := m[0], m[1]
		if from == len(text) && (from == 0 || text[from-1] == '\n') {
			break // behind the last line
		}
		s.n++
		if s.in.Mode == "content" && !s.done() {
			s.span(from, max(from, to-1))
		}
	}
	if s.in.Mode == "content" && !s.done() {
		s.showAfter(len(text))
	}
}

// span shows the lines with the bytes from one to another.
func (s *scanner) span(from, to int) {
	start := max(bytes.LastIndexByte(s.text[:from], '\n')+1, s.shown)
	if to < s.shown { // on a line that is shown already
		return
	}
	s.showAfter(start)
	low := max(s.back(start, s.in.Before), s.shown)
	if low > s.shown {
		s.gap()
	}
	for low < start {
		low = s.show(low, '-')
	}
	for low <= to && low < len(s.text) && len(s.rows) < s.need {
		low = s.show(low, ':')
	}
	s.shown, s.after = low, s.in.After
}
