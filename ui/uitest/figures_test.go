//go:build unix

package uitest

import (
	"context"
	"io"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
	"parley/ui"
	"parley/ui/chat"
	"parley/ui/core"
)

// cpu is the processor time this process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// wire counts what a terminal is sent, and takes it at once.
type wire struct{ bytes, writes atomic.Int64 }

// Write takes it.
func (w *wire) Write(b []byte) (int, error) {
	w.bytes.Add(int64(len(b)))
	w.writes.Add(1)
	return len(b), nil
}

// BenchmarkStreaming streams 1,000 tokens of four bytes within a second through the whole screen, the emitting agent
// included, in real time. Beside the processor time it reports frames, and bytes to the terminal per byte of text.
func BenchmarkStreaming(b *testing.B) {
	for _, c := range []struct {
		name   string
		inline bool
		token  func(n int) string
	}{{"alt", false, proseToken}, {"inline", true, proseToken}, {"code", false, codeToken}} {
		b.Run(c.name, func(b *testing.B) {
			w := sessiontest.NewWorld()
			manager := w.Manager()
			s, err := manager.Draft(live.DraftOptions{Dir: Dir})
			if err != nil {
				b.Fatal(err)
			}
			in, keys := io.Pipe()
			out := &wire{}
			ctx, cancel := context.WithCancel(b.Context())
			done := make(chan struct{})
			o := ui.Options{Options: chat.Options{Options: core.Options{Manager: manager, Session: s, Agent: "builtin", Dir: Dir, Input: in, Output: out,
				Env: []string{"TERM=xterm-256color", "HOME=/home/ada"}, First: "go"}, Appearance: core.Appearance{Inline: c.inline}},
				Errors: io.Discard, Width: 120, Height: 40, Profile: colorprofile.TrueColor, Quiet: true, CrashDir: b.TempDir()}
			go func() {
				defer close(done)
				_, _ = ui.Run(ctx, o)
			}()
			turn := w.Agent.Turn(b)
			part := turn.OpenPart(session.PartText)
			text := 0
			begun, bytes, writes := cpu(), out.bytes.Load(), out.writes.Load()
			n := 0
			for b.Loop() {
				tick := time.NewTicker(10 * time.Millisecond)
				for range 100 {
					<-tick.C
					for range 10 {
						n++
						word := c.token(n)
						text += len(word)
						turn.Emit(session.PartDelta{Part: part, Text: word})
					}
				}
				tick.Stop()
			}
			b.ReportMetric(float64(cpu()-begun)/float64(time.Millisecond)/float64(b.N), "cpu-ms/1k-tokens")
			b.ReportMetric(float64(out.writes.Load()-writes)/float64(b.N), "frames/s")
			b.ReportMetric(float64(out.bytes.Load()-bytes)/float64(text), "wire-B/text-B")
			cancel()
			<-done
			_ = keys.Close()
			if err := manager.Close(context.Background()); err != nil {
				b.Error(err)
			}
		})
	}
}

// proseToken is the nth token of some prose.
func proseToken(n int) string {
	switch {
	case n%90 == 0:
		return ".\n\n\n"
	case n%9 == 0:
		return ", ab"
	case n%2 == 0:
		return " off"
	}
	return "word"
}

// codeSource is a function as agents write them.
const codeSource = `// load reads a record, which may have been taken back.
func (s *store) load(ctx context.Context, id string) (*record, error) {
	row := s.db.QueryRowContext(ctx, "select body, at from records where id = ?", id)
	var rec record
	if err := row.Scan(&rec.body, &rec.at); err != nil {
		return nil, fmt.Errorf("load record %q: %w", id, err)
	}
	if len(rec.body) == 0 {
		return nil, errGone // as if it were not there
	}
	return &rec, nil
}

`

// codeToken is the nth token of blocks of code, each of some 1,000 tokens.
func codeToken(n int) string {
	const size = 4
	block := "```go\n" + strings.Repeat(codeSource, 9) + "```\n\n"
	at := (n - 1) * size % (len(block) / size * size)
	if at+2*size > len(block) {
		return block[at:]
	}
	return block[at : at+size]
}

// BenchmarkResumeLong shows a stored session of 10,000 messages: from the call to the first frame on the terminal, with
// all of it, and with its end while the rest is still to come.
func BenchmarkResumeLong(b *testing.B) {
	const id = "0194a000-0000-7000-8000-000000000700"
	w := sessiontest.NewWorld()
	w.Journals.Put(session.Meta{ID: id, Agent: "builtin", Dir: Dir}, longPast(id, 5000)...)
	resume := func(m *live.Manager) func(ctx context.Context) (*live.Session, error) {
		return func(ctx context.Context) (*live.Session, error) { return m.Resume(ctx, id) }
	}
	b.Run("all", func(b *testing.B) {
		untilFirstFrame(b, w, func(m *live.Manager, o *ui.Options) {
			s, err := resume(m)(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			o.Session = s
		})
	})
	b.Run("end", func(b *testing.B) {
		untilFirstFrame(b, w, func(m *live.Manager, o *ui.Options) {
			s, err := m.Draft(live.DraftOptions{Dir: Dir})
			p, ok := m.Preview(b.Context(), id)
			if err != nil || !ok {
				b.Fatal(err, ok)
			}
			o.Session, o.Opening = s, &core.Opening{Meta: p.Meta, Settings: p.Settings, Events: p.Events, Load: resume(m)}
		})
	})
}

// untilFirstFrame measures how long it takes until the terminal has been sent a whole frame of the session chosen.
func untilFirstFrame(b *testing.B, w *sessiontest.World, choose func(m *live.Manager, o *ui.Options)) {
	b.Helper()
	for b.Loop() {
		manager := w.Manager()
		in, keys := io.Pipe()
		shown := make(chan struct{}, 1)
		out := writerFunc(func(p []byte) (int, error) {
			if len(p) > 400 {
				select {
				case shown <- struct{}{}:
				default:
				}
			}
			return len(p), nil
		})
		o := ui.Options{Options: chat.Options{Options: core.Options{Manager: manager, Agent: "builtin", Dir: Dir, Input: in, Output: out,
			Env: []string{"TERM=xterm-256color"}}}, Errors: io.Discard, Width: 120, Height: 40, Profile: colorprofile.TrueColor, Quiet: true, CrashDir: b.TempDir()}
		choose(manager, &o)
		ctx, cancel := context.WithCancel(b.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, _ = ui.Run(ctx, o)
		}()
		<-shown
		b.StopTimer()
		cancel()
		<-done
		_ = keys.Close()
		if err := manager.Close(context.Background()); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

// writerFunc is a function as a writer.
type writerFunc func(p []byte) (int, error)

// Write calls it.
func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
