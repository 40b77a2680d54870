package driver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"parley/internal/jsonedit"
)

const (
	// maxLine bounds a line in bytes: twice as much as the service takes in one request, with all its images and files.
	maxLine = 64 << 20
	// firstLong is the first size of the memory for a line longer than the buffer, in bytes.
	firstLong = 256 << 10
)

// readLines calls each with every line that is not blank, without its end. The slice is valid during the call only. A line
// longer than longest is left out, and skipped is called with its length. A last line without an end is passed on only if
// it is complete JSON: the writer may have died.
func readLines(r io.Reader, longest int, each func(line []byte), skipped func(size int)) error {
	br := bufio.NewReaderSize(r, 64<<10)
	var long []byte // the beginning of a line longer than the buffer
	size := 0       // of the line so far, also of one that is left out
	for {
		part, err := br.ReadSlice('\n')
		size += len(part)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			if size <= longest {
				long = append(roomier(long, len(part), longest), part...)
			} else {
				long = nil // what was read of it is not needed
			}
			continue
		case size > longest:
			skipped(size)
		case len(long) > 0:
			long = append(roomier(long, len(part), longest), part...)
			part = long
			fallthrough
		default:
			if line := bytes.TrimSpace(part); len(line) > 0 && (err == nil || json.Valid(line)) {
				each(line)
			}
		}
		size = 0
		if cap(long) > 1<<20 {
			long = nil // releases the memory of a large line
		}
		long = long[:0]
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// roomier returns line with room for n more bytes. Its memory grows fourfold up to longest, so that at most a third of a line is
// copied.
func roomier(line []byte, n, longest int) []byte {
	if cap(line)-len(line) >= n {
		return line
	}
	size := min(max(4*cap(line), firstLong), longest)
	return append(make([]byte, 0, max(size, len(line)+n)), line...)
}

// lineTypes are the frequent types of lines, which typeOf returns without an allocation.
var lineTypes = []string{"stream_event", "assistant", "system", "user"}

// typeOf returns the string under the first key "type" of a JSON object, "" if there is none. It reads no further: the
// native runtime prints the key late in some messages, after nested objects that have the key too.
func typeOf(line []byte) string {
	s := jsonedit.Scan(line)
	for more := s.TopObject(); more; more = s.NextMember() {
		isType, kind := s.Is(s.Key(), "type"), s.Kind()
		value := s.Value()
		if !isType {
			continue
		}
		if kind != '"' || s.Err() != nil {
			return ""
		}
		for _, t := range lineTypes {
			if s.Is(value, t) {
				return t
			}
		}
		return s.String(value)
	}
	return ""
}
