package ui

import (
	"bytes"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"parley/ui/chat"
	"parley/ui/core"
)

// echoWatch is a screen that looks, whenever something is written to it, whether the terminal echoes what comes in.
type echoWatch struct {
	tty *os.File

	mu     sync.Mutex
	wrote  bytes.Buffer
	echoed []string // what was written while it did
	drawn  chan struct{}
	once   sync.Once
}

func (e *echoWatch) Write(p []byte) (int, error) {
	mode, err := unix.IoctlGetTermios(int(e.tty.Fd()), unix.TCGETS)
	e.mu.Lock()
	defer e.mu.Unlock()
	if err != nil || mode.Lflag&unix.ECHO != 0 {
		e.echoed = append(e.echoed, string(p))
	}
	e.wrote.Write(p)
	if strings.Contains(e.wrote.String(), "GitHub") {
		e.once.Do(func() { close(e.drawn) })
	}
	return len(p), nil
}

// The terminal is asked nothing, and told nothing, before it is in raw mode: what it answers would stand on the screen.
func TestTheTerminalIsAskedInRawMode(t *testing.T) {
	for range 2 {
		master, tty, err := pty.Open()
		if err != nil {
			t.Fatal(err)
		}
		go io.Copy(io.Discard, master)
		signals := make(chan os.Signal, 1)
		screen := &echoWatch{tty: tty, drawn: make(chan struct{})}
		o := Options{Options: chat.Options{Options: core.Options{SignIn: &core.SignIn{}, Input: tty, Output: screen, Env: []string{"TERM=xterm-256color"}, Signals: signals},
			Appearance: core.Appearance{Inline: true}}, Width: 80, Height: 24}
		o.Inspect = func(m *Model) { // what was taken too early has been taken by the end of this
			m.painter.Release()
			m.painter.Retake()
		}
		go func() {
			<-screen.drawn
			signals <- syscall.SIGTERM
		}()
		if _, err := Run(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		screen.mu.Lock()
		asked := strings.Index(screen.wrote.String(), "\x1b[c")
		for _, s := range screen.echoed {
			if strings.Contains(s, "\x1b[c") {
				t.Errorf("asked while the terminal echoes: %q", s)
			}
		}
		screen.mu.Unlock()
		if asked < 0 {
			t.Error("nothing was asked")
		}
		tty.Close()
		master.Close()
	}
}
