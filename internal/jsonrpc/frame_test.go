package jsonrpc

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestReadFrame(t *testing.T) {
	tests := map[string]struct {
		in, want string
		err      error
	}{
		"plain":          {"Content-Length: 2\r\n\r\n{}", "{}", nil},
		"two headers":    {"Content-Type: x; charset=utf-8\r\ncontent-length:2\r\n\r\n{}", "{}", nil},
		"line feeds":     {"Content-Length: 2\n\n{}", "{}", nil},
		"empty":          {"Content-Length: 0\r\n\r\n", "", nil},
		"end":            {"", "", io.EOF},
		"end in header":  {"Content-Le", "", io.ErrUnexpectedEOF},
		"end in headers": {"Content-Length: 2\r\n", "", io.ErrUnexpectedEOF},
		"end in content": {"Content-Length: 3\r\n\r\n{}", "", io.ErrUnexpectedEOF},
		"no length":      {"Content-Type: x\r\n\r\n{}", "", ErrMalformed},
		"no header":      {"panic\r\n\r\n", "", ErrMalformed},
		"negative":       {"Content-Length: -2\r\n\r\n{}", "", ErrMalformed},
		"not a number":   {"Content-Length: 0x2\r\n\r\n{}", "", ErrMalformed},
		"too long":       {"Content-Length: 99999999999999999999\r\n\r\n{}", "", ErrMalformed},
		"too large":      {"Content-Length: 1025\r\n\r\n{}", "", ErrTooLarge},
		"endless line":   {strings.Repeat("a", 10000), "", ErrMalformed},
		"endless header": {strings.Repeat("a: b\r\n", 5000), "", ErrMalformed},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := readFrame(bufio.NewReader(strings.NewReader(test.in)), 1024)
			if !errors.Is(err, test.err) || err == nil && string(got) != test.want {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

// FuzzReadFrame reads whatever a program writes: frames of ours come back, and nothing exceeds the bound.
func FuzzReadFrame(f *testing.F) {
	f.Add([]byte("Content-Length: 2\r\n\r\n{}"), []byte("{}"))
	f.Add([]byte("Content-Length: 9\r\n\r\n{}"), []byte(nil))
	f.Add([]byte("\r\n\r\n"), []byte("\r\n"))
	f.Fuzz(func(t *testing.T, raw, content []byte) {
		const most = 64
		r := bufio.NewReader(bytes.NewReader(raw))
		for {
			got, err := readFrame(r, most)
			if err != nil {
				break
			}
			if len(got) > most {
				t.Fatalf("%d bytes", len(got))
			}
		}
		if len(content) > most {
			content = content[:most]
		}
		r = bufio.NewReader(bytes.NewReader(append(frame(content), raw...)))
		if got, err := readFrame(r, most); err != nil || !bytes.Equal(got, content) {
			t.Fatalf("%q, %v", got, err)
		}
	})
}
