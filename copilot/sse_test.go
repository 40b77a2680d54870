package copilot

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// readAllEvents reads a source to its end.
func readAllEvents(src io.Reader, buffer int) (events [][2]string, err error) {
	r := newSSEReader(src)
	r.buf = make([]byte, buffer)
	r.limit = 1 << 20
	for {
		event, data, err := r.next()
		if err != nil {
			return events, err
		}
		events = append(events, [2]string{string(event), string(data)})
	}
}

func TestSSE(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     [][2]string
	}{
		{"empty", "", nil},
		{"plain", "event: a\ndata: b\n\n", [][2]string{{"a", "b"}}},
		{"crlf", "event: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n", [][2]string{{"a", "b"}, {"", "c"}}},
		{"no space", "event:a\ndata:b\n\n", [][2]string{{"a", "b"}}},
		{"only one space goes", "data:  b \n\n", [][2]string{{"", " b "}}},
		{"lines", "data: a\ndata:\ndata: c\n\n", [][2]string{{"", "a\n\nc"}}},
		{"no value", "data\n\n", [][2]string{{"", ""}}},
		{"comments", ":x\n\n: y\ndata: a\n:z\n\n", [][2]string{{"", "a"}}},
		{"other fields", "id: 1\nretry: 2\nfoo: 3\ndatax: 4\n data: 5\ndata: a\n\n", [][2]string{{"", "a"}}},
		{"event without data", "event: a\n\ndata: b\n\n", [][2]string{{"", "b"}}},
		{"last event wins", "event: a\nevent: b\ndata: c\n\n", [][2]string{{"b", "c"}}},
		{"blank lines", "\n\n\ndata: a\n\n\n\n\ndata: b\n\n", [][2]string{{"", "a"}, {"", "b"}}},
		{"no end", "data: a\n\ndata: b", [][2]string{{"", "a"}, {"", "b"}}},
		{"no blank line at the end", "data: b\n", [][2]string{{"", "b"}}},
		{"byte order mark", "\xef\xbb\xbfdata: a\n\n", [][2]string{{"", "a"}}},
		{"carriage return inside", "data: a\rb\n\n", [][2]string{{"", "a\rb"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, buffer := range []int{1, 2, 7, 4096} {
				for _, src := range []io.Reader{strings.NewReader(tt.in), iotest.OneByteReader(strings.NewReader(tt.in)),
					iotest.DataErrReader(strings.NewReader(tt.in)), iotest.HalfReader(strings.NewReader(tt.in))} {
					got, err := readAllEvents(src, buffer)
					if err != io.EOF {
						t.Fatal(err)
					}
					if diff := cmp.Diff(tt.want, got); diff != "" {
						t.Errorf("buffer of %d: %s", buffer, diff)
					}
				}
			}
		})
	}
}

// An event is ready when it can be had without reading on.
func TestSSEReady(t *testing.T) {
	for _, tt := range []struct {
		rest string
		want bool
	}{
		{"", false}, {"event: b\n", false}, {"data: b\n", false}, {"data: b", false}, {"event: b\ndata: c\n\n", true},
		{"data: b\r\n\r\n", true}, {"data: b\r\n\r", false}, {": comment\n\n", false}, {": comment\n\ndata: b\n\n", true},
		{"event: b\n\n", false}, {"data: b\ndata: c\n", false}, {"data: b\ndata: c\n\ndata", true},
	} {
		in := "data: a\n\n" + tt.rest
		r := newSSEReader(strings.NewReader(in))
		if _, _, err := r.next(); err != nil {
			t.Fatal(err)
		}
		if got := r.ready(); got != tt.want {
			t.Errorf("%q: %v", tt.rest, got)
		}
	}
}

func TestSSELongEvents(t *testing.T) {
	long := strings.Repeat("x", 300_000)
	got, err := readAllEvents(strings.NewReader("data: "+long+"\n\ndata: a\ndata: "+long+"\n\n"), 16)
	if err != io.EOF || len(got) != 2 || got[0][1] != long || got[1][1] != "a\n"+long {
		t.Errorf("got %d events, %v", len(got), err)
	}
	for name, in := range map[string]string{
		"one line": "data: " + strings.Repeat("x", 2<<20), "many lines": strings.Repeat("data: x\n", 1<<18),
	} {
		if _, err := readAllEvents(strings.NewReader(in), 16); !errors.Is(err, errFrameTooLong) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestSSESourceFails(t *testing.T) {
	down := errors.New("down")
	got, err := readAllEvents(io.MultiReader(strings.NewReader("data: a\n\ndata: b\n"), iotest.ErrReader(down)), 64)
	if !errors.Is(err, down) || len(got) != 2 {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := readAllEvents(readNothing{}, 64); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("a source that gives nothing: %v", err)
	}
}

type readNothing struct{}

func (readNothing) Read([]byte) (int, error) { return 0, nil }

// The events must be the same wherever the source splits its bytes and however large the buffer is, and must agree with
// a plain reading of the whole.
func FuzzSSESplits(f *testing.F) {
	for _, s := range []string{
		frameStart + delta("a") + frameStop, "data: a\r\n\r\n:c\n\ndata:b\ndata: c", "event: a\n\n\ndata\n\n", "\xef\xbb\xbfdata:x\n\n",
		"\r\n\r\n\r", "data: \r\r\n\n", "event:x\r\ndata:1\n\r\ndata:2\n\n",
	} {
		f.Add([]byte(s), uint16(3), uint8(1))
	}
	f.Fuzz(func(t *testing.T, in []byte, at uint16, buffer uint8) {
		if len(in) > 1<<16 {
			return
		}
		want := plainSSE(in)
		cut := int(at) % (len(in) + 1)
		for name, src := range map[string]io.Reader{
			"whole": bytes.NewReader(in), "bytes": iotest.OneByteReader(bytes.NewReader(in)),
			"split": io.MultiReader(bytes.NewReader(in[:cut]), bytes.NewReader(in[cut:])),
		} {
			got, err := readAllEvents(src, int(buffer)+1)
			if err != io.EOF {
				t.Fatalf("%s: %v", name, err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
	})
}

// plainSSE reads events from a whole text in the most obvious way.
func plainSSE(in []byte) [][2]string {
	var out [][2]string
	event, data := "", []string(nil)
	end := func() {
		if data != nil {
			out = append(out, [2]string{event, strings.Join(data, "\n")})
		}
		event, data = "", nil
	}
	for i, line := range strings.Split(string(in), "\n") {
		line = strings.TrimSuffix(line, "\r")
		if i == 0 {
			line = strings.TrimPrefix(line, "\xef\xbb\xbf")
		}
		if line == "" {
			end()
			continue
		}
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "data":
			data = append(data, value)
		case "event":
			event = value
		}
	}
	end()
	return out
}
