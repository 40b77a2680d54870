package proxy

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// joinRig is an event writer whose window the test opens and ends.
type joinRig struct {
	*eventWriter
	out bytes.Buffer
	win handWindow
}

func newJoinRig(t testing.TB) *joinRig {
	r := &joinRig{}
	r.eventWriter = newEventWriter(t.Context(), &r.out, func() error { return nil })
	r.window = &r.win
	return r
}

// elapsed ends the window.
func (r *joinRig) elapsed() {
	r.win.end()
	r.eventWriter.elapsed()
}

// handWindow is a window that the test ends.
type handWindow struct {
	open  bool
	rings int
	waits int
}

func (w *handWindow) begin() { w.open = true }
func (w *handWindow) end()   { w.open = false }
func (w *handWindow) ring()  { w.rings++ }
func (w *handWindow) stop()  {}

func (w *handWindow) left() time.Duration {
	if w.open {
		return 1
	}
	return 0
}

func (w *handWindow) wait(context.Context, time.Duration) bool {
	w.waits++
	w.open = false
	return true
}

// took returns what was written since the last call.
func (r *joinRig) took() string {
	s := r.out.String()
	r.out.Reset()
	return s
}

func textDelta(index int, text string) []byte {
	return fmt.Appendf(nil, `{"type":"content_block_delta","index":%d,"delta":{"type":"text_delta","text":%s}}`, index, quote(text))
}

func quote(s string) []byte {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return b
}

func wire(event string, data []byte) string { return string(appendFrame(nil, event, data)) }

