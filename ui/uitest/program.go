package uitest

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"parley/internal/crash"
	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
	"parley/ui"
	"parley/ui/chat"
	"parley/ui/clipboard"
	"parley/ui/core"
)

// Program is a running screen in the hands of a test.
type Program struct {
	*Screen
	T       *testing.T
	World   *sessiontest.World
	Manager *live.Manager
	Session *live.Session
	Agent   *sessiontest.Agent
	Signals chan os.Signal

	keys   *io.PipeWriter
	scheme Scheme // on the background that the terminal reported
	model  *ui.Model
	result chan core.Result
	ended  *core.Result
	cancel context.CancelFunc
}

// Config says how a test's screen differs from an empty chat of 80 by 24 cells.
type Config struct {
	Width, Height int
	// Silent is a terminal that does not say which background it has.
	Silent bool
	// World holds what is stored; nil makes an empty one, which keeps every rule.
	World *sessiontest.World
	// Settings and Dir are those of the draft. An empty Dir is the constant of that name, which does not exist; another one's
	// parent is the home of the user.
	Settings session.Settings
	Dir      string
	// Options changes the options before the start.
	Options func(o *ui.Options)
	// Failed takes the error that the screen ends with; nil fails the test.
	Failed func(error)
	// Session chooses the session to show; nil makes a draft.
	Session func(m *live.Manager) *live.Session
}

// EditorFunc is an editor made of a function.
type EditorFunc func(path string, in io.Reader, out, errs io.Writer) error

// Edit calls the function.
func (f EditorFunc) Edit(path string, _ int, in io.Reader, out, errs io.Writer) error {
	return f(path, in, out, errs)
}

// Images is a clipboard with an image, to which nothing can be copied.
type Images func(ctx context.Context) ([]byte, error)

// ReadImage calls the function.
func (f Images) ReadImage(ctx context.Context) ([]byte, error) { return f(ctx) }

// Copy fails.
func (f Images) Copy(context.Context, string) clipboard.Result {
	return clipboard.Result{Err: clipboard.ErrNothing}
}

// Browser is a browser that calls a function with each address.
type Browser func(address string)

// Open calls the function.
func (f Browser) Open(_ context.Context, address string) error {
	f(address)
	return nil
}

// Dir is the directory of the sessions that tests make.
const Dir = "/home/ada/src/acme"

// Run plays f with a running screen, in virtual time that begins at midnight of 1 January 2000, UTC. When f returns the
// screen is ended; everything the program started must be gone by then.
func Run(t *testing.T, c Config, f func(p *Program)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p := start(t, c)
		defer p.stop() // also when f fails
		f(p)
	})
}

// started counts the programs of this process.
var started atomic.Int64

// crashDir returns a name for the directory of crash files. A crash makes it, and stop removes it.
func crashDir() string {
	return filepath.Join(os.TempDir(), fmt.Sprintf("parley-uitest-%d-%d", os.Getpid(), started.Add(1)))
}

