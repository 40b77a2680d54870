package jsonrpc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
)

// allocated returns how many bytes a function allocates, freed ones included.
func allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// A frame costs little more memory than what of it arrives.
func TestFramesCostLittleMemory(t *testing.T) {
	for name, test := range map[string]struct{ claimed, sent, most int64 }{
		"small":         {100, 100, 8 << 10},
		"image":         {12 << 20, 12 << 20, 18 << 20},
		"history":       {60 << 20, 60 << 20, 68 << 20},
		"only a claim":  {255 << 20, 1 << 10, 128 << 10},
		"ends too soon": {255 << 20, 1 << 20, 6 << 20},
	} {
		in := bufio.NewReaderSize(io.MultiReader(strings.NewReader(fmt.Sprintf("Content-Length: %d\r\n\r\n", test.claimed)),
			bytes.NewReader(bytes.Repeat([]byte("x"), int(test.sent)))), 64<<10)
		var content []byte
		var err error
		got := allocated(func() { content, err = readFrame(in, 256<<20) })
		if got > test.most {
			t.Errorf("%s: %d bytes were allocated for %d", name, got, test.sent)
		}
		whole := test.sent == test.claimed
		if whole && (err != nil || int64(len(content)) != test.claimed) || !whole && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: %d bytes, %v", name, len(content), err)
		}
	}
}
