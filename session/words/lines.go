package words

import (
	"bufio"
	"context"
	"errors"
	"io"
)

// maxLine is the longest line that is passed on, in bytes; maxRead is how much of a file is read.
const (
	maxLine = 4 << 20
	maxRead = 256 << 20
)

// Lines passes the lines of a file to yield, each without its end and valid until yield returns, and returns how many bytes it read.
// It ends when yield returns false, with ctx, or after 256 MB. A line of more than 4 MB is left out, an incomplete last one is not.
func Lines(ctx context.Context, r io.Reader, yield func(line []byte) bool) (read int64, err error) {
	return lines(ctx, r, func([]byte) {}, func(line []byte, _ int64, _ bool) bool { return yield(line) }, func(int64) {})
}

// lines also passes on where a line ends, and whether it is a whole one; raw gets all that is read, before its line, and left the ends of
// lines that are left out.
func lines(ctx context.Context, r io.Reader, raw func([]byte), yield func(line []byte, end int64, whole bool) bool, left func(end int64)) (read int64, err error) {
	lines := bufio.NewReaderSize(r, 256<<10)
	var long []byte
	for looked := int64(0); ; {
		line, err := lines.ReadSlice('\n')
		read += int64(len(line))
		raw(line)
		if read-looked > 1<<20 {
			looked = read
			if err := ctx.Err(); err != nil {
				return read, err
			}
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			if len(long) <= maxLine {
				long = append(long, line...)
			}
			continue
		}
		if len(long) > 0 {
			line = append(long, line...)
			long = line[:0]
		}
		whole := len(line) > 0 && line[len(line)-1] == '\n'
		switch n := len(line); {
		case n > maxLine && whole:
			left(read)
		case n > 0 && n <= maxLine:
			if whole {
				line = line[:n-1]
			}
			if !yield(line, read, whole) {
				return read, nil
			}
		}
		switch {
		case errors.Is(err, io.EOF) || read > maxRead:
			return read, nil
		case err != nil:
			return read, err
		}
	}
}