func start(t *testing.T, c Config) *Program {
	if c.Width == 0 {
		c.Width, c.Height = 80, 24
	}
	if c.World == nil {
		c.World = sessiontest.NewWorld()
		c.World.Deps.Rules = Keeper{}
	}
	p := &Program{Screen: NewScreen(c.Width, c.Height), T: t, World: c.World, Agent: c.World.Agent,
		Signals: make(chan os.Signal, 1), result: make(chan core.Result, 1), scheme: DarkScheme}
	home := "/home/ada"
	if c.Dir == "" {
		c.Dir = Dir
	} else {
		home = filepath.Dir(c.Dir)
	}
	p.Manager = c.World.Manager()
	if c.Session != nil {
		p.Session = c.Session(p.Manager)
	} else {
		s, err := p.Manager.Draft(live.DraftOptions{Dir: c.Dir, Settings: c.Settings})
		if err != nil {
			t.Fatal(err)
		}
		p.Session = s
	}
	in, keys := io.Pipe()
	p.keys = keys
	ctx, cancel := context.WithCancel(t.Context())
	p.cancel = cancel
	o := ui.Options{Options: chat.Options{Options: core.Options{Manager: &Manager{Manager: p.Manager}, Session: p.Session, Agent: "builtin", Version: "test", Dir: c.Dir,
		Input: in, Output: p.Screen, Env: []string{"TERM=xterm-256color", "HOME=" + home, "COLORTERM=truecolor"}, Signals: p.Signals},
		Branch: "main"}, Errors: io.Discard, Width: c.Width, Height: c.Height, Profile: colorprofile.TrueColor, Quiet: true, Lexing: time.Minute, CrashDir: crashDir(), Inspect: func(m *ui.Model) { p.model = m }}
	if c.Options != nil {
		c.Options(&o)
	}
	if o.Light {
		p.scheme = LightScheme
	}
	crash.Go(func() {
		r, err := ui.Run(ctx, o)
		switch {
		case err != nil && c.Failed != nil:
			c.Failed(err)
		case err != nil:
			t.Error(err)
		}
		_ = in.Close() // nothing reads keys any more
		p.result <- r
	})
	p.Settle()
	if background := "1a1a/1b1b/1e1e"; !c.Silent {
		if o.Light {
			background = "ffff/ffff/ffff"
		}
		report := "\x1b]11;rgb:" + background + "\x07"
		p.scheme = p.scheme.reported(report)
		_, _ = io.WriteString(p.keys, report) // a program that crashed at its start reads nothing
		p.Settle()
	}
	return p
}

// Turn waits for the next prompt to reach the agent and returns its turn.
func (p *Program) Turn() *sessiontest.Turn {
	p.T.Helper()
	return p.Agent.Turn(p.T)
}

// Type sends text as the keyboard does, then enter.
func (p *Program) Type(text string) {
	p.T.Helper()
	p.Send(text)
	p.Keys("enter")
}

// Settle lets a tenth of a second of virtual time pass: everything that is drawn soon is drawn then.
func (p *Program) Settle() { p.Pass(100 * time.Millisecond) }

// Pass lets virtual time pass.
func (p *Program) Pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// Send sends bytes as the keyboard does and lets them be handled.
func (p *Program) Send(bytes string) {
	p.T.Helper()
	p.scheme = p.scheme.reported(bytes)
	if _, err := io.WriteString(p.keys, bytes); err != nil {
		p.T.Fatalf("the program no longer reads keys: %v", err)
	}
	synctest.Wait()
}

// Keys sends keys by name, with a pause after each as a person makes it.
func (p *Program) Keys(names ...string) {
	p.T.Helper()
	for _, n := range names {
		seq, ok := keys[n]
		if !ok {
			seq = n
		}
		p.Send(seq)
		p.Pass(120 * time.Millisecond) // long enough for a lone escape to be told from a sequence
	}
}

// Answer presses a key that answers and waits for as long as a letter is held.
func (p *Program) Answer(name string) {
	p.T.Helper()
	p.Keys(name)
	p.Pass(400 * time.Millisecond)
}

// Press, Drag and Release are what the left button does in a cell of the screen, counted from 0.
func (p *Program) Press(x, y int) { p.Send(fmt.Sprintf("\x1b[<0;%d;%dM", x+1, y+1)) }

// Drag moves the pointer with the button held.
func (p *Program) Drag(x, y int) { p.Send(fmt.Sprintf("\x1b[<32;%d;%dM", x+1, y+1)) }

// Release lets go of the button.
func (p *Program) Release(x, y int) { p.Send(fmt.Sprintf("\x1b[<0;%d;%dm", x+1, y+1)) }

// Click presses and releases so many times in a row.
func (p *Program) Click(x, y, times int) {
	for range times {
		p.Press(x, y)
		p.Release(x, y)
	}
	p.Settle()
}

// Wheel turns the wheel so many notches, down if positive.
func (p *Program) Wheel(notches int) {
	b := 65
	if notches < 0 {
		b, notches = 64, -notches
	}
	for range notches {
		p.Send(fmt.Sprintf("\x1b[<%d;10;5M", b))
	}
	p.Settle()
}

