package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"parley/session"
)

// A long journal is decoded by all processors at once. It reads as it does line by line, damage included.
func TestLongJournalIsReadAsShortOnes(t *testing.T) {
	var data bytes.Buffer
	data.Write(headerOf(t))
	for i := 0; data.Len() < manyBytes*5/4; i++ {
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
	var want []session.Event
	for _, line := range bytes.Split(data.Bytes(), []byte{'\n'}) {
		if event, kind := decodeLine(new(session.Decoder), line); kind == lineEvent {
			want = append(want, event)
		}
	}
	first := parse(t, "x", data.Bytes())
	for _, room := range []int{1, 100, 5000, manyBytes, firstChunk} {
		for name, r := range map[string]io.Reader{"whole": bytes.NewReader(data.Bytes()), "in halves": iotest.HalfReader(bytes.NewReader(data.Bytes()))} {
			read, err := parseChunks("x", &chunks{r: r, room: room})
			if err != nil || !read.torn || read.size != data.Len() || read.whole != bytes.LastIndexByte(data.Bytes(), '\n')+1 {
				t.Errorf("%s, %d at once: torn %t, whole %d of %d, %v", name, room, read.torn, read.whole, data.Len(), err)
			}
			if got := read.events[:min(len(want), len(read.events))]; !reflect.DeepEqual(got, want) || !reflect.DeepEqual(read.events, first.events) {
				t.Errorf("%s, %d at once: %d events, want %d", name, room, len(read.events), len(want))
			}
		}
	}
}

// Fragments of one text become one event, regardless of chunk boundaries and others between them, but not of other events.
func TestFragmentsAreReadAsOne(t *testing.T) {
	var data bytes.Buffer
	data.Write(headerOf(t))
	var want []session.Event
	for _, part := range []session.PartID{"a", "b", "a", "", "a"} {
		head := session.Head{Session: "x", Turn: "t", Gen: 1}
		if part == "" {
			line, err := session.EncodeEvent(session.PartEnded{Head: head, Part: "b"})
			if err != nil {
				t.Fatal(err)
			}
			data.Write(append(line, '\n'))
			want = append(want, session.PartEnded{Head: head, Part: "b"})
			continue
		}
		whole := ""
		for i := range 300 {
			text := fmt.Sprintf("%d ", i)
			whole += text
			line, err := session.EncodeEvent(session.PartDelta{Head: head, Part: part, Text: text})
			if err != nil {
				t.Fatal(err)
			}
			data.Write(append(line, '\n'))
		}
		if len(want) == 2 { // the first one goes on
			a := want[0].(session.PartDelta)
			a.Text += whole
			want[0] = a
			continue
		}
		want = append(want, session.PartDelta{Head: head, Part: part, Text: whole})
	}
	for _, room := range []int{64, 3000, firstChunk} {
		read, err := parseChunks("x", &chunks{r: bytes.NewReader(data.Bytes()), room: room})
		if diff := cmp.Diff(want, read.events); err != nil || diff != "" {
			t.Errorf("%d at once: %v\n%s", room, err, diff)
		}
	}
}

// A disk that fails in the middle is an error, not the end.
func TestReadingThatFails(t *testing.T) {
	broken := errors.New("broken disk")
	r := io.MultiReader(bytes.NewReader(headerOf(t)), iotest.ErrReader(broken))
	if _, err := parseFrom("x", r); !errors.Is(err, broken) {
		t.Error(err)
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
		parse(b, "x", data.Bytes())
	}
}

// parse parses a journal that is in memory.
func parse(t testing.TB, id session.ID, data []byte) parsed {
	t.Helper()
	p, err := parseFrom(id, bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return p
}
