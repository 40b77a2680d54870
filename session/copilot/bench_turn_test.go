package copilot

import (
	"context"
	"fmt"
	"testing"
	"time"

	"parley/session"
	"parley/session/copilot/copilottest"
)

// BenchmarkFirstEvent measures the time from a prompt to the first text over what the runtime itself takes: the simulated one
// answers at once.
func BenchmarkFirstEvent(b *testing.B) {
	s := newStage(b, nil)
	var first time.Duration
	for i := 0; b.Loop(); i++ {
		turn := session.TurnID(fmt.Sprint("t", i))
		start := time.Now()
		result := s.send(turn, "hello")
		s.begun(turn)
		first += time.Since(start)
		<-result
	}
	b.ReportMetric(float64(first.Microseconds())/float64(b.N), "µs/first")
}

// BenchmarkDeltas measures a turn of 2,000 deltas with their twins, in both processes.
func BenchmarkDeltas(b *testing.B) {
	s := newStage(b, func(s *stage, _ *Options) {
		s.runtime.Turn = func(a *copilottest.Actor, _ string) {
			for i := range 2000 {
				a.Ephemeral("assistant.message_delta", map[string]any{"messageId": "m", "deltaContent": "four"})
				a.Ephemeral("assistant.streaming_delta", map[string]any{"totalResponseSizeBytes": 4 * i})
			}
		}
	})
	for i := 0; b.Loop(); i++ {
		s.ask(session.TurnID(fmt.Sprint("t", i)), "hello")
		s.mu.Lock()
		s.events = nil
		s.mu.Unlock()
	}
}

// BenchmarkClientTool is what a call of a tool of parley costs beyond its work: from the runtime's request that calls one that does
// nothing to its result, in both processes.
func BenchmarkClientTool(b *testing.B) {
	const many = 100
	var took time.Duration
	s := newStage(b, func(s *stage, _ *Options) {
		s.runtime.Turn = func(a *copilottest.Actor, _ string) {
			start := time.Now()
			for range many {
				if r := a.Client("nothing", map[string]any{"a": "b"}); r.Text != "done" {
					b.Errorf("%+v", r)
				}
			}
			took += time.Since(start)
		}
	})
	nothing := session.ClientTool{Name: "nothing", Schema: []byte(`{"type":"object"}`), Call: func(context.Context, session.ClientCall) (session.ToolResult, error) {
		return session.ToolResult{Text: "done"}, nil
	}}
	if err := s.conv.(session.ClientTools).SetTools(b.Context(), []session.ClientTool{nothing}); err != nil {
		b.Fatal(err)
	}
	if err := s.conv.Configure(b.Context(), session.Settings{Mode: session.ModeBypass}); err != nil {
		b.Fatal(err)
	}
	for i := 0; b.Loop(); i++ {
		s.ask(session.TurnID(fmt.Sprint("t", i)), "hello")
	}
	b.ReportMetric(float64(took.Microseconds())/float64(b.N*many), "µs/call")
}
