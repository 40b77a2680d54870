package words

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"parley/session"
)

// read returns the lines behind a place, and the place where they end.
func read(t *testing.T, file, after string) (all []string, place string, err error) {
	t.Helper()
	r, err := Resume(t.Context(), strings.NewReader(file), after)
	if err != nil {
		return nil, "", err
	}
	if _, err := r.Lines(t.Context(), func(line []byte) bool {
		all = append(all, string(line))
		return true
	}); err != nil {
		t.Fatal(err)
	}
	return all, r.Place(), nil
}

// FuzzReading reads a file of which a part was there before: no line is lost or doubled, save one that was incomplete.
func FuzzReading(f *testing.F) {
	f.Add("one\ntwo\nthree", 5)
	f.Add("\n\n", 1)
	f.Add(strings.Repeat("x", 3000)+"\n"+strings.Repeat("y", 6000)+"\nz\n", 3100)
	f.Add("", 0)
	f.Add("a\n", 2)
	f.Fuzz(func(t *testing.T, file string, cut int) {
		if cut < 0 || cut > len(file) {
			return
		}
		want, end, _ := read(t, file, "")
		first, place, _ := read(t, file[:cut], "")
		rest, last, err := read(t, file, place)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(first); n > 0 && file[:cut][cut-1] != '\n' {
			first = first[:n-1] // it is read again as a whole
		}
		if got := append(first, rest...); !slices.Equal(got, want) || last != end {
			t.Errorf("%q, want %q; place %s, want %s", got, want, last, end)
		}
	})
}

// FuzzAnotherFile goes on in another file exactly where that begins with all that was read.
func FuzzAnotherFile(f *testing.F) {
	f.Add("one\ntwo\n", "one\ntwo\nthree\n")
	f.Add("one\ntwo\n", "one\ntwi\nthree\n")
	f.Add("one\ntwo", "one\n")
	f.Add("one\n", "on")
	f.Add("a\n", "a\n\x00\n")
	f.Fuzz(func(t *testing.T, file, other string) {
		_, place, _ := read(t, file, "")
		_, _, err := read(t, other, place)
		if same := strings.HasPrefix(other, file); same != (err == nil) {
			t.Errorf("%q after %q: %v", other, file, err)
		}
	})
}

// A file that is not the one that was read, that was changed anywhere in it, or that lost its end, is not read on.
func TestReadingAnotherFile(t *testing.T) {
	file := strings.Repeat("a line of a file\n", 100_000)
	_, place, _ := read(t, file, "")
	at := func(n int) string { return fmt.Sprintf(`{"at":%d,"end":%d,"sum":"x"}`, n, n) }
	changed := func(at int) string {
		b := []byte(file)
		b[at] ^= 1
		return string(b) + "more\n"
	}
	for name, c := range map[string]struct{ file, after string }{
		"shorter": {file[:len(file)-17], place}, "empty": {"", place}, "another beginning": {changed(3), place}, "another end": {changed(len(file) - 100), place},
		"another middle": {changed(len(file) / 2), place}, "two lines exchanged": {"x\ny\n" + file, placeOf(t, "y\nx\n"+file)},
		"no place": {file, "x"}, "a negative place": {file, at(-1)}, "the beginning": {file, at(0)}, "a huge place": {file, at(math.MaxInt64)}, "another sum": {file, at(17)},
		"an end before the place": {file, `{"at":17,"end":9,"sum":"x"}`}, "a place of before": {file, `{"at":17,"sum":"3w5e11264sgsf"}`},
	} {
		if _, _, err := read(t, c.file, c.after); session.KindOf(err) != session.KindInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	if all, last, err := read(t, file+"more\n", place); err != nil || len(all) != 1 || last != placeOf(t, file+"more\n") {
		t.Errorf("%q, %v", all, err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := Resume(ended, strings.NewReader(file), place); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	broken := errors.New("broken")
	if _, err := Resume(t.Context(), readerAt(func([]byte, int64) (int, error) { return 0, broken }), place); !errors.Is(err, broken) {
		t.Errorf("a disk that fails: %v", err)
	}
}

type readerAt func([]byte, int64) (int, error)

func (r readerAt) ReadAt(b []byte, at int64) (int, error) { return r(b, at) }

func placeOf(t *testing.T, file string) string {
	t.Helper()
	_, place, _ := read(t, file, "")
	return place
}

// BenchmarkResume measures how fast a file is checked up to the place where it goes on.
func BenchmarkResume(b *testing.B) {
	file := strings.NewReader(strings.Repeat(strings.Repeat("x", 699)+"\n", 1<<16))
	r, err := Resume(b.Context(), file, "")
	if err != nil {
		b.Fatal(err)
	}
	if _, err := r.Lines(b.Context(), func([]byte) bool { return true }); err != nil {
		b.Fatal(err)
	}
	place := r.Place()
	b.SetBytes(file.Size())
	for b.Loop() {
		if _, err := Resume(b.Context(), file, place); err != nil {
			b.Fatal(err)
		}
	}
}

// A line that is too long is left out once, and one that is held is read again with the state of its time.
func TestPlacesOfLines(t *testing.T) {
	long := strings.Repeat("x", maxLine+1) + "\n"
	_, place, _ := read(t, "a\n"+long, "")
	if all, _, err := read(t, "a\n"+long+"b\n", place); err != nil || !slices.Equal(all, []string{"b"}) {
		t.Errorf("%d lines, %v", len(all), err)
	}
	file := bytes.NewReader([]byte("one\ntwo\nthree\n"))
	r, _ := Resume(t.Context(), file, "")
	_, err := r.Lines(t.Context(), func(line []byte) bool {
		if r.State = string(line); r.State == "two" {
			r.Hold()
		}
		return true
	})
	held, errHeld := Resume(t.Context(), file, r.Place())
	r.Release()
	after, errAfter := Resume(t.Context(), file, r.Place())
	if err != nil || errHeld != nil || errAfter != nil || held.State != "two" || held.at != 4 || after.State != "three" || after.at != 14 {
		t.Errorf("held %+v, after %+v; %v, %v, %v", held, after, err, errHeld, errAfter)
	}
}
