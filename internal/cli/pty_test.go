//go:build unix

package cli

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// patience bounds how long a test waits for something to appear. It is no measure of speed: a loaded machine may be slow.
const patience = 2 * time.Minute

// terminal is a real process on a real pty, with an emulator that shows what a person would see.
type terminal struct {
	t    testing.TB
	cmd  *exec.Cmd
	pt   *os.File
	done chan struct{} // closed when the output has ended
	news chan struct{}

	mu  sync.Mutex
	emu *vt.Emulator // nil if the world is blind
	raw bytes.Buffer
	// reads say how much had come in when.
	reads []stamp
}

type stamp struct {
	end int
	at  time.Time
}

// start runs parley on a pty of the given size.
func (w *world) start(cols, rows int, args ...string) *terminal {
	w.t.Helper()
	return w.startCommand(cols, rows, exec.Command(os.Args[0], args...))
}

// startCommand runs a command on a pty; where it runs the test binary, that behaves as parley.
func (w *world) startCommand(cols, rows int, cmd *exec.Cmd) *terminal {
	w.t.Helper()
	cmd.Env = append([]string{asParley + "=1", "PARLEY=" + os.Args[0], "PS1=shell> ", "ENV="}, w.env...)
	cmd.Dir = w.dir
	pt, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)})
	if err != nil {
		w.t.Fatal(err)
	}
	term := &terminal{t: w.t, cmd: cmd, pt: pt, emu: vt.NewEmulator(cols, rows), done: make(chan struct{}), news: make(chan struct{}, 1)}
	replied := make(chan struct{})
	if w.blind {
		term.emu = nil
	}
	go func() {
		defer close(replied)
		term.reply()
	}()
	go term.read()
	w.t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		pt.Close()
		<-term.done
		// Closing the pipe that the emulator answers through ends the reader; the emulator's own Close would race with it.
		if term.emu == nil {
			return
		}
		if c, ok := term.emu.InputPipe().(io.Closer); ok {
			c.Close()
		}
		<-replied
	})
	return term
}

// reply passes on what the emulator answers to queries; without a reader it would stop.
func (tm *terminal) reply() {
	if tm.emu == nil {
		return
	}
	buf := make([]byte, 256)
	for {
		n, err := tm.emu.Read(buf)
		if err != nil {
			return
		}
		tm.pt.Write(buf[:n])
	}
}

func (tm *terminal) read() {
	defer close(tm.done)
	buf := make([]byte, 32<<10)
	for {
		n, err := tm.pt.Read(buf)
		if n > 0 {
			at := time.Now()
			tm.mu.Lock()
			tm.raw.Write(buf[:n])
			tm.reads = append(tm.reads, stamp{tm.raw.Len(), at})
			if tm.emu != nil {
				tm.emu.Write(buf[:n])
			}
			tm.mu.Unlock()
			select {
			case tm.news <- struct{}{}:
			default:
			}
		}
		if err != nil {
			return
		}
	}
}

func (tm *terminal) screen() string {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	if tm.emu == nil {
		return tm.raw.String()
	}
	return tm.emu.String()
}

func (tm *terminal) output() string {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	return tm.raw.String()
}

func (tm *terminal) send(keys string) {
	tm.t.Helper()
	if _, err := tm.pt.WriteString(keys); err != nil {
		tm.t.Fatal(err)
	}
}

// until waits for the screen to satisfy ok, looking again at every output.
func (tm *terminal) until(what string, ok func(screen string) bool) string {
	tm.t.Helper()
	deadline := time.After(patience)
	for {
		s := tm.screen()
		if ok(s) {
			return s
		}
		select {
		case <-tm.news:
		case <-tm.done:
			if s := tm.screen(); ok(s) {
				return s
			}
			tm.t.Fatalf("the program ended without %s:\n%s", what, tm.screen())
		case <-deadline:
			tm.t.Fatalf("no %s:\n%s", what, tm.screen())
		}
	}
}

func (tm *terminal) shows(text string) string {
	tm.t.Helper()
	return tm.until(text, func(s string) bool { return strings.Contains(s, text) })
}

// exit waits for the end of the process and returns its exit code, or minus the signal that ended it.
func (tm *terminal) exit() int {
	tm.t.Helper()
	done := make(chan error, 1)
	go func() { done <- tm.cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(patience):
		tm.t.Fatalf("the program does not end:\n%s", tm.screen())
	}
	<-tm.done
	status := tm.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if status.Signaled() {
		return -int(status.Signal())
	}
	return status.ExitStatus()
}

// givenBack wants every mode that was taken to have been given back, the last word being off.
func (tm *terminal) givenBack() {
	tm.t.Helper()
	out := tm.output()
	for _, mode := range []string{"?1049", "?2004", "?1004", "?2026", "?1002", "?1006"} {
		on, off := strings.LastIndex(out, "\x1b["+mode+"h"), strings.LastIndex(out, "\x1b["+mode+"l")
		if on > off {
			tm.t.Errorf("mode %s was left on", mode)
		}
	}
	if strings.LastIndex(out, "\x1b[?25l") > strings.LastIndex(out, "\x1b[?25h") {
		tm.t.Error("the cursor was left hidden")
	}
	if push, pop := strings.LastIndex(out, "\x1b[>1u"), strings.LastIndex(out, "\x1b[<1u"); push > pop {
		tm.t.Error("the keyboard protocol was left on")
	}
}