// Find returns the cell of the first row that holds the text.
func (p *Program) Find(text string) (x, y int) {
	p.T.Helper()
	for y, row := range p.Rows() {
		if i := strings.Index(row, text); i >= 0 {
			return ansi.WcWidth.StringWidth(row[:i]), y
		}
	}
	p.T.Fatalf("%q is not on the screen:\n%s", text, p.Text())
	return 0, 0
}

// Copied returns what the terminal was last given for its clipboard, and how often it was given anything.
func (p *Program) Copied() (text string, times int) {
	p.T.Helper()
	const begin = "\x1b]52;c;"
	raw := p.Raw()
	at := strings.LastIndex(raw, begin)
	if at < 0 {
		return "", 0
	}
	code, _, _ := strings.Cut(raw[at+len(begin):], "\x07")
	b, err := base64.StdEncoding.DecodeString(code)
	if err != nil {
		p.T.Fatalf("the clipboard was given %q: %v", code, err)
	}
	return string(b), strings.Count(raw, begin)
}

// keys are the sequences a terminal sends, by the names of the keys.
var keys = map[string]string{
	"enter": "\r", "esc": "\x1b", "tab": "\t", "backspace": "\x7f", "space": " ",
	"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "home": "\x1b[H", "end": "\x1b[F",
	"pgup": "\x1b[5~", "pgdown": "\x1b[6~", "ctrl+home": "\x1b[1;5H", "ctrl+end": "\x1b[1;5F",
	"ctrl+up": "\x1b[1;5A", "ctrl+down": "\x1b[1;5B", "shift+tab": "\x1b[Z",
	"shift+enter": "\x1b[13;2u", "alt+enter": "\x1b\r", "ctrl+j": "\n", "ctrl+c": "\x03", "ctrl+d": "\x04",
	"alt+up": "\x1b[1;3A", "alt+down": "\x1b[1;3B", "alt+end": "\x1b[1;3F", "alt+a": "\x1ba", "alt+i": "\x1bi", "alt+k": "\x1bk",
	"alt+1": "\x1b1", "alt+2": "\x1b2", "alt+3": "\x1b3", "alt+4": "\x1b4", "alt+5": "\x1b5", "alt+6": "\x1b6", "alt+m": "\x1bm", "alt+s": "\x1bs", "alt+v": "\x1bv", "alt+q": "\x1bq", "alt+w": "\x1bw",
	"ctrl+f": "\x06", "ctrl+b": "\x02", "alt+j": "\x1bj", "ctrl+k": "\x0b", "alt+x": "\x1bx", "alt+b": "\x1bb", "alt+d": "\x1bd", "alt+e": "\x1be", "alt+u": "\x1bu", "alt+y": "\x1by", "alt+_": "\x1b_", "ctrl+a": "\x01", "ctrl+e": "\x05", "alt+r": "\x1br", "ctrl+r": "\x12", "ctrl+_": "\x1f", "ctrl+v": "\x16", "ctrl+y": "\x19", "ctrl+w": "\x17", "ctrl+g": "\x07", "ctrl+s": "\x13", "ctrl+t": "\x14", "ctrl+u": "\x15", "ctrl+x": "\x18", "f2": "\x1bOQ", "ctrl+l": "\x0c", "f1": "\x1bOP",
}

// Resize changes the size of the window.
func (p *Program) Resize(w, h int) {
	p.Screen.Resize(w, h)
	p.model.Resized(w, h)
	p.Settle()
}

// Counts are the counters of the screen. They may be read only while nothing happens.
func (p *Program) Counts() ui.Counts {
	synctest.Wait()
	return p.model.Counts()
}

// Left waits for the program to end by itself and returns how.
func (p *Program) Left() core.Result {
	p.T.Helper()
	if p.ended == nil {
		select {
		case r := <-p.result:
			p.ended = &r
		case <-time.After(time.Minute):
			p.T.Fatalf("the program did not end; the screen shows:\n%s", p.Text())
		}
	}
	return *p.ended
}

func (p *Program) stop() {
	p.cancel()
	if file := p.Left().CrashFile; file != "" {
		_ = os.RemoveAll(filepath.Dir(file))
	}
	_ = p.keys.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := p.Manager.Close(ctx); err != nil {
		p.T.Errorf("closing the manager: %v", err)
	}
	p.Screen.Close()
}
