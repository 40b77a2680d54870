//go:build unix

package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"parley/internal/repeat"
)

// TestKillAtEnter kills parley at the very moment at which the draft of a prompt goes: the prompt is in the journal by
// then, and the next process shows it.
func TestKillAtEnter(t *testing.T) {
	t.Parallel()
	killAtEnter(t, newWorldApart(t).signIn(slowly), func() {})
}

// killAtEnter sends prompts, and each time calls killMore and kills parley.
func killAtEnter(t *testing.T, w *world, killMore func()) {
	t.Helper()
	data := filepath.Join(w.home, ".local", "share", "parley")
	for i := range repeat.Times(2, 3, 20) {
		words := fmt.Sprintf("prompt number %d of them", i)
		tm := w.start(80, 24)
		tm.shows("asks before it acts")
		tm.send(words)
		tm.comes("draft on disk", func() bool { return holds(filepath.Join(data, "composer"), words) })
		tm.send("\r")
		tm.spin("end of the draft", func() bool { return !holds(filepath.Join(data, "composer"), words) })
		killMore()
		if err := tm.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if code := tm.exit(); code != -int(syscall.SIGKILL) {
			t.Fatalf("exit %d", code)
		}
		left, screen := filesIn(data), tm.screen()
		t.Cleanup(func() {
			if t.Failed() {
				t.Logf("killed after %q, with this on the screen:\n%s\nand these files:\n%s\nNow there are:\n%s", words, screen, left, filesIn(data))
			}
		})
		// A file that is being replaced may be missing from a listing, so the draft may still be there.
		if !holds(filepath.Join(data, "sessions"), words) && !holds(filepath.Join(data, "composer"), words) {
			t.Fatalf("%q was in its draft and is nowhere any more", words)
		}
		if i == 0 {
			w.start(80, 24, "-c").shows(words)
		}
	}
}

// filesIn returns the files below a directory with their sizes, and the text of all but the database.
func filesIn(dir string) string {
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s: %d bytes, %v\n", path, len(data), err)
		if !strings.Contains(path, ".db") {
			fmt.Fprintf(&b, "%.4000q\n", data)
		}
		return nil
	})
	fmt.Fprintln(&b, err)
	return b.String()
}

// TestTwoWindowsHaveTheirOwnDrafts writes in two windows on one directory, and finds both texts again, one after the other.
func TestTwoWindowsHaveTheirOwnDrafts(t *testing.T) {
	t.Parallel()
	w := newWorldApart(t).signIn(slowly)
	composer := filepath.Join(w.home, ".local", "share", "parley", "composer")
	write := func(words string) *terminal {
		tm := w.start(80, 24)
		if s := tm.shows("asks before it acts"); strings.Contains(s, "> of the") {
			t.Errorf("a new window shows the words of another:\n%s", s)
		}
		tm.send(words)
		tm.comes("draft on disk", func() bool { return holds(composer, words) })
		return tm
	}
	first, second := write("of the first"), write("of the second")
	if err := first.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	first.exit()
	w.start(80, 24).shows("> of the first")
	if err := second.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	second.exit()
	w.start(80, 24).shows("> of the second")
}

// comes looks every few milliseconds until ok, for what is not on the screen and stays.
func (tm *terminal) comes(what string, ok func() bool) {
	tm.t.Helper()
	tm.spin(what, func() bool {
		if ok() {
			return true
		}
		time.Sleep(5 * time.Millisecond)
		return false
	})
}

// spin looks as fast as it can until ok, for what is not on the screen.
func (tm *terminal) spin(what string, ok func() bool) {
	tm.t.Helper()
	for deadline := time.Now().Add(patience); !ok(); {
		if time.Now().After(deadline) {
			tm.t.Fatalf("no %s:\n%s", what, tm.screen())
		}
	}
}
