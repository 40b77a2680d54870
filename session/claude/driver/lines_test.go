package driver

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func split(t *testing.T, r io.Reader, longest int) (lines []string, skipped []int, err error) {
	t.Helper()
	err = readLines(r, longest, func(line []byte) { lines = append(lines, string(line)) },
		func(size int) { skipped = append(skipped, size) })
	return lines, skipped, err
}

func TestReadLines(t *testing.T) {
	long := `{"a":"` + strings.Repeat("x", 300<<10) + `"}`
	tests := map[string]struct {
		in   string
		want []string
	}{
		"plain":                  {"{}\n{\"a\":1}\n", []string{"{}", `{"a":1}`}},
		"blank lines":            {"\n\n{}\r\n  \n{}", []string{"{}", "{}"}},
		"half a line at the end": {"{}\n{\"a\":", []string{"{}"}},
		"longer than a buffer":   {"{}\n" + long + "\n{}\n", []string{"{}", long, "{}"}},
		"nothing":                {"", nil},
	}
	for name, test := range tests {
		for way, r := range map[string]io.Reader{"at once": strings.NewReader(test.in), "in halves": iotest.HalfReader(strings.NewReader(test.in))} {
			got, _, err := split(t, r, maxLine)
			if err != nil || !slices.Equal(got, test.want) {
				t.Errorf("%s, %s: %d lines, %v", name, way, len(got), err)
			}
		}
	}
}

func TestReadLinesSkipsWhatIsTooLong(t *testing.T) {
	long := strings.Repeat("x", 200<<10)
	got, skipped, err := split(t, strings.NewReader("{}\n"+long+"\n{\"b\":2}\n"+long), 100<<10)
	if err != nil || !slices.Equal(got, []string{"{}", `{"b":2}`}) || !slices.Equal(skipped, []int{len(long) + 1, len(long)}) {
		t.Errorf("%q %v %v", got, skipped, err)
	}
	broken := errors.New("broken")
	if _, _, err := split(t, iotest.ErrReader(broken), 10); !errors.Is(err, broken) {
		t.Error(err)
	}
}

// A line of many megabytes passes whole.
func TestReadLinesTwelveMegabytes(t *testing.T) {
	const size = 12 << 20
	var n int
	err := readLines(io.MultiReader(strings.NewReader(`{"type":"user","text":"`), io.LimitReader(endless{}, size), strings.NewReader("\"}\n{}\n")),
		maxLine, func(line []byte) { n = max(n, len(line)) }, func(int) { t.Error("skipped") })
	if err != nil || n != size+len(`{"type":"user","text":""}`) {
		t.Error(n, err)
	}
}

type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'x'
	}
	return len(b), nil
}

func FuzzReadLines(f *testing.F) {
	f.Add([]byte("{}\n\n{\"a\":\"b\\n\"}\r\n{"), 10)
	f.Add([]byte("xxxxxxxxxxxxxxxxxxxx\n{}\n"), 5)
	f.Fuzz(func(t *testing.T, in []byte, longest int) {
		longest = max(1, longest)
		var got, want [][]byte
		if err := readLines(iotest.OneByteReader(bytes.NewReader(in)), longest, func(l []byte) { got = append(got, bytes.Clone(l)) }, func(int) {}); err != nil {
			t.Fatal(err)
		}
		rest := in
		for len(rest) > 0 {
			line, after, ended := bytes.Cut(rest, []byte("\n"))
			size := len(line)
			if ended {
				size++
			}
			line, rest = bytes.TrimSpace(line), after
			if size <= longest && len(line) > 0 && (ended || json.Valid(line)) {
				want = append(want, line)
			}
		}
		if !slices.EqualFunc(got, want, bytes.Equal) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func TestTypeOf(t *testing.T) {
	tests := map[string]string{
		`{"type":"user"}`: "user",
		` { "duration_api_ms" : 1.5e3 , "usage":{"type":"no","x":[{"type":"no"}]}, "a":"}\"type\":", "b":null,"type" : "result"}`: "result",
		`{"a":"\\","type":"x"}`:   "x",
		`{"a":"\\\"","type":"x"}`: "x",
		`{"type":1}`:              "",
		`{"type":"x`:              "",
		`{"a":[}`:                 "",
		`{}`:                      "",
		`[{"type":"x"}]`:          "",
		`warning: no json`:        "",
		``:                        "",
	}
	for line, want := range tests {
		if got := typeOf([]byte(line)); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

func FuzzTypeOf(f *testing.F) {
	f.Add(`{"a":{"type":"no"},"b":[1,"]"],"type":"yes"}`)
	f.Add(`{"a":"\\\"","type":"x"}`)
	f.Add(`{"a":1.0e9 ,"b":true}`)
	f.Fuzz(func(t *testing.T, line string) {
		got := typeOf([]byte(line))
		if !json.Valid([]byte(line)) || strings.Contains(line, `\`) {
			return // it only must not fail
		}
		// The first of several keys counts here, the last for the decoder.
		dec := json.NewDecoder(strings.NewReader(line))
		if open, err := dec.Token(); err != nil || open != json.Delim('{') {
			if got != "" {
				t.Errorf("%q of a value that is not an object", got)
			}
			return
		}
		want := ""
		for dec.More() {
			key, err := dec.Token()
			if err != nil {
				t.Fatal(err)
			}
			var value any
			if err := dec.Decode(&value); err != nil {
				t.Fatal(err)
			}
			if key == "type" {
				want, _ = value.(string)
				break
			}
		}
		valid := func(s string) string { return strings.ReplaceAll(strings.ToValidUTF8(s, ""), "\ufffd", "") } // invalid bytes may go or be replaced
		if valid(got) != valid(want) {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

func BenchmarkTypeOf(b *testing.B) {
	lines := map[string]string{
		"delta":  `{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hello"}}}`,
		"result": `{"duration_api_ms":1,"result":"` + strings.Repeat("word ", 20000) + `","type":"result"}`,
	}
	for name, line := range lines {
		b.Run(name, func(b *testing.B) {
			in := []byte(line)
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				typeOf(in)
			}
		})
	}
}
