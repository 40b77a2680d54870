package headless

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"parley/internal/human"
)

// The most of piped input that becomes part of a prompt, in bytes: about what the window of a model holds.
const (
	headBytes = 384 << 10
	tailBytes = 128 << 10
)

// ReadContext reads piped input to its end, in bounded memory. Of input that does not fit it returns the beginning and the
// end, with a note between them for the model, and the number of bytes that were left out.
func ReadContext(r io.Reader) (text string, left int64, err error) {
	head, err := io.ReadAll(io.LimitReader(r, headBytes+tailBytes))
	if err != nil || len(head) < headBytes+tailBytes {
		return string(head), 0, err
	}
	tail := append(make([]byte, 0, 2*tailBytes), head[headBytes:]...)
	head = head[:headBytes]
	buf := make([]byte, 32<<10)
	for {
		n, err := r.Read(buf)
		tail = append(tail, buf[:n]...)
		if over := len(tail) - tailBytes; over > tailBytes/2 || over > 0 && err != nil {
			tail = append(tail[:0], tail[over:]...)
			left += int64(over)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", 0, err
		}
	}
	if left == 0 {
		return string(head) + string(tail), 0, nil
	}
	begin, end := whole(head), tail
	for len(end) > 0 && !utf8.RuneStart(end[0]) {
		end = end[1:]
	}
	left += int64(len(head) - len(begin) + len(tail) - len(end))
	note := fmt.Sprintf("\n\n[%s of the piped input were left out here: it is too long]\n\n", human.Size(left))
	return strings.Join([]string{string(begin), string(end)}, note), left, nil
}

// whole returns b without a character that is cut at its end.
func whole(b []byte) []byte {
	for cut := 1; cut <= utf8.UTFMax && cut <= len(b); cut++ {
		if r := b[len(b)-cut:]; utf8.RuneStart(r[0]) {
			if !utf8.FullRune(r) {
				return b[:len(b)-cut]
			}
			break
		}
	}
	return b
}
