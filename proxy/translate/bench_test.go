package translate

import (
	"fmt"
	"testing"
)

// BenchmarkStream translates a thousand deltas of words.
func BenchmarkStream(b *testing.B) {
	for _, a := range []api{apiResponses, apiChat} {
		b.Run(string(a), func(b *testing.B) {
			name := ""
			data := []byte(`{"id":"x","object":"chat.completion.chunk","created":1790000000,"model":"gemini-3-pro",` +
				`"choices":[{"index":0,"delta":{"content":"four"},"finish_reason":null}]}`)
			if a == apiResponses {
				name = "response.output_text.delta"
				data = fmt.Appendf(nil, `{"type":%q,"item_id":"%064d","output_index":0,"content_index":0,"delta":"four",`+
					`"logprobs":[],"sequence_number":17,"obfuscation":"abcdef"}`, name, 7)
			}
			r := makeRequest(b, a, nil)
			b.ReportAllocs()
			for b.Loop() {
				s := r.NewStream("msg_1")
				for range 1000 {
					if _, err := s.Feed(name, data); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// BenchmarkRequest translates a request with a long history.
func BenchmarkRequest(b *testing.B) {
	body := []byte(`{"model":"gpt-5.4","max_tokens":100,"tools":[{"name":"read","input_schema":{"type":"object"}}],"messages":[`)
	for i := range 200 {
		body = fmt.Appendf(body, `{"role":"user","content":"question"},{"role":"assistant","content":[{"type":"tool_use",`+
			`"id":"c%d","name":"read","input":{"path":"x"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c%d",`+
			`"content":"%05000d"}]},{"role":"assistant","content":"fine"},`, i, i, i)
	}
	body = append(body, `{"role":"user","content":"go on"}]}`...)
	for name, do := range map[string]func([]byte, Model) (*Request, error){"responses": RequestToResponses, "chat": RequestToChat} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				if _, err := do(body, gpt); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
