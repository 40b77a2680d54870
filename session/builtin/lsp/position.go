package lsp

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// utf16At returns the offset in UTF-16 code units of a byte of a line.
func utf16At(line string, at int) uint32 {
	n := uint32(0)
	for _, r := range line[:min(at, len(line))] {
		n += unitsOf(r)
	}
	return n
}

// byteAt returns the byte of a line at an offset in UTF-16 code units: the end for one beyond it, and the beginning of a
// character for one within.
func byteAt(line string, units uint32) int {
	for i, r := range line {
		n := unitsOf(r)
		if units < n {
			return i
		}
		units -= n
	}
	return len(line)
}

func unitsOf(r rune) uint32 {
	if r > 0xFFFF {
		return 2
	}
	return 1
}

// columnAt returns the column, in characters from 1, of an offset in UTF-16 code units.
func columnAt(line string, units uint32) int {
	return utf8.RuneCountInString(line[:byteAt(line, units)]) + 1
}

// linesOf returns the lines of a file without their ends.
func linesOf(content []byte) []string {
	lines := strings.Split(string(content), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSuffix(l, "\r")
	}
	return lines
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// occurrences returns the bytes of a line where a name stands as a whole word or, if it does nowhere, as a part of one.
func occurrences(line, name string) []int {
	var whole, parts []int
	for from := 0; name != ""; {
		i := strings.Index(line[from:], name)
		if i < 0 {
			break
		}
		at := from + i
		before, _ := utf8.DecodeLastRuneInString(line[:at])
		after, _ := utf8.DecodeRuneInString(line[at+len(name):])
		first, _ := utf8.DecodeRuneInString(name)
		last, _ := utf8.DecodeLastRuneInString(name)
		if at > 0 && isWord(before) && isWord(first) || at+len(name) < len(line) && isWord(after) && isWord(last) {
			parts = append(parts, at)
		} else {
			whole = append(whole, at)
		}
		from = at + len(name)
	}
	if len(whole) == 0 {
		return parts
	}
	return whole
}

// nearestTo returns the occurrence that is nearest to a column in characters from 1; the first for none.
func nearestTo(line string, at []int, column int) int {
	if column <= 0 {
		return at[0]
	}
	distance := func(b int) int {
		d := utf8.RuneCountInString(line[:b]) + 1 - column
		return max(d, -d)
	}
	return slices.MinFunc(at, func(a, b int) int { return cmp.Compare(distance(a), distance(b)) })
}

var (
	errOutside = errors.New("a change lies outside of the file")
	errOverlap = errors.New("changes overlap")
)

// applyEdits returns the content with edits made. They may have any order, and must lie within the file and apart.
func applyEdits(content []byte, edits []textEdit) ([]byte, error) {
	starts := []int{0}
	for i, b := range content {
		if b == '\n' {
			starts = append(starts, i+1)
		}
	}
	offset := func(p position) (int, error) {
		if uint64(p.Line) >= uint64(len(starts)) {
			return 0, errOutside
		}
		from, to := starts[p.Line], len(content)
		if int(p.Line)+1 < len(starts) {
			to = starts[p.Line+1] - 1
		}
		return from + byteAt(string(content[from:to]), p.Character), nil
	}
	type piece struct {
		from, to int
		text     string
	}
	pieces := make([]piece, 0, len(edits))
	for _, e := range edits {
		from, err := offset(e.Range.Start)
		if err != nil {
			return nil, err
		}
		to, err := offset(e.Range.End)
		if err != nil {
			return nil, err
		}
		if to < from {
			return nil, errOutside
		}
		pieces = append(pieces, piece{from, to, e.NewText})
	}
	slices.SortStableFunc(pieces, func(a, b piece) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	var out bytes.Buffer
	end := 0
	for _, p := range pieces {
		if p.from < end {
			return nil, errOverlap
		}
		out.Write(content[end:p.from])
		out.WriteString(p.text)
		end = p.to
	}
	out.Write(content[end:])
	return out.Bytes(), nil
}
