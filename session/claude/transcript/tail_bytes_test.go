package transcript

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

// counted counts what is read.
type counted struct {
	io.ReaderAt
	bytes int
}

// ReadAt counts.
func (c *counted) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, off)
	c.bytes += n
	return n, err
}

// TestTailReadsOnlyTheEnd reads only the given bytes at any length of the transcript.
func TestTailReadsOnlyTheEnd(t *testing.T) {
	var b strings.Builder
	parent := "null"
	for i := range 20_000 {
		fmt.Fprintf(&b, `{"type":"user","uuid":"u%d","parentUuid":%s,"message":{"role":"user","content":"%s"}}`+"\n", i, parent, strings.Repeat("word ", 40))
		parent = fmt.Sprintf(`"u%d"`, i)
	}
	for _, n := range []int64{1000, 256 << 10, 1 << 20} {
		r := &counted{ReaderAt: strings.NewReader(b.String())}
		entries, err := tailOf(t.Context(), "x", r, int64(b.Len()), n)
		if err != nil || len(entries) == 0 || int64(r.bytes) > n+1 {
			t.Errorf("of the last %d bytes: %d read, %d entries, %v", n, r.bytes, len(entries), err)
		}
		if last := entries[len(entries)-1].UUID; last != "u19999" {
			t.Errorf("the last is %s", last)
		}
	}
}
