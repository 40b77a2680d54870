//go:build unix

package cli

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// An inline chat begins below what a shell has shown, survives a resize and a suspension, and leaves everything that was
// said above the next prompt of the shell.
func TestInlineChatInAShell(t *testing.T) {
	t.Parallel()
	w := newWorldApart(t).signIn(slowly)
	tm := w.startCommand(80, 24, exec.Command("sh", "-i"))
	tm.shows("shell>")
	tm.send("echo what was there\r")
	tm.shows("what was there\n")
	tm.send("\"$PARLEY\" --screen inline\r")
	tm.shows("asks before it acts")
	if s := tm.screen(); !strings.Contains(s, "what was there\n") {
		t.Errorf("what was there is gone:\n%s", s)
	}
	tm.send("one\r")
	tm.shows("You said one")
	tm.send("a draft")
	tm.shows("a draft")
	tm.mu.Lock()
	tm.emu.Resize(100, 60) // room for the list of commands, which is drawn while "/quit" is typed
	tm.mu.Unlock()
	if err := pty.Setsize(tm.pt, &pty.Winsize{Cols: 100, Rows: 60}); err != nil {
		t.Fatal(err)
	}
	tm.until("a wider rule", func(s string) bool { return strings.Contains(s, strings.Repeat("─", 99)) })
	tm.send("\x1a") // ctrl+z
	tm.shows("Stopped")
	tm.send("fg\r")
	tm.until("the chat with its draft", func(s string) bool {
		return strings.Contains(s, "asks before it acts") && strings.Contains(s, "> a draft")
	})
	tm.send(" goes on\r")
	tm.shows("You said a draft goes on")
	tm.send("/quit\r")
	tm.shows("Resume with: parley -r")
	tm.send("echo back in $0\r")
	tm.until("the shell again", func(s string) bool {
		return strings.Contains(s, "back in sh") && !strings.Contains(s, "asks before it acts")
	})
	s := tm.screen()
	for _, want := range []string{"You said one", "You said a draft goes on"} {
		if strings.Count(s, want) != 1 {
			t.Errorf("%q is not there once:\n%s", want, s)
		}
	}
	if strings.Contains(tm.output(), "\x1b[?1049h") {
		t.Error("the alternate screen was taken")
	}
	tm.send("exit\r")
	tm.exit()
	tm.givenBack()
}
