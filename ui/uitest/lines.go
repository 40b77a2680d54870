package uitest

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/internal/crash"
	"parley/session/live"
	"parley/session/sessiontest"
	"parley/ui"
	"parley/ui/chat"
	"parley/ui/core"
)

// Lines is a running plain chat in the hands of a test.
type Lines struct {
	T       *testing.T
	World   *sessiontest.World
	Session *live.Session
	Agent   *sessiontest.Agent
	Signals chan os.Signal

	in     *io.PipeWriter
	mu     sync.Mutex
	said   bytes.Buffer
	read   int
	result chan core.Result
}

// Write takes what the chat says.
func (l *Lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.said.Write(b)
}

// RunLines plays f with a running plain chat whose lines are typed, in virtual time as with [Run]. Of the configuration,
// the sizes are not used.
func RunLines(t *testing.T, c Config, f func(l *Lines)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		if c.World == nil {
			c.World = sessiontest.NewWorld()
		}
		l := &Lines{T: t, World: c.World, Agent: c.World.Agent, Signals: make(chan os.Signal, 1), result: make(chan core.Result, 1)}
		manager := c.World.Manager()
		var err error
		if c.Session != nil {
			l.Session = c.Session(manager)
		} else if l.Session, err = manager.Draft(live.DraftOptions{Dir: Dir, Settings: c.Settings}); err != nil {
			t.Fatal(err)
		}
		in, keys := io.Pipe()
		l.in = keys
		ctx, cancel := context.WithCancel(t.Context())
		defer func() {
			cancel()
			_ = keys.Close()
			synctest.Wait()
			if err := manager.Close(t.Context()); err != nil {
				t.Errorf("closing the manager: %v", err)
			}
		}()
		o := ui.Options{Options: chat.Options{Options: core.Options{Manager: &Manager{Manager: manager}, Session: l.Session, Agent: "builtin", Version: "test", Dir: Dir,
			Input: in, Output: l, Env: []string{"HOME=/home/ada"}, Signals: l.Signals},
			Appearance: core.Appearance{Plain: true}}, Errors: io.Discard, Typed: true}
		if c.Options != nil {
			c.Options(&o)
		}
		crash.Go(func() {
			r, err := ui.Run(ctx, o)
			if err != nil {
				t.Error(err)
			}
			l.result <- r
		})
		synctest.Wait()
		f(l)
	})
}

// Type types a line, a second after whatever came before.
func (l *Lines) Type(line string) {
	l.T.Helper()
	time.Sleep(time.Second)
	synctest.Wait()
	_, _ = l.Write([]byte(line + "\n")) // the terminal's echo
	l.Send(line + "\n")
}

// Send sends bytes at once.
func (l *Lines) Send(s string) {
	l.T.Helper()
	if _, err := io.WriteString(l.in, s); err != nil {
		l.T.Fatalf("the chat no longer reads: %v", err)
	}
	l.Settle()
}

// Settle lets a tenth of a second pass.
func (l *Lines) Settle() {
	time.Sleep(100 * time.Millisecond)
	synctest.Wait()
}

// Said is everything that was said so far.
func (l *Lines) Said() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.said.String()
}

// News is what was said since the last call.
func (l *Lines) News() string {
	s := l.Said()
	news := s[l.read:]
	l.read = len(s)
	return news
}

// Left waits for the chat to end and returns how.
func (l *Lines) Left() core.Result {
	l.T.Helper()
	select {
	case r := <-l.result:
		l.result <- r
		return r
	case <-time.After(time.Minute):
		l.T.Fatalf("the chat did not end; it said:\n%s", l.Said())
	}
	return core.Result{}
}

// Golden compares what was said with testdata/NAME.txt, or with -update writes it.
func (l *Lines) Golden(name string) {
	l.T.Helper()
	golden(l.T, filepath.Join("testdata", name+".txt"), l.Said())
}