const slowly = `
pace: {chars: 8, rate: 200}
rules:
  - when: {prompt: slow}
    reply:
      - text: "{{last_user}} begins "
      - filler: {tokens: "4000", rate: "100", mark: never}
  - when: {prompt: bash, result: false}
    reply:
      - text: I run something.
      - tool: Bash
        input: {command: "echo printed-$((6*7))"}
  - when: {result: true}
    reply: "It came to: {{tool_result}}"
  - reply: "You said **{{last_user}}**"
`

// TestTypingOnATerminalAnswersNothing types sentences over a question, with pauses in which a letter alone would answer it.
func TestTypingOnATerminalAnswersNothing(t *testing.T) {
	tm := newWorld(t).signIn(slowly).start(80, 24)
	tm.shows("parley")
	tm.send("bash please\r")
	tm.shows("❯ n no")
	r := rand.New(rand.NewPCG(8, 9))
	for _, text := range []string{"yes make sure that", "so what next", "no you build it", "make it so", "summarize"} {
		for i, c := range text {
			switch { // how people type, not something that is waited for
			case c == ' ' || i == 0:
				time.Sleep(time.Duration(r.Int64N(int64(1200 * time.Millisecond))))
			case i > 1: // the second character follows the first at once
				time.Sleep(time.Duration(r.Int64N(int64(40 * time.Millisecond))))
			}
			tm.send(string(c))
		}
		s := tm.shows("> " + text)
		if !strings.Contains(s, "Run this in") || strings.Contains(s, "It came to") {
			t.Fatalf("typing %q answered:\n%s", text, s)
		}
		tm.send("\x15") // ctrl+u
		tm.until("an empty composer", func(s string) bool { return !strings.Contains(s, text) })
	}
	tm.shows("❯ n no")
	tm.send("y")
	tm.shows("It came to: printed-42")
	tm.send("/quit\r")
	if code := tm.exit(); code != 0 {
		t.Errorf("exit %d", code)
	}
}

func TestChatOnATerminal(t *testing.T) {
	w := newWorld(t).signIn(slowly)
	tm := w.start(80, 24)
	tm.shows("parley")
	tm.send("hello\r")
	tm.shows("You said hello")
	tm.send("bash please\r")
	tm.shows("echo printed-")
	tm.shows("❯ n no") // only now the prompt has the keyboard
	tm.send("m")
	tm.shows("tell the agent why not") // a letter is held for a moment
	tm.send("not today\r")
	tm.shows("says: not today")
	tm.send("bash again\r")
	tm.shows("❯ n no")
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
	w := newWorld(t).signIn(slowly)
	tm := w.start(100, 30)
	tm.shows("parley")
	tm.send("one\r")
	tm.shows("You said one")
	tm.send("two\r")
	before := tm.shows("You said two")
	tm.send("\x03")
	tm.shows("again")
	tm.send("\x03")
	if code := tm.exit(); code != 0 {
		t.Errorf("exit %d", code)
	}
	again := w.start(100, 30, "-c")
	after := again.shows("You said two")
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
	w := newWorld(t).signIn(slowly)
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
	for _, tc := range []struct {
		sig  syscall.Signal
		code ExitCode
	}{{syscall.SIGTERM, ExitTerminate}, {syscall.SIGHUP, exitHangup}, {syscall.SIGINT, ExitInterrupt}} {
		t.Run(tc.sig.String(), func(t *testing.T) {
			w := newWorld(t).signIn(slowly)
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
	for _, tc := range []struct {
		sig  syscall.Signal
		code ExitCode
	}{{syscall.SIGTERM, ExitTerminate}, {syscall.SIGINT, ExitInterrupt}} {
		t.Run(tc.sig.String(), func(t *testing.T) {
			w := newWorld(t).signIn(slowly)
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
	w := newWorld(t).signIn(slowly)
	tm := w.startCommand(80, 24, exec.Command("sh", "-i"))
	tm.shows("shell>")
	tm.send("\"$PARLEY\"\r")
	tm.shows("default mode")
	tm.send("a draft")
	tm.shows("a draft")
	tm.send("\x1a") // ctrl+z
	tm.shows("Stopped")
	tm.givenBack()
	tm.send("fg\r")
	tm.until("the chat with its draft", func(s string) bool {
		return strings.Contains(s, "default mode") && strings.Contains(s, "a draft")
	})
	tm.send(" goes on\r")
	tm.shows("You said a draft goes on")
	tm.send("/quit\r")
	tm.until("the shell", func(s string) bool { return !strings.Contains(s, "default mode") })
	tm.send("exit\r")
	tm.exit()
	tm.givenBack()
}

func TestPipedInputBeginsTheChat(t *testing.T) {
	w := newWorld(t).signIn(slowly)
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
	w := newWorld(t).signIn(slowly)
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
	w := newWorld(t).signIn(slowly)
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
			return strings.Contains(lines[len(lines)-1], "mode") || strings.Contains(s, "writing")
		})
	}
	tm.send("\x1b")
	tm.until("the end of the turn", func(s string) bool { return !strings.Contains(s, "writing") && strings.Contains(s, "interrupted") })
}

func TestFirstRunOnATerminal(t *testing.T) {
	w := newWorld(t)
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
	if code := tm.exit(); code != int(ExitSignedOut) {
		t.Errorf("exit %d", code)
	}
	tm.givenBack()
}
