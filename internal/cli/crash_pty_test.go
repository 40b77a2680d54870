//go:build unix

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"

	"parley/internal/cli/command"
)

// A panic in any room, each in a goroutine of its own, gives the terminal back, leaves a report with the stack and the exit code of
// a failure, and what was said before is in the journal.
func TestAPanicInAnyRoomGivesTheTerminalBack(t *testing.T) {
	for room, where := range map[string]string{
		"turn": "session/live.(*worker)", "disk": "session/live/journal.(*Writer)", "title": "session/live.(*titles)", "finder": "ui/files.(*Finder)",
		"terminal": "ui/paint.(*writer)", "github": "copilot.(*shared[",
	} {
		t.Run(room, func(t *testing.T) {
			t.Parallel()
			w := newWorldApart(t)
			w.env = append(w.env, panicsIn+"="+room)
			tm := w.startCommand(80, 24, exec.Command(os.Args[0]))
			tm.shows("> ")
			if room == "title" {
				tm.send("first\r")
			} else {
				tm.send("first\r")
				tm.shows("an answer")
				tm.send("now Ω @x")
				if room != "terminal" && room != "finder" {
					tm.send(" \r")
				}
			}
			if code := tm.exit(); code != int(command.ExitFailed) {
				t.Errorf("exit %d", code)
			}
			tm.givenBack()
			if before, after := freshModes(t), tm.modes(); after != before {
				t.Errorf("the terminal was %s and is %s", before, after)
			}
			if s := tm.screen(); !strings.Contains(s, "parley crashed") {
				t.Errorf("the screen says\n%s", s)
			}
			files, _ := filepath.Glob(filepath.Join(w.home, "state", "crashes", "*"))
			if len(files) != 1 {
				t.Fatalf("crash files %q", files)
			}
			report, _ := os.ReadFile(files[0])
			for _, want := range []string{"panic: boom of a test", "cli.boom", where} {
				if !strings.Contains(string(report), want) {
					t.Errorf("the report lacks %q:\n%s", want, report)
				}
			}
			w.keptInAJournal("first")
		})
	}
}

// modes returns what the terminal does with its input and output.
func (tm *terminal) modes() string {
	tm.t.Helper()
	return modesOf(tm.t, tm.pt)
}

// freshModes returns the modes of a terminal in which no program has run: one that runs may have changed its own by now.
func freshModes(t testing.TB) string {
	t.Helper()
	pt, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer pt.Close()
	defer tty.Close()
	return modesOf(t, pt)
}

func modesOf(t testing.TB, pt *os.File) string {
	t.Helper()
	state, err := term.GetState(pt.Fd())
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%+v", *state)
}

// keptInAJournal wants the words of a prompt and of the answer in the one journal that there is.
func (w *world) keptInAJournal(words string) {
	w.t.Helper()
	files, _ := filepath.Glob(filepath.Join(w.home, "sessions", "*"))
	var all strings.Builder
	for _, name := range files {
		text, _ := os.ReadFile(name)
		all.Write(text)
	}
	if !strings.Contains(all.String(), words) || !strings.Contains(all.String(), "an answer") {
		w.t.Errorf("the journals %q have\n%s", files, all.String())
	}
}
