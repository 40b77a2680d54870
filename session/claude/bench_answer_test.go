package claude

import (
	"testing"

	"parley/session"
	"parley/session/process"
)

// BenchmarkAnswer takes an answer of 20,000 tokens from the runtime's lines to the transcript, as a conversation does.
func BenchmarkAnswer(b *testing.B) {
	const tokens = 20_000
	l := []byte(`{"type":"stream_event","event":{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"word "}},` +
		`"session_id":"7c1ce5a3-6d6c-4a3b-a9a1-5f6d4a7b3b21","parent_tool_use_id":null,"uuid":"0d9a2b54-0d5c-4f0e-9a53-3a8d9d1f7a10"}`)
	b.ReportAllocs()
	for b.Loop() {
		e := newEngine(nil, "s", 1, session.Settings{}, process.NewBook[*pendingAsk](nil))
		e.begin(written{turn: "t", prompt: session.Prompt{Text: "p"}}, session.OriginUser, epoch)
		for _, line := range []string{
			`{"type":"stream_event","event":{"type":"message_start","message":{"id":"msg_1","model":"m"}}}`,
			`{"type":"stream_event","event":{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}}`,
		} {
			e.take([]byte(line), epoch)
		}
		var tr session.Transcript
		for range tokens {
			for _, event := range e.take(l, epoch) {
				tr.Apply(event)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/(tokens/1000), "µs/1000tokens")
}
