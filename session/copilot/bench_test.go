package copilot

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"parley/session"
	"parley/session/copilot/copilottest"
	"parley/session/proc"
	"parley/session/proc/pipe"
)

// BenchmarkIdleConversations is the memory of ten open conversations after a turn, with the simulated runtime that they share.
func BenchmarkIdleConversations(b *testing.B) {
	memory := func() float64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc + m.StackInuse)
	}
	for b.Loop() {
		before := memory()
		var r copilottest.Runtime
		home := b.TempDir()
		a := New(Options{Home: home, UserHome: home, Grace: 30 * time.Second, IdleAfter: -1,
			Runtime: func(context.Context) (Program, error) {
				return Program{Argv: []string{"copilot-runtime"}, Version: "1.0.102"}, nil
			},
			Models: func(context.Context) ([]session.Model, error) { return stageModels, nil },
			Start: func(_ context.Context, c proc.Command) (pipe.Process, error) {
				return copilottest.Start(r.Play, c), nil
			}})
		ended := make(chan struct{}, 100)
		for i := range 10 {
			id := session.ID(fmt.Sprintf("11111111-2222-4333-8444-%012d", i))
			conv, err := a.Open(b.Context(), session.OpenOptions{Session: id, Gen: 1, Dir: home, Settings: session.Settings{Mode: session.ModeDefault},
				Endpoint: session.Endpoint{BaseURL: "http://127.0.0.1:1", Bearer: "secret"}, Emit: func(e session.Event) {
					if _, ok := e.(session.TurnEnded); ok {
						ended <- struct{}{}
					}
				}})
			if err != nil {
				b.Fatal(err)
			}
			if err := conv.Send(b.Context(), session.TurnID(fmt.Sprint("t", i)), session.Prompt{Text: "hello"}, session.OriginUser); err != nil {
				b.Fatal(err)
			}
			<-ended
		}
		b.ReportMetric((memory()-before)/1024, "KB")
		if err := a.Close(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}
