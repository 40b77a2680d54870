package sim

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// BenchmarkStream is how fast an unpaced answer of 20,000 deltas leaves. Bytes are those of the stream.
func BenchmarkStream(b *testing.B) {
	s, err := Start(Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	defer http.DefaultClient.CloseIdleConnections()
	for b.Loop() {
		r, err := http.NewRequest(http.MethodPost, s.CopilotURL()+"/v1/messages", nil)
		if err != nil {
			b.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+s.Token())
		r.Header.Set("Copilot-Integration-Id", "bench")
		body := ask("bench:20000@0#B")
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			b.Fatal(err)
		}
		n, err := io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(n)
	}
}
