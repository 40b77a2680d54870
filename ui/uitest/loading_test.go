//go:build unix

package uitest

import (
	"bytes"
	"context"
	"io"
	"slices"
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

// BenchmarkKeyWhileLoading types while a stored session of 100,000 messages is loaded, from a key to its echo.
func BenchmarkKeyWhileLoading(b *testing.B) {
	const id = "0194a000-0000-7000-8000-000000000701"
	w := sessiontest.NewWorld()
	w.Journals.Put(session.Meta{ID: id, Agent: "builtin", Dir: Dir}, longPast(id, 50_000)...)
	var took []time.Duration
	for b.Loop() {
		took = append(took, typeWhileLoading(b, w, id, 100)...)
	}
	slices.Sort(took)
	ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	b.ReportMetric(ms(took[len(took)/2]), "ms/median")
	b.ReportMetric(ms(took[len(took)*95/100]), "ms/p95")
	b.ReportMetric(ms(took[len(took)*99/100]), "ms/p99")
	b.ReportMetric(ms(took[len(took)-1]), "ms/most")
}

// typeWhileLoading opens a session and returns the times from keys to their echoes.
func typeWhileLoading(b *testing.B, w *sessiontest.World, id session.ID, keys int) (took []time.Duration) {
	b.Helper()
	manager := w.Manager()
	s, err := manager.Draft(live.DraftOptions{Dir: Dir})
	if err != nil {
		b.Fatal(err)
	}
	p, ok := manager.Preview(b.Context(), id)
	if !ok {
		b.Fatal("no end of the session")
	}
	load := make(chan struct{})
	in, typed := io.Pipe()
	shown, echo := make(chan struct{}, 1), make(chan struct{}, 1)
	out := writerFunc(func(p []byte) (int, error) {
		told := echo
		if len(p) > 400 {
			told = shown
		} else if !bytes.ContainsRune(p, 'z') {
			return len(p), nil
		}
		select {
		case told <- struct{}{}:
		default:
		}
		return len(p), nil
	})
	o := ui.Options{Options: chat.Options{Options: core.Options{Manager: manager, Agent: "builtin", Dir: Dir, Input: in, Output: out,
		Env: []string{"TERM=xterm-256color"}}}, Errors: io.Discard, Width: 120, Height: 40, Profile: colorprofile.TrueColor, Quiet: true, CrashDir: b.TempDir()}
	o.Session, o.Opening = s, &core.Opening{Meta: p.Meta, Settings: p.Settings, Events: p.Events, Load: func(ctx context.Context) (*live.Session, error) {
		<-load
		return manager.Resume(ctx, id)
	}}
	ctx, cancel := context.WithCancel(b.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = ui.Run(ctx, o)
	}()
	<-shown
	close(load)
	for range keys {
		began := time.Now()
		if _, err := typed.Write([]byte("z")); err != nil {
			b.Fatal(err)
		}
		select {
		case <-echo:
		case <-time.After(time.Second):
		}
		took = append(took, time.Since(began))
		<-time.After(2 * time.Millisecond)
	}
	cancel()
	<-done
	_ = typed.Close()
	if err := manager.Close(context.Background()); err != nil {
		b.Fatal(err)
	}
	return took
}
