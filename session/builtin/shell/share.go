package shell

import (
	"bytes"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"parley/internal/human"
)

// liveShare is the part of an output that is shown live.
type liveShare struct {
	pending []byte
	room    int  // bytes that may still be shown
	slow    bool // the newest output is shown from time to time when there is no room
	left    int  // bytes left out since the last piece
}

func (s *liveShare) add(p []byte) {
	if room := s.room - len(s.pending); room > 0 && s.left == 0 {
		n := min(room, len(p))
		s.pending, p = append(s.pending, p[:n]...), p[n:]
	}
	if s.slow && len(p) > 0 {
		s.pending = append(s.pending, p...)
		if over := len(s.pending) - max(s.room, slowBytes); over > 0 {
			s.pending, s.left = append([]byte{}, s.pending[over:]...), s.left+over
		}
	}
}

// some reports whether something is to be shown.
func (s *liveShare) some() bool { return len(s.pending) > 0 }

// every returns the interval until the next piece.
func (s *liveShare) every() time.Duration {
	if s.room <= 0 {
		return slowEvery
	}
	return liveEvery
}

// take returns the next piece, unless all without an incomplete last character.
func (s *liveShare) take(all bool) string {
	n := len(s.pending)
	if !all {
		n = wholeRunes(s.pending)
	}
	text := strings.ToValidUTF8(string(s.pending[:n]), "\uFFFD")
	s.pending = append([]byte{}, s.pending[n:]...)
	s.room = max(0, s.room-n)
	if s.left > 0 && text != "" {
		text = "\n(" + human.Count(s.left, "byte", "bytes") + " left out)\n" + text
		s.left = 0
	}
	return text
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

// folded is the text of an output, of which beginning and end are held.
type folded struct {
	folder     *folder
	head, tail []byte
	size       int
	lines      int
	last       byte
}

func (t *folded) add(p []byte) {
	if len(p) == 0 {
		return
	}
	t.size += len(p)
	t.lines += bytes.Count(p, []byte("\n"))
	t.last = p[len(p)-1]
	if room := captureHead - len(t.head); room > 0 {
		n := min(room, len(p))
		t.head, p = append(t.head, p[:n]...), p[n:]
	}
	t.tail = append(t.tail, p[max(0, len(p)-captureTail):]...)
	if len(t.tail) > 2*captureTail {
		t.tail = append([]byte{}, t.tail[len(t.tail)-captureTail:]...)
	}
}

// end returns the text, its number of lines, and whether its middle is left out.
func (t *folded) end() (text string, lines int, cut bool) {
	t.folder.flush()
	lines = t.lines
	if t.size > 0 && t.last != '\n' {
		lines++
	}
	if left := t.size - captureHead - captureTail; left > 0 {
		tail := t.tail[len(t.tail)-captureTail:]
		return valid(t.head) + "\n(" + human.Count(left, "byte", "bytes") + " left out)\n" + valid(tail), lines, true
	}
	return valid(append(append([]byte{}, t.head...), t.tail...)), lines, false
}

// store is the file with an output.
type store struct {
	file   *os.File
	most   int // bound in bytes
	kept   int
	broken bool // it could not be written
}

// write writes to the file until it is full.
func (s *store) write(p []byte) {
	if s.file == nil || s.broken {
		return
	}
	n, err := s.file.Write(p[:min(len(p), s.most-s.kept)])
	s.kept += n
	s.broken = err != nil
}

// close returns the path and the length of the file, "" for none. A file that is incomplete or not needed is removed.
func (s *store) close(needed bool) (string, int) {
	if s.file == nil {
		return "", 0
	}
	if err := s.file.Close(); err != nil || s.broken || !needed {
		_ = os.Remove(s.file.Name())
		return "", 0
	}
	return s.file.Name(), s.kept
}
