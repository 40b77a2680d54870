//go:build unix

package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"

	"parley/internal/cli/command"
)

func TestChatOnATerminal(t *testing.T) {
	t.Parallel()
	w := newWorldApart(t).signIn(slowly)
	tm := w.start(80, 24)
	tm.shows("parley")
	tm.send("hello\r")
	tm.shows("You said hello")
	tm.send("bash please\r")
	tm.shows("echo printed-")
	tm.shows("❯ y  Yes") // only now the prompt has the keyboard
	tm.send("m")
	tm.shows("tell the agent what to do instead") // a letter is held for a moment
	tm.send("not today\r")
	tm.shows("says: not today")
	tm.send("bash again\r")
	tm.shows("❯ y  Yes")
	tm.send("y")
	tm.shows("It came to: printed-42")
	tm.send("/quit\r")
	if code := tm.exit(); code != 0 {
		t.Errorf("exit %d", code)
	}
	tm.givenBack()
	if out := tm.output(); !strings.Contains(out[strings.LastIndex(out, "\x1b[?1049l"):], "printed-42") {
		t.Error("the end of the conversation is not on the normal screen")
	}
}

func TestContinueShowsTheSameConversation(t *testing.T) {
	t.Parallel()
	w := newWorldApart(t).signIn(slowly)
	tm := w.start(100, 30)
	tm.shows("parley")
	tm.send("one\r")
	tm.shows("You said one")
	tm.send("two\r")
	ended := func(s string) bool { return strings.Contains(s, "You said two") && strings.Count(s, "Done ·") == 2 }
	before := tm.until("both turns", ended)
	tm.send("\x03")
	tm.shows("again")
	tm.send("\x03")
	if code := tm.exit(); code != 0 {
		t.Errorf("exit %d", code)
	}
	again := w.start(100, 30, "-c")
	after := again.until("both turns", ended)
	body := func(s string) string { // between the header and the status line
		lines := strings.Split(s, "\n")
		var out []string
		for _, l := range lines[1 : len(lines)-3] {
			if l = strings.TrimRight(l, " "); l != "" && !strings.ContainsAny(l, "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏") {
				out = append(out, l)
			}
		}
		return strings.Join(out, "\n")
	}
	if body(before) != body(after) {
		t.Errorf("continued:\n%s\nbefore:\n%s", body(after), body(before))
	}
	again.send("three\r")
	again.shows("You said three")
}

func TestKillLosesNothing(t *testing.T) {
	t.Parallel()
	w := newWorldApart(t).signIn(slowly)
	tm := w.start(80, 24)
	tm.shows("parley")
	tm.send("slow one\r")
	tm.shows("slow one begins")
	tm.send("half a draft")
	tm.shows("half a draft")
	tm.until("the draft on disk", func(string) bool {
		return holds(filepath.Join(w.home, ".local", "share", "parley", "composer"), "half a draft")
	})
	seen := tm.until("the beginning on disk", func(string) bool {
		return holds(filepath.Join(w.home, ".local", "share", "parley", "sessions"), "begins ")
	})
	tm.cmd.Process.Kill()
	if code := tm.exit(); code != -int(syscall.SIGKILL) {
		t.Errorf("exit %d", code)
	}
	if !strings.Contains(seen, "half a draft") {
		t.Errorf("the draft is not on the screen:\n%s", seen)
	}
	again := w.start(80, 24, "-c")
	s := again.shows("half a draft")
	if !strings.Contains(again.shows("slow one"), "slow one") {
		t.Errorf("the prompt is gone:\n%s", s)
	}
}

// holds reports whether some file below dir holds the text.
func holds(dir, text string) bool {
	found := false
	filepath.Walk(dir, func(name string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			data, _ := os.ReadFile(name)
			found = found || bytes.Contains(data, []byte(text))
		}
		return nil
	})
	return found
}

func TestSignalsGiveTheTerminalBack(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		sig  syscall.Signal
		code command.ExitCode
	}{{syscall.SIGTERM, command.ExitTerminate}, {syscall.SIGHUP, command.ExitHangup}, {syscall.SIGINT, command.ExitInterrupt}} {
		t.Run(tc.sig.String(), func(t *testing.T) {
			t.Parallel()
			w := newWorldApart(t).signIn(slowly)
			tm := w.start(80, 24)
			tm.shows("parley")
			tm.send("slow one\r")
			tm.shows("slow one begins")
			if err := tm.cmd.Process.Signal(tc.sig); err != nil {
				t.Fatal(err)
			}
			if code := tm.exit(); code != int(tc.code) {
				t.Errorf("exit %d, want %d", code, tc.code)
			}
			tm.givenBack()
		})
	}
}

