//go:build unix

package cli

import (
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// TestPlaceOfAKilledWindow kills parley while the user reads above the end: it opens there again, also at another width, and at the end once
// the user has quit.
func TestPlaceOfAKilledWindow(t *testing.T) {
	t.Parallel()
	w := newWorldApart(t).signIn("")
	id := w.longJournal(60)
	tm := w.start(100, 24, "-r", id)
	tm.shows("the very last words")
	tm.send("\x1b[5~\x1b[5~\x1b[5~\x1b[5~\x1b[5~\x1b[5~")
	tm.shows("question 4")
	composer := filepath.Join(w.home, ".local", "share", "parley", "composer")
	tm.comes("place on disk", func() bool { return holds(composer, "place:"+id) })
	read := tm.screen()
	if err := tm.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if code := tm.exit(); code != -int(syscall.SIGKILL) {
		t.Fatalf("exit %d", code)
	}
	tm = w.start(100, 24, "-r", id)
	tm.shows("question 4")
	tm.until("the same rows", func(screen string) bool { return screen == read })
	if err := tm.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	tm.exit()

	tm = w.start(60, 30, "-r", id)
	tm.until("the same question", func(screen string) bool { return strings.Contains(screen, topQuestion(read)) })
	tm.send("/quit\r")
	if code := tm.exit(); code != 0 {
		t.Fatalf("exit %d", code)
	}
	tm = w.start(100, 24, "-r", id)
	tm.shows("the very last words")
	tm.send("/quit\r")
	tm.exit()
}

// topQuestion returns the first prompt on a screen.
func topQuestion(screen string) string { return regexp.MustCompile(`question \d+`).FindString(screen) }
