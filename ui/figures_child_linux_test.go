package ui

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
	"parley/ui/chat"
	"parley/ui/core"
	"parley/ui/paint"
	"parley/ui/panel"
)

// The figures are taken from a process of its own on a pty, so that what measures costs it nothing. That process is the
// test binary: it shows the same screen with one of these painters, and obeys lines on file descriptor 3.
const (
	figuresPainter = "PARLEY_FIGURES_PAINTER"

	ours    = "parley" // ui/paint
	stock   = "stock"  // Bubble Tea's own renderer at its own pace, given the rows that parley gives to ui/paint
	bare    = "bare"   // sends keys back as they come: what the terminal and the machine cost
	nothing = "none"   // no screen: what emitting alone costs
)

func TestMain(m *testing.M) {
	if painter := os.Getenv(figuresPainter); painter != "" {
		if err := showFor(painter); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// spent is what the process has used since it began, in nanoseconds and bytes.
type spent struct {
	CPU             int64
	Written, Writes int64
	Heap            uint64
	At              int64 // when a stream ended, as Unix time in nanoseconds
	Streamed        int   // bytes of text
}

// counting is a terminal that counts what is written to it. It is still the file that Bubble Tea and the painter ask for
// its size and set to raw mode.
type counting struct {
	*os.File
	bytes, writes atomic.Int64
}

// Write passes it on.
func (c *counting) Write(p []byte) (int, error) {
	c.bytes.Add(int64(len(p)))
	c.writes.Add(1)
	return c.File.Write(p)
}

// shown is a screen that runs, as far as it is told what to show.
type shown struct {
	out     *counting
	log     session.Log // in the place of the session's
	session session.ID
}

// showFor shows an empty chat with the painter until it is told to quit.
func showFor(painter string) error {
	w := sessiontest.NewWorld()
	s, err := w.Manager().Draft(live.DraftOptions{Dir: "/project"})
	if err != nil {
		return err
	}
	sh := &shown{out: &counting{File: os.Stdout}, session: s.ID()}
	o := Options{Options: chat.Options{Options: core.Options{Manager: w.Manager(), Session: s, Agent: "builtin", Dir: "/project", Input: os.Stdin, Output: sh.out,
		Env: []string{"TERM=xterm-256color"}}}, Errors: io.Discard, Profile: colorprofile.TrueColor, CrashDir: os.TempDir()}
	ready := make(chan struct{})
	switch painter {
	case ours:
		o.Inspect = func(m *Model) {
			pump := m.pump
			m.pump = func(b *core.Inbox, msg tea.Msg) { pump(readFrom(b, &sh.log), msg); close(ready) }
		}
		go func() { _, _ = Run(context.Background(), o) }()
		<-ready
	case stock:
		go sh.runStock(o.fill(), ready)
		<-ready
	case bare:
		if _, err := term.MakeRaw(os.Stdin.Fd()); err != nil {
			return err
		}
		go func() { _, _ = io.Copy(sh.out, os.Stdin) }()
		_, _ = sh.out.Write([]byte("ready"))
	}
	return sh.obey(os.NewFile(3, "orders"), os.NewFile(4, "replies"))
}

// obey does what the lines say, and answers each with a line of JSON.
func (sh *shown) obey(orders io.Reader, replies io.Writer) error {
	reply := json.NewEncoder(replies)
	lines := bufio.NewScanner(orders)
	for lines.Scan() {
		var n, rate, mark int
		var r spent
		switch line := lines.Text(); {
		case scan(line, "fill %d", &n):
			sh.fill(n)
		case scan(line, "stream %d %d %d", &n, &rate, &mark):
			r.Streamed = sh.stream(n, rate, rune(mark))
			r.At = time.Now().UnixNano()
		case line == "spent":
			r = sh.spent()
		}
		if err := reply.Encode(r); err != nil {
			return err
		}
	}
	return lines.Err()
}

// scan reports whether the line has the format, and reads its values.
func scan(line, format string, values ...any) bool {
	n, err := fmt.Sscanf(line, format, values...)
	return err == nil && n == len(values)
}

// spent is what the process has used so far.
func (sh *shown) spent() spent {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return spent{}
	}
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	return spent{CPU: u.Utime.Nano() + u.Stime.Nano(), Written: sh.out.bytes.Load(), Writes: sh.out.writes.Load(),
		Heap: mem.HeapAlloc}
}

// fill shows a conversation of so many turns, as a resumed session does.
func (sh *shown) fill(turns int) {
	sh.log.Add(sessiontest.Turns(sh.session, turns, false)...)
}

// stream lets an answer of so many tokens of four bytes come, rate of them a second, as a turn of its own that ends with
// the mark. Tokens come ten at a time. It returns how many bytes of text these were, as soon as the last was put.
func (sh *shown) stream(tokens, rate int, mark rune) (bytes int) {
	h := session.Head{Session: sh.session, Turn: session.TurnID(fmt.Sprint("s", mark)), At: time.Now()}
	part := session.PartID(fmt.Sprint("sp", mark))
	sh.log.Add(session.TurnStarted{Head: h, Prompt: session.Prompt{Text: "and now?"}})
	sh.log.Add(session.PartStarted{Head: h, Part: part, Kind: session.PartText})
	tick := time.NewTicker(10 * time.Second / time.Duration(rate))
	defer tick.Stop()
	for n := 0; n < tokens; {
		<-tick.C
		for range min(10, tokens-n) {
			word := "word"
			switch n++; {
			case n%90 == 0:
				word = ".\n\n\n"
			case n%9 == 0:
				word = ", ab"
			case n%2 == 0:
				word = " off"
			}
			if n == tokens {
				word = string(mark)
			}
			bytes += len(word)
			sh.log.Add(session.PartDelta{Head: h, Part: part, Text: word})
		}
	}
	time.AfterFunc(100*time.Millisecond, func() { // the end of the turn must not hurry its last words
		sh.log.Add(session.PartEnded{Head: h, Part: part})
		sh.log.Add(session.TurnEnded{Head: h, Outcome: session.TurnCompleted})
	})
	return bytes
}

// stockModel shows the same model with Bubble Tea's renderer, as well as that can be done: the screen is a string that is
// made anew only if something changed.
type stockModel struct {
	*Model
	view tea.View
}

// runStock shows the screen with the stock renderer.
func (sh *shown) runStock(o Options, ready chan<- struct{}) {
	o.Width, o.Height = 120, 40
	m := newModel(context.Background(), o, paint.New(paint.Options{Out: io.Discard, Env: o.Env, Width: o.Width, Height: o.Height}))
	var prog *tea.Program
	m.pump = func(b *core.Inbox, msg tea.Msg) {
		b = readFrom(b, &sh.log)
		close(ready)
		go b.Pump(context.Background(), func() { prog.Send(panel.Reply(panel.Bottom, msg)) })
	}
	prog = tea.NewProgram(&stockModel{Model: m}, tea.WithInput(o.Input), tea.WithOutput(o.Output), tea.WithEnvironment(o.Env),
		tea.WithColorProfile(o.Profile))
	_, _ = prog.Run()
}

// Init does what the model does.
func (s *stockModel) Init() tea.Cmd {
	cmd := s.Model.Init()
	s.dirty = true
	return cmd
}

// Update routes the message as the model does, but draws nothing.
func (s *stockModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if size, ok := msg.(tea.WindowSizeMsg); ok {
		msg = sizeMsg{size.Width, size.Height}
	}
	return s, tea.Batch(s.route(msg), s.inChat(s.chat.Settle()), s.expireNotice(), s.terminal.notify(), s.started())
}

// View is the frame as a string.
func (s *stockModel) View() tea.View {
	if due, _ := s.chat.Changed(); !due && !s.dirty {
		return s.view
	}
	s.dirty = false
	f := s.frame()
	s.view = tea.NewView(strings.Join(f.Rows, "\n"))
	s.view.AltScreen, s.view.ReportFocus, s.view.MouseMode, s.view.WindowTitle = true, true, tea.MouseModeCellMotion, f.Title
	if f.CursorVisible {
		s.view.Cursor = tea.NewCursor(f.Cursor.X, f.Cursor.Y)
	}
	return s.view
}
