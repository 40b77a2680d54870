package mapper

import (
	"slices"
	"testing"
	"time"
)

// early returns an empty store, and the texts that it maps.
func early() (*earlyLines, *[]string) {
	var mapped []string
	return newEarlyLines(func(l line, _ time.Time) { mapped = append(mapped, l.ParentID+":"+string(l.Message)) }), &mapped
}

func TestEarlyLinesAreReleasedInOrder(t *testing.T) {
	e, mapped := early()
	for _, l := range []line{{ParentID: "b", Message: []byte("1")}, {ParentID: "a", Message: []byte("2")}, {ParentID: "b", Message: []byte("3")}} {
		if !e.hold(l, l.Message) {
			t.Error("no room")
		}
		l.Message[0] = '-' // the line's buffer is used again
	}
	e.release("b", testTime)
	e.release("b", testTime)
	e.release("unknown", testTime)
	if want := []string{"b:1", "b:3"}; !slices.Equal(*mapped, want) {
		t.Errorf("released %q, want %q", *mapped, want)
	}
	e.flush(testTime)
	if want := []string{"b:1", "b:3", "a:2"}; !slices.Equal(*mapped, want) {
		t.Errorf("flushed %q, want %q", *mapped, want)
	}
}

func TestEarlyLinesAreBounded(t *testing.T) {
	for name, c := range map[string]struct {
		call func(i int) string
		size int
		room int
	}{
		"lines of a call": {func(int) string { return "a" }, 1, maxEarlyLines},
		"bytes of a call": {func(int) string { return "a" }, maxEarlyBytes / 4, 4},
		"calls":           {func(i int) string { return string(rune('a' + i)) }, 1, maxEarlyLines},
	} {
		t.Run(name, func(t *testing.T) {
			e, _ := early()
			held := 0
			for i := range maxEarlyLines + 10 {
				if e.hold(line{ParentID: c.call(i)}, make([]byte, c.size)) {
					held++
				}
			}
			if held != c.room {
				t.Errorf("%d lines held, want %d", held, c.room)
			}
		})
	}
}
