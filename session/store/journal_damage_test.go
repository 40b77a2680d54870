package store

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parley/internal/repeat"
	"parley/session"
)

func TestTornLastLineAtEveryOffset(t *testing.T) {
	s := testStore(t)
	j := mustCreate(t, s, "s1")
	appendAll(t, j, conversation())
	j.Close()
	path := filepath.Join(s.dir, "s1"+journalSuffix)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	os.Remove(summaryPath(path))
	next := session.TurnStarted{Head: head(9), Prompt: session.Prompt{Text: "go on"}}
	stride := repeat.Times(23, 7, 1)
	for cut := range whole {
		if cut%stride != 0 && !bytes.Contains(whole[max(cut-1, 0):min(cut+2, len(whole))], []byte("\n")) {
			continue // every cut beside the end of a line, and some of the others
		}
		if err := os.WriteFile(path, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		lines := bytes.Count(whole[:cut], []byte("\n"))
		if bytes.HasSuffix(whole[:cut+1], []byte("\n")) {
			lines++ // only the line's end is missing: nothing is lost
		}
		want := max(lines-1, 0) // the first is the header
		j, meta, events, err := s.Open(context.Background(), "s1")
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		kept, notices := split(events)
		if diff := cmp.Diff(merged()[:want], kept); diff != "" {
			t.Fatalf("cut at %d: %s", cut, diff)
		}
		clean := whole[cut] == '\n' || (cut > 0 && whole[cut-1] == '\n')
		if clean != (notices == 0) {
			t.Fatalf("cut at %d: %d notices", cut, notices)
		}
		if meta.ID != "s1" {
			t.Fatalf("cut at %d: meta %+v", cut, meta)
		}
		// The next event begins a new line.
		appendAll(t, j, []session.Event{next})
		j.Close()
		_, events, _ = s.Read(context.Background(), "s1")
		kept, _ = split(events)
		if diff := cmp.Diff(append(merged()[:want:want], next), kept); diff != "" {
			t.Fatalf("cut at %d, appended: %s", cut, diff)
		}
		os.Remove(summaryPath(path))
	}
}

func split(events []session.Event) (kept []session.Event, notices int) {
	kept = []session.Event{}
	for _, e := range events {
		if _, ok := e.(session.Notice); ok {
			notices++
		} else {
			kept = append(kept, e)
		}
	}
	return kept, notices
}

func TestDamageIsSkippedAndReported(t *testing.T) {
	line := func(e session.Event) string {
		b, err := session.EncodeEvent(e)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	good := merged()
	headerLine, _ := encodeHeader(session.Meta{ID: "s1", Dir: "/src"})
	tests := map[string]struct {
		lines []string
		keeps int
		tells string
	}{
		"corrupt middle": {[]string{string(headerLine), line(good[0]), "{]", "\x00\x00", line(good[1])}, 2, "2 lines"},
		"no header":      {[]string{line(good[0]), line(good[1])}, 2, "beginning"},
		"broken header":  {[]string{`{"v":1,"me`, line(good[0])}, 1, "beginning"},
		"newer":          {[]string{`{"v":2,"meta":{"id":"s1"}}`, line(good[0])}, 1, "version 2"},
		"empty":          {nil, 0, "beginning"},
		"unknown":        {[]string{string(headerLine), `{"type":"fromTheFuture","data":{}}`, line(good[0])}, 1, "1 event"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var text strings.Builder
			for _, l := range test.lines {
				text.WriteString(strings.TrimSuffix(l, "\n") + "\n")
			}
			read := parse(t, "s1", []byte(text.String()))
			kept, _ := split(read.events)
			if len(kept) != test.keeps {
				t.Errorf("kept %d events, want %d", len(kept), test.keeps)
			}
			last, ok := read.events[len(read.events)-1].(session.Notice)
			if !ok || !strings.Contains(last.Text, test.tells) {
				t.Errorf("last event %#v does not tell %q", read.events[len(read.events)-1], test.tells)
			}
			if read.summary.Meta.ID != "s1" {
				t.Errorf("meta %+v", read.summary.Meta)
			}
		})
	}
}

// fullDisk fails after a number of bytes, in the middle of a write if need be.
type fullDisk struct {
	*os.File
	free *int
}

func (f fullDisk) Write(p []byte) (int, error) {
	if len(p) <= *f.free {
		*f.free -= len(p)
		return f.File.Write(p)
	}
	n, _ := f.File.Write(p[:*f.free])
	*f.free = 0
	return n, &fs.PathError{Op: "write", Path: f.Name(), Err: syscall.ENOSPC}
}

func TestFullDiskLosesNothing(t *testing.T) {
	ctx := context.Background()
	for room := 1; room < 2000; room += repeat.Times(239, 113, 37) {
		root := t.TempDir()
		free := 1 << 20
		s := New(Options{Dir: filepath.Join(root, "s"), LockDir: filepath.Join(root, "l"),
			OpenFile: func(name string, flag int, perm fs.FileMode) (File, error) {
				f, err := os.OpenFile(name, flag, perm)
				return fullDisk{f, &free}, err
			}})
		j := mustCreate(t, s, "s1")
		free = room
		failed := 0
		for _, e := range conversation() {
			if err := j.Append(e); err != nil {
				failed++
				if session.KindOf(err) != session.KindDisk || !errors.Is(err, syscall.ENOSPC) {
					t.Fatalf("not a disk error: %v", err)
				}
				if n := strings.Count(err.Error(), "s1"+journalSuffix); n != 1 {
					t.Fatalf("names the path %d times: %v", n, err)
				}
			}
		}
		if room < 500 && failed == 0 {
			t.Fatal("the disk never was full")
		}
		free = 1 << 20
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		_, events, err := s.Read(ctx, "s1")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(merged(), events); diff != "" {
			t.Fatalf("room for %d bytes: %s", room, diff)
		}
	}
}

func FuzzParse(f *testing.F) {
	headerLine, _ := encodeHeader(session.Meta{ID: "x", Title: "t"})
	whole := append([]byte{}, headerLine...)
	for _, e := range merged() {
		line, err := session.EncodeEvent(e)
		if err != nil {
			f.Fatal(err)
		}
		whole = append(append(whole, line...), '\n')
	}
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte("\n\n{}\n[]\nnull\n"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		read := parse(t, "x", data)
		if read.summary.Meta.ID != "x" {
			t.Fatal("the id changed")
		}
		if read.whole > len(data) || read.torn && read.unended {
			t.Fatalf("%+v", read)
		}
		// What is kept reads the same again, without a torn end.
		again := parse(t, "x", data[:read.whole])
		if again.torn {
			t.Fatal("torn again")
		}
		a, _ := split(read.events)
		b, _ := split(again.events)
		if diff := cmp.Diff(a, b); diff != "" {
			t.Fatal(diff)
		}
	})
}
