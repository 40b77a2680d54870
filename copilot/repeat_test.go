package copilot

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// wireDelta is a delta as the service sends it, with letters as they stand in JSON.
func wireDelta(letters string) string {
	return "event: content_block_delta\ndata: " +
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"` + letters + `"}}` + "\n\n"
}

// framesOf reads a stream to its end, and asks before each frame whether it is ready if told so.
func framesOf(t testing.TB, c *Client, src io.Reader, ready bool, before func(*Stream)) (frames [][2]string, skipped int, err error) {
	ctx, cancel := cancelled()
	x := &exchange{ctx: ctx, cancel: cancel, detach: func() bool { return true }}
	x.resp = answerOf(io.NopCloser(src))
	s := c.newStream(x, apiMessages)
	defer s.Close()
	for {
		before(s)
		waiting := ready && s.Ready()
		f, err := s.Next()
		if err != nil {
			if waiting && s.end == nil {
				t.Error("Next failed although a frame was ready")
			}
			return frames, s.Skipped(), err
		}
		frames = append(frames, [2]string{f.Event, string(f.Data)})
	}
}

// A delta that looks like the one before is taken without being read, and comes out as if it had been.
func FuzzRepeat(f *testing.F) {
	const typeLast = "event: content_block_delta\ndata: {\"delta\":{\"text\":\"a\"},\"type\":\"content_block_delta\"}\n\n"
	for _, s := range []string{
		wireDelta("a") + wireDelta("b") + wireDelta(`\"`) + wireDelta(`\u00e4\n`) + wireDelta("") + frameStop,
		wireDelta("a") + wireDelta(`\`) + wireDelta(`\x`) + wireDelta("\n") + wireDelta("\x00") + wireDelta(`"`) + wireDelta("c"),
		wireDelta("a") + wireDelta(`"},"x":{"y":"`) + wireDelta(`","text":"`) + wireDelta("b"),
		wireDelta("a") + strings.Replace(wireDelta("b"), `"index":0`, `"index":1`, 1) + wireDelta("c"),
		typeLast + strings.Replace(typeLast, `"type":"content_block_delta"`, `"type":"error"`, 1),
		typeLast + strings.Replace(typeLast, `"a"`, `"b"`, 1) + ": ping\n\n" + typeLast,
		strings.ReplaceAll(wireDelta("a")+wireDelta("b"), "\n", "\r\n") + wireDelta("c") + wireDelta("d"),
		strings.TrimSuffix(wireDelta("a")+wireDelta("b")+wireDelta("c"), "\n"),
		"data: " + wireDelta("a")[strings.Index(wireDelta("a"), "{"):] + wireDelta("b") + "event: ping\ndata: {}\n\n" + wireDelta("c"),
		"event: content_block_delta\ndata: {\"delta\":\ndata: {\"text\":\"a\"}}\n\n" + wireDelta("b"),
	} {
		f.Add(s, uint8(0))
		f.Add(s, uint8(3))
	}
	c := newFake(f).client(f)
	f.Fuzz(func(t *testing.T, wire string, way uint8) {
		src := func() io.Reader {
			switch r := strings.NewReader(wire); way % 4 {
			case 1:
				return iotest.OneByteReader(r)
			case 2:
				return iotest.HalfReader(r)
			default:
				return r
			}
		}
		want, wantSkipped, wantErr := framesOf(t, c, src(), false, func(s *Stream) { s.sse.last.forget() })
		got, skipped, err := framesOf(t, c, src(), way >= 4, func(*Stream) {})
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
		if skipped != wantSkipped || err.Error() != wantErr.Error() {
			t.Errorf("skipped %d, ended with %v; want %d, %v", skipped, err, wantSkipped, wantErr)
		}
	})
}

// Most deltas of an answer are taken that way.
func TestDeltasAreRepeated(t *testing.T) {
	c := newFake(t).client(t)
	wire := strings.Repeat(wireDelta("some letters"), 100) + frameStop
	read := 0
	frames, _, err := framesOf(t, c, strings.NewReader(wire), false, func(s *Stream) {
		if !s.sse.foresee() {
			read++
		}
		s.sse.again.length = 0
	})
	if len(frames) != 101 || !errors.Is(err, io.EOF) {
		t.Fatal(len(frames), err)
	}
	if read > 5 {
		t.Errorf("%d of 100 deltas were read", read)
	}
}
