//go:build unix

package cli

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"

	"parley/internal/repeat"
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

// press sends keys again and again until the screen shows a text: Enter counts a moment after a question got the keyboard.
func (tm *terminal) press(keys, text string) {
	tm.t.Helper()
	deadline := time.After(patience)
	for !strings.Contains(tm.screen(), text) {
		tm.send(keys)
		select {
		case <-time.After(200 * time.Millisecond):
		case <-deadline:
			tm.t.Fatalf("no %s:\n%s", text, tm.screen())
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
	t.Parallel()
	tm := newWorldApart(t).signIn(slowly).start(80, 24)
	tm.shows("parley")
	tm.send("bash please\r")
	tm.shows("❯ y  Yes")
	r := rand.New(rand.NewPCG(8, 9))
	texts := []string{"yes make sure that", "so what next", "no you build it", "make it so", "summarize"}
	for _, text := range texts[:repeat.Times(1, 1, len(texts))] { // TestWholeSentencesAnswerNothing has all of them
		for i, c := range text {
			switch { // how people type, not something that is waited for
			case c == ' ' || i == 0:
				time.Sleep(time.Duration(r.Int64N(int64(1200 * time.Millisecond))))
			default:
				time.Sleep(time.Duration(r.Int64N(int64(40 * time.Millisecond))))
			}
			switch i {
			case 0: // the second character follows the first at once, also on a machine that is busy
				tm.send(text[:2])
			case 1:
			default:
				tm.send(string(c))
			}
		}
		s := tm.shows("> " + text)
		if !strings.Contains(s, "Run this command?") || strings.Contains(s, "It came to") {
			t.Fatalf("typing %q answered:\n%s", text, s)
		}
		tm.send("\x15") // ctrl+u
		tm.until("an empty composer", func(s string) bool { return !strings.Contains(s, text) })
	}
	tm.shows("❯ y  Yes")
	tm.send("y")
	tm.shows("It came to: printed-42")
	tm.send("/quit\r")
	if code := tm.exit(); code != 0 {
		t.Errorf("exit %d", code)
	}
}