func TestDeltasOfAWindowBecomeOne(t *testing.T) {
	r := newJoinRig(t)
	send := func(event string, data []byte) {
		t.Helper()
		if err := r.frame(event, data, false); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(want ...string) {
		t.Helper()
		if d := cmp.Diff(strings.Join(want, ""), r.took()); d != "" {
			t.Error(d)
		}
	}
	start := []byte(`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`)
	stop := []byte(`{"type":"content_block_stop","index":0}`)

	send("content_block_start", start)
	expect(wire("content_block_start", start))
	send(deltaEvent, textDelta(0, ""))
	expect(wire(deltaEvent, textDelta(0, "")))
	send(deltaEvent, textDelta(0, "first"))
	expect(wire(deltaEvent, textDelta(0, "first"))) // the first letters never wait
	send(deltaEvent, textDelta(0, ` "two"`))
	send(deltaEvent, textDelta(0, "\n"))
	send(deltaEvent, textDelta(0, "three é"))
	expect() // within the window
	r.elapsed()
	expect(wire(deltaEvent, textDelta(0, " \"two\"\nthree é")))
	send(deltaEvent, textDelta(0, "four"))
	expect() // what was written at the window's end opened another one
	r.elapsed()
	expect(wire(deltaEvent, textDelta(0, "four")))
	r.elapsed()
	expect()
	send(deltaEvent, textDelta(0, "five"))
	expect(wire(deltaEvent, textDelta(0, "five"))) // after silence nothing waits
	send(deltaEvent, textDelta(0, "six"))
	send("content_block_stop", stop)
	expect(wire(deltaEvent, textDelta(0, "six")), wire("content_block_stop", stop)) // at once, in order

	send("content_block_start", start)
	send(deltaEvent, textDelta(1, "a"))
	expect(wire("content_block_start", start), wire(deltaEvent, textDelta(1, "a")))
	send(deltaEvent, textDelta(1, "b"))
	if err := r.last("error", []byte(`{"type":"error"}`)); err != nil {
		t.Fatal(err)
	}
	expect(wire(deltaEvent, textDelta(1, "b")), wire("error", []byte(`{"type":"error"}`)))
	if r.saved != 2 {
		t.Errorf("%d events were saved, want 2", r.saved)
	}
}

// Events of which another follows at once go out together with it, and with what was held.
func TestEventsThatAreThereGoTogether(t *testing.T) {
	r := newJoinRig(t)
	writes := 0
	r.eventWriter.flush = func() error { writes++; return nil }
	start, stop := []byte(`{"type":"content_block_start"}`), []byte(`{"type":"content_block_stop"}`)
	for _, f := range []struct {
		event string
		data  []byte
		more  bool
	}{
		{"content_block_start", start, true}, {deltaEvent, textDelta(0, "a"), true}, {deltaEvent, textDelta(0, "b"), true},
		{deltaEvent, textDelta(0, "c"), false},
	} {
		if err := r.frame(f.event, f.data, f.more); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := r.took(), wire("content_block_start", start)+wire(deltaEvent, textDelta(0, "a")); got != want || writes != 1 {
		t.Errorf("%q in %d writes", got, writes)
	}
	if err := r.frame("content_block_stop", stop, true); err != nil {
		t.Fatal(err)
	}
	r.elapsed() // whatever was expected did not come
	if got, want := r.took(), wire(deltaEvent, textDelta(0, "bc"))+wire("content_block_stop", stop); got != want || writes != 2 {
		t.Errorf("%q in %d writes", got, writes)
	}
}

// What is not plainly a piece of the same block is passed on as it came, after what was held.
func TestDeltasThatAreNotJoined(t *testing.T) {
	const before, after = `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"`, `"}}`
	for name, data := range map[string]string{
		"signature":      `{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"AbC+/="}}`,
		"citation":       `{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":{}}}`,
		"other kind":     `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"x"}}`,
		"other block":    `{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"x"}}`,
		"extra member":   before + `x"},"copilot_annotations":{}}`,
		"extra in delta": before + `x","more":1}}`,
		"smuggled":       before + `x","text":"y` + after,
		"twice":          `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x","text":"y"}}`,
		"no text":        `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta"}}`,
		"null":           `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":null}}`,
		"wrong member":   `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","thinking":"x"}}`,
		"odd":            `[1]`,
		"spaced":         `{"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "x"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			r := newJoinRig(t)
			var want strings.Builder
			for _, text := range []string{"a", "b", "c"} {
				if err := r.frame(deltaEvent, textDelta(0, text), false); err != nil {
					t.Fatal(err)
				}
			}
			want.WriteString(wire(deltaEvent, textDelta(0, "a")) + wire(deltaEvent, textDelta(0, "bc")) + wire(deltaEvent, []byte(data)))
			if err := r.frame(deltaEvent, []byte(data), false); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want.String(), r.took()); d != "" {
				t.Error(d)
			}
		})
	}
}

// Halves of a character that came apart stay apart: joined they would read differently.
func TestHalvesOfCharactersStayApart(t *testing.T) {
	raw := func(content string) []byte {
		return []byte(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"` + content + `"}}`)
	}
	for _, halves := range [][2]string{{`\ud83d`, `\ude00`}, {`\uD83D`, `\uDE00 x`}, {"\xf0\x9f", "\x98\x80"}} {
		r := newJoinRig(t)
		for _, content := range []string{"a", "b" + halves[0], halves[1]} {
			if err := r.frame(deltaEvent, raw(content), false); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.finish(); err != nil {
			t.Fatal(err)
		}
		want := wire(deltaEvent, raw("a")) + wire(deltaEvent, raw("b"+halves[0])) + wire(deltaEvent, raw(halves[1]))
		if d := cmp.Diff(want, r.took()); d != "" {
			t.Error(d)
		}
	}
}

// What is held is bounded, however fast the service is.
func TestHeldIsBounded(t *testing.T) {
	r := newJoinRig(t)
	text := strings.Repeat("x", 1000)
	for range 100 {
		if err := r.frame(deltaEvent, textDelta(0, text), false); err != nil {
			t.Fatal(err)
		}
		if len(r.joiner.held) > maxHeld+100 {
			t.Fatalf("%d bytes are held", len(r.joiner.held))
		}
	}
	if n := strings.Count(r.took(), text); n < 80 {
		t.Errorf("only %d of 100 deltas are out", n)
	}
}

// A write that fails at the end of a window is told with the next event.
func TestFailureAtTheEndOfAWindow(t *testing.T) {
	fail := false
	e := newEventWriter(t.Context(), io.Discard, func() error {
		if fail {
			return io.ErrClosedPipe
		}
		return nil
	})
	win := &handWindow{}
	e.window = win
	for range 2 {
		if err := e.frame(deltaEvent, textDelta(0, "x"), false); err != nil {
			t.Fatal(err)
		}
	}
	fail = true
	win.end()
	e.elapsed()
	fail = false
	if e.frame(deltaEvent, textDelta(0, "y"), false) == nil || e.last("error", nil) == nil || e.finish() == nil {
		t.Error("the failure was swallowed")
	}
}

// Deltas wait for a window of the program's own clock, and no longer.
func TestWindowOfTheClock(t *testing.T) {
	c := newClock(-1, time.Nanosecond)
	pr, pw := io.Pipe()
	e := newEventWriter(t.Context(), pw, func() error { return nil })
	stop := e.keepGoing(c)
	written := make(chan error, 1)
	go func() {
		for range 3 { // the goroutine's writes are read below, as the owner's are
			err := e.frame(deltaEvent, textDelta(0, "ö"), false)
			if err == nil {
				err = e.pause()
			}
			if err != nil {
				written <- err
				return
			}
		}
		written <- nil
	}()
	var got []byte
	buf := make([]byte, 4096)
	for bytes.Count(got, []byte("ö")) < 3 {
		n, err := pr.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, buf[:n]...)
	}
	if err := <-written; err != nil {
		t.Error(err)
	}
	stop()
	if c := newClock(-1, -1); c.window != nil {
		t.Error("a window although none is wanted")
	}
}
