package words

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"parley/session"
)

// read returns the lines behind a place, and the place where they end.
func read(t *testing.T, file, after string) (all []string, place string, err error) {
	t.Helper()
	r, err := Resume(strings.NewReader(file), after)
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

// A file that is not the one that was read, or that lost its end, is not read on.
func TestReadingAnotherFile(t *testing.T) {
	file := strings.Repeat("a line of a file\n", 1000)
	_, place, _ := read(t, file, "")
	changed := func(at int) string {
		b := []byte(file)
		b[at] ^= 1
		return string(b) + "more\n"
	}
	for name, c := range map[string]struct{ file, after string }{
		"shorter": {file[:len(file)-17], place}, "empty": {"", place}, "another beginning": {changed(3), place}, "another end": {changed(len(file) - 100), place},
		"no place": {file, "x"}, "a negative place": {file, `{"at":-1}`}, "a huge place": {file, `{"at":9223372036854775807}`}, "another sum": {file, `{"at":17,"sum":"x"}`},
	} {
		if _, _, err := read(t, c.file, c.after); session.KindOf(err) != session.KindInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	if all, _, err := read(t, file+"more\n", place); err != nil || len(all) != 1 {
		t.Errorf("%q, %v", all, err)
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
	r, _ := Resume(file, "")
	_, err := r.Lines(t.Context(), func(line []byte) bool {
		if r.State = string(line); r.State == "two" {
			r.Hold()
		}
		return true
	})
	held, errHeld := Resume(file, r.Place())
	r.Release()
	after, errAfter := Resume(file, r.Place())
	if err != nil || errHeld != nil || errAfter != nil || held.State != "two" || held.at != 4 || after.State != "three" || after.at != 14 {
		t.Errorf("held %+v, after %+v; %v, %v, %v", held, after, err, errHeld, errAfter)
	}
}
