package paint

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/colorprofile"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// pipe is a terminal whose writes can be blocked.
type pipe struct {
	mu     sync.Mutex
	all    bytes.Buffer
	writes []string
	gate   chan struct{} // if not nil, a write takes one from it first
}

func (p *pipe) Write(b []byte) (int, error) {
	if p.gate != nil {
		<-p.gate
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.writes = append(p.writes, string(b))
	return p.all.Write(b)
}

func (p *pipe) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.all.String()
}

// take returns what was written since the last call, write by write.
func (p *pipe) take() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := p.writes
	p.writes = nil
	return w
}

func quiet(out *pipe) Options {
	return Options{Out: out, Width: 40, Height: 5, Profile: colorprofile.TrueColor, AltScreen: true, Quiet: true}
}

func rows(s ...string) Frame { return Frame{Rows: s, CursorVisible: true} }

func TestInputIsPaintedAtOnceAndStreamingIsPaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &pipe{}
		p := New(quiet(out))
		p.Start()
		defer p.Stop(nil)
		synctest.Wait()
		p.Draw(rows("first"), Soon)
		synctest.Wait()
		if n := p.Stats().Painted; n != 1 {
			t.Fatalf("the first frame was not painted at once: %d", n)
		}

		p.Draw(rows("streamed 0"), Soon)
		synctest.Wait()
		if n := p.Stats().Painted; n != 2 {
			t.Fatalf("one frame may come before its turn: %d", n)
		}
		p.Draw(rows("streamed 1"), Soon)
		p.Draw(rows("streamed 2"), Soon)
		synctest.Wait()
		if n := p.Stats().Painted; n != 2 {
			t.Fatalf("a streamed frame did not wait for its turn: %d", n)
		}
		p.Draw(rows("typed"), Now)
		synctest.Wait()
		if n := p.Stats().Painted; n != 3 || !strings.Contains(out.String(), "typed") {
			t.Fatalf("the answer to a key was not painted at once: %d %q", n, out.String())
		}

		p.Draw(rows("last"), Soon)
		time.Sleep(2 * fastFrame)
		synctest.Wait()
		if !strings.Contains(out.String(), "last") {
			t.Fatalf("the last frame was never painted: %q", out.String())
		}
		out.take()
		time.Sleep(time.Hour)
		if w := out.take(); len(w) != 0 {
			t.Errorf("written while idle: %q", w)
		}
	})
}

func TestStreamingFor10Seconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &pipe{}
		p := New(quiet(out))
		p.Start()
		defer p.Stop(nil)
		for i := range 10_000 {
			p.Draw(rows(fmt.Sprintf("delta %d", i)), Soon)
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Second)
		s := p.Stats()
		if s.Drawn != 10_000 || s.Painted < 500 || s.Painted > 10_000/16+2 {
			t.Errorf("%+v, want one frame every 16 ms", s)
		}
		p.SetFocused(false)
		time.Sleep(time.Second)
		for i := range 1000 {
			p.Draw(rows(fmt.Sprintf("blurred %d", i)), Soon)
			time.Sleep(time.Millisecond)
		}
		p.Draw(rows("the very last"), Soon)
		time.Sleep(time.Second)
		if n := p.Stats().Painted - s.Painted; n < 4 || n > 6 {
			t.Errorf("%d frames in a second without the focus, want 4 to 6", n)
		}
		if w := out.take(); !strings.Contains(w[len(w)-1], "very last") {
			t.Errorf("the last frame was not painted: %q", w[len(w)-1])
		}
	})
}

func TestSlowTerminalDelaysFramesOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &pipe{gate: make(chan struct{})}
		p := New(quiet(out))
		p.Start()
		p.Draw(rows("first"), Now)
		synctest.Wait() // the writer is stuck taking the modes
		for i := range 1000 {
			p.Draw(rows(fmt.Sprintf("frame %d", i)), Now) // would deadlock the bubble if it waited
		}
		close(out.gate)
		p.Stop(nil)
		if s := p.Stats(); s.Drawn != 1001 || s.Painted > 1 {
			t.Errorf("%+v, want only the newest frame painted", s)
		}
	})
}

func TestNewestFrameWins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &pipe{gate: make(chan struct{})}
		p := New(quiet(out))
		p.Start()
		out.gate <- struct{}{} // the modes
		p.Draw(rows("one"), Now)
		synctest.Wait()
		for _, s := range []string{"two", "three", "four"} {
			p.Draw(rows(s), Now)
		}
		out.gate <- struct{}{}
		synctest.Wait()
		close(out.gate)
		p.Stop(nil)
		got := out.String()
		if strings.Contains(got, "two") || strings.Contains(got, "three") || !strings.Contains(got, "four") {
			t.Errorf("wrote %q, want one and four only", got)
		}
	})
}

func TestShownIsWhatTheTerminalHasTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &pipe{gate: make(chan struct{})}
		p := New(quiet(out))
		p.Start()
		out.gate <- struct{}{} // the modes
		p.Draw(rows("one"), Now)
		synctest.Wait()
		if n := p.Stats().Shown; n != 0 {
			t.Errorf("frame %d is said to be shown while it is being written", n)
		}
		p.Draw(rows("two"), Now)
		p.Draw(rows("three"), Now)
		out.gate <- struct{}{}
		synctest.Wait()
		if n := p.Stats().Shown; n != 1 {
			t.Errorf("frame %d is said to be shown, want the first", n)
		}
		close(out.gate)
		p.Stop(nil)
		if n := p.Stats().Shown; n != 1 && n != 3 {
			t.Errorf("frame %d is said to be shown, which was replaced before its turn", n)
		}
	})
}

func TestSameFrameWritesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &pipe{}
		p := New(quiet(out))
		p.Start()
		defer p.Stop(nil)
		f := Frame{Rows: []string{"a", "b"}, Cursor: Pos{3, 1}, CursorVisible: true, Title: "title"}
		p.Draw(f, Now)
		synctest.Wait()
		before := p.Stats()
		p.Draw(f, Now)
		synctest.Wait()
		if s := p.Stats(); s.Bytes != before.Bytes || s.Painted != 2 {
			t.Errorf("%d bytes for the same frame again", s.Bytes-before.Bytes)
		}
		f.Cursor.X++
		p.Draw(f, Now)
		synctest.Wait()
		if n := p.Stats().Bytes - before.Bytes; n != len("\x1b[C") {
			t.Errorf("%d bytes for a cursor one to the right", n)
		}
	})
}

func TestCallerMayReuseTheRows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &pipe{}
		p := New(quiet(out))
		p.Start()
		defer p.Stop(nil)
		r := []string{"mine"}
		p.Draw(Frame{Rows: r}, Now)
		r[0] = "reused"
		synctest.Wait()
		if !strings.Contains(out.String(), "mine") || strings.Contains(out.String(), "reused") {
			t.Errorf("wrote %q", out.String())
		}
	})
}

func TestSynchronizedOutputOnlyWhenGranted(t *testing.T) {
	for value, want := range map[int]bool{0: false, 1: true, 2: true, 3: true, 4: false} {
		synctest.Test(t, func(t *testing.T) {
			out := &pipe{}
			p := New(quiet(out))
			p.Start()
			defer p.Stop(nil)
			p.Draw(rows("before"), Now)
			synctest.Wait()
			if strings.Contains(out.String(), "\x1b[?2026h") {
				t.Fatalf("synchronized before the terminal said it can")
			}
			p.ModeReport(2026, value)
			p.Draw(rows("after"), Now)
			synctest.Wait()
			w := out.take()
			last := w[len(w)-1]
			framed := strings.HasPrefix(last, "\x1b[?2026h") && strings.HasSuffix(last, "\x1b[?2026l")
			if framed != want {
				t.Errorf("report %d: wrote %q, synchronized should be %v", value, last, want)
			}
		})
	}
}

func TestNothingIsPaintedWithoutASizeOrAFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &pipe{}
		o := quiet(out)
		o.Width, o.Height = 0, 0
		p := New(o)
		p.Start()
		defer p.Stop(nil)
		synctest.Wait()
		p.Draw(rows("early"), Now)
		synctest.Wait()
		if n := p.Stats().Painted; n != 0 {
			t.Fatalf("painted on a screen without a size")
		}
		p.Resize(20, 3)
		synctest.Wait()
		if n := p.Stats().Painted; n != 1 || !strings.Contains(out.String(), "early") {
			t.Fatalf("not painted once the size was known: %q", out.String())
		}
	})
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("gone") }

func TestWriteErrorIsKept(t *testing.T) {
	p := New(Options{Out: broken{}, Width: 10, Height: 2})
	p.Start()
	p.Draw(rows("a"), Now)
	p.Stop(nil)
	p.mu.Lock()
	err := p.err
	p.mu.Unlock()
	if err == nil || !strings.Contains(err.Error(), "gone") {
		t.Errorf("error %v", err)
	}
	if s := p.Stats(); s.Writes != 1 {
		t.Errorf("%d writes to a terminal that is gone", s.Writes)
	}
}
