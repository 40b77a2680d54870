package store

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parley/session"
)

// A long journal is decoded by all processors at once. It reads as it does line by line, damage included.
func TestLongJournalIsReadAsShortOnes(t *testing.T) {
	var data bytes.Buffer
	data.Write(headerOf(t))
	for i := 0; data.Len() < 2*manyBytes; i++ {
		switch {
		case i%97 == 13:
			data.WriteString("{broken\n")
		case i%89 == 5:
			data.WriteString("\n")
		case i%83 == 7:
			data.WriteString(`{"type":"from_tomorrow"}` + "\n")
		default:
			line, err := session.EncodeEvent(session.Notice{Text: fmt.Sprintf("number %d", i)})
			if err != nil {
				t.Fatal(err)
			}
			data.Write(append(line, '\n'))
		}
	}
	data.WriteString(`{"type":"notice","te`)
	long := decodeLines(data.Bytes())
	for i, line := range bytes.Split(data.Bytes(), []byte{'\n'}) {
		gotEvent, gotKind := long(i, line)
		event, kind := decodeLine(new(session.Decoder), line)
		if gotKind != kind || !cmp.Equal(gotEvent, event) {
			t.Fatalf("line %d, %q: %v %v, want %v %v", i, line, gotEvent, gotKind, event, kind)
		}
	}
	read := parse("x", data.Bytes())
	if !read.torn || read.whole != bytes.LastIndexByte(data.Bytes(), '\n')+1 {
		t.Errorf("torn %t, whole %d of %d", read.torn, read.whole, data.Len())
	}
}

func headerOf(t testing.TB) []byte {
	line, err := encodeHeader(session.Meta{ID: "x", Agent: "builtin", Dir: "/src"})
	if err != nil {
		t.Fatal(err)
	}
	return line
}

func BenchmarkParse(b *testing.B) {
	var data bytes.Buffer
	data.Write(headerOf(b))
	for i := range 30000 {
		line, err := session.EncodeEvent(session.PartDelta{Head: session.Head{Session: "s", Turn: "t"}, Part: "p", Text: fmt.Sprintf("Some words, %d. ", i)})
		if err != nil {
			b.Fatal(err)
		}
		data.Write(append(line, '\n'))
	}
	b.SetBytes(int64(data.Len()))
	for b.Loop() {
		parse("x", data.Bytes())
	}
}
