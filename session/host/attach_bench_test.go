package host_test

import (
	"fmt"
	"strings"
	"testing"

	"parley/session"
	"parley/session/host"
	"parley/session/live"
	"parley/session/sessiontest"
)

// BenchmarkAttach measures a screen that takes up a session with so many turns in a running host: from nothing until it has all events.
// Held to: 50 ms for a day's work of 100 turns.
func BenchmarkAttach(b *testing.B) {
	for _, turns := range []int{1, 100, 1000} {
		b.Run(fmt.Sprintf("%d turns", turns), func(b *testing.B) {
			w := newWorld(b, nil)
			m := w.screen(b)
			s := draft(b, m)
			for range turns {
				must(s.Send(session.Prompt{Text: "next"}))(b)
				turn := w.Agent.Turn(b)
				turn.Text(strings.Repeat("some words of an answer. ", 80))
				turn.End(session.TurnCompleted)
				if err := s.Wait(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
			events := 0
			for b.Loop() {
				d := w.Deps
				d.Agents = []session.Agent{sessiontest.NewAgent("builtin")}
				other := host.NewManager(host.ClientOptions{Place: w.o.Place, Local: live.NewManager(d), Program: "test"})
				again, err := other.Resume(b.Context(), s.ID())
				if err != nil {
					b.Fatal(err)
				}
				all, detach := again.Attach(func(session.Event) {})
				detach()
				events = len(all)
				b.StopTimer()
				leave(b, other)
				b.StartTimer()
			}
			b.ReportMetric(float64(events), "events")
		})
	}
}
