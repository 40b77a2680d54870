package sources

import (
	"bytes"
	"errors"
	"io"
	"os"

	"parley/internal/safefs"
)

// Ends are how much of a file its description is looked for in, in bytes: at its beginning, at first and at most, and at its end.
type Ends struct{ First, Most, End int64 }

// Read returns the beginning of a file, which may end within a line, and the whole lines at the end of a longer one, with that line if they
// reach it. enough reports whether the first beginning suffices; if not, more is read.
func (e Ends) Read(path string, enough func(head []byte) bool) (head, tail []byte, err error) {
	f, info, err := safefs.OpenFile(path, safefs.NoLinks)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	for _, n := range []int64{e.First, e.Most} {
		if head, err = section(f, 0, min(n, info.Size())); err != nil || n >= info.Size() {
			return head, nil, err
		}
		if enough(head) {
			break
		}
	}
	from := int64(bytes.LastIndexByte(head, '\n') + 1)
	if end := info.Size() - e.End; end > from {
		tail, err = section(f, end, info.Size())
		_, tail, _ = bytes.Cut(tail, []byte("\n"))
		return head, tail, err
	}
	tail, err = section(f, from, info.Size())
	return head, tail, err
}

// section returns the bytes of a file between two places.
func section(f *os.File, from, to int64) ([]byte, error) {
	b := make([]byte, to-from)
	n, err := f.ReadAt(b, from)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return b[:n], err
}
