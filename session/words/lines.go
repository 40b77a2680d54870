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
	lines := bufio.NewReaderSize(r, 256<<10)
	var long []byte
	for looked := int64(0); ; {
		line, err := lines.ReadSlice('\n')
		read += int64(len(line))
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
		if n := len(line); n > 0 && n <= maxLine {
			if line[n-1] == '\n' {
				line = line[:n-1]
			}
			if !yield(line) {
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