func TestHeadlessSignals(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		sig  syscall.Signal
		code command.ExitCode
	}{{syscall.SIGTERM, command.ExitTerminate}, {syscall.SIGINT, command.ExitInterrupt}} {
		t.Run(tc.sig.String(), func(t *testing.T) {
			t.Parallel()
			w := newWorldApart(t).signIn(slowly)
			tm := w.start(80, 24, "-p", "--output-format", "stream-json", "slow one")
			tm.until("a delta", func(string) bool { return strings.Contains(tm.output(), `"part_delta"`) })
			if err := tm.cmd.Process.Signal(tc.sig); err != nil {
				t.Fatal(err)
			}
			if code := tm.exit(); code != int(tc.code) {
				t.Errorf("exit %d, want %d", code, tc.code)
			}
			if out := tm.output(); !strings.Contains(out, `"outcome":"cancelled"`) {
				t.Error("the result does not say that it was cancelled")
			}
		})
	}
}

// TestSuspendAndResume goes through a shell, because only a job of one can be suspended.
func TestSuspendAndResume(t *testing.T) {
	t.Parallel()
	w := newWorldApart(t).signIn(slowly)
	tm := w.startCommand(80, 24, exec.Command("sh", "-i"))
	tm.shows("shell>")
	tm.send("\"$PARLEY\"\r")
	tm.shows("asks before it acts")
	tm.send("a draft")
	tm.shows("a draft")
	tm.send("\x1a") // ctrl+z
	tm.shows("Stopped")
	tm.givenBack()
	tm.send("fg\r")
	tm.until("the chat with its draft", func(s string) bool {
		return strings.Contains(s, "asks before it acts") && strings.Contains(s, "a draft")
	})
	tm.send(" goes on\r")
	tm.shows("You said a draft goes on")
	tm.send("/quit\r")
	tm.until("the shell", func(s string) bool { return !strings.Contains(s, "asks before it acts") })
	tm.send("exit\r")
	tm.exit()
	tm.givenBack()
}

// TestNothingToSuspendTo starts the chat as the program of a window, where nobody would continue it: ctrl+z changes nothing.
func TestNothingToSuspendTo(t *testing.T) {
	t.Parallel()
	w := newWorldApart(t).signIn(slowly)
	tm := w.start(80, 24)
	tm.shows("asks before it acts")
	tm.send("\x1a") // ctrl+z
	tm.shows("Nothing to suspend to here")
	tm.send("still here\r")
	tm.shows("You said still here")
}

func TestPipedInputBeginsTheChat(t *testing.T) {
	t.Parallel()
	w := newWorldApart(t).signIn(slowly)
	tm := w.startCommand(80, 24, exec.Command("sh", "-c", `echo from the pipe | "$PARLEY" say`))
	tm.shows("from the pipe")
	tm.shows("You said")
	tm.send("keys still work\r")
	tm.shows("You said keys still work")
	tm.send("/quit\r")
	if code := tm.exit(); code != 0 {
		t.Errorf("exit %d", code)
	}
	tm.givenBack()
}

func TestEditor(t *testing.T) {
	t.Parallel()
	w := newWorldApart(t).signIn(slowly)
	editor := filepath.Join(w.home, "editor.sh")
	if err := os.WriteFile(editor, []byte("#!/bin/sh\necho from-the-editor > \"$1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	w.env = append(w.env, "EDITOR="+editor)
	tm := w.start(80, 24)
	tm.shows("parley")
	tm.send("\x07") // ctrl+g
	tm.shows("from-the-editor")
	tm.send("\r")
	tm.shows("You said from-the-editor")
	tm.send("/quit\r")
	if code := tm.exit(); code != 0 {
		t.Errorf("exit %d", code)
	}
	tm.givenBack()
}

func TestResizeWhileStreaming(t *testing.T) {
	t.Parallel()
	w := newWorldApart(t).signIn(slowly)
	tm := w.start(80, 24)
	tm.shows("parley")
	tm.send("slow one\r")
	tm.shows("slow one begins")
	for _, size := range [][2]int{{120, 40}, {40, 12}, {100, 30}} {
		tm.mu.Lock()
		tm.emu.Resize(size[0], size[1])
		tm.mu.Unlock()
		if err := pty.Setsize(tm.pt, &pty.Winsize{Cols: uint16(size[0]), Rows: uint16(size[1])}); err != nil {
			t.Fatal(err)
		}
		tm.until("a status line at the new width", func(s string) bool {
			lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
			return strings.Contains(lines[len(lines)-1], "asks before") || strings.Contains(s, "writing")
		})
	}
	tm.send("\x1b")
	tm.until("the end of the turn", func(s string) bool { return !strings.Contains(s, "writing") && strings.Contains(s, "Stopped") })
}

func TestFirstRunOnATerminal(t *testing.T) {
	t.Parallel()
	w := newWorldApart(t)
	w.env = append(w.env, "GH_PATH="+filepath.Join(w.home, "no-gh"), "GH_CONFIG_DIR="+w.home)
	tm := w.start(80, 24)
	tm.shows("GitHub Copilot")
	s := tm.shows("demo")
	for _, want := range []string{"COPILOT_GITHUB_TOKEN", "GH_TOKEN", "quit"} {
		if !strings.Contains(s, want) {
			t.Errorf("the first screen does not name %s:\n%s", want, s)
		}
	}
	tm.send("\x03\x03")
	if code := tm.exit(); code != int(command.ExitSignedOut) {
		t.Errorf("exit %d", code)
	}
	tm.givenBack()
}
