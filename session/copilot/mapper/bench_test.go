package mapper_test

import (
	"fmt"
	"testing"
	"time"

	"parley/session/copilot/mapper"
	"parley/session/copilot/protocol"
)

// BenchmarkDeltas maps two thousand deltas, each with the twin that only counts bytes.
func BenchmarkDeltas(b *testing.B) {
	at := time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC)
	var events []protocol.Event
	for i := range 2000 {
		events = append(events,
			protocol.Event{ID: "d", Timestamp: at, Type: "assistant.streaming_delta", Data: []byte(fmt.Sprintf(`{"totalResponseSizeBytes":%d}`, 20*i))},
			protocol.Event{ID: "e", Timestamp: at, Type: "assistant.message_delta",
				Data: []byte(`{"messageId":"2cdee0c2-d505-4f7e-b3f9-b91cfaa642ef","deltaContent":"some words, and others"}`)})
	}
	b.ReportAllocs()
	for b.Loop() {
		m := mapper.New("s", 1)
		n := 0
		for _, e := range events {
			n += len(m.Map(e, at))
		}
		if n < 2000 {
			b.Fatal(n)
		}
	}
}
