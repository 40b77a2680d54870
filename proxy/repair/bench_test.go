package repair

import (
	"bytes"
	"strings"
	"testing"
)

// conversation is a request of about n bytes as Claude Code has it: tools with addresses in their schemas, a system prompt,
// and turns with calls and results.
func conversation(n int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"model":"claude-opus-4-8","max_tokens":32000,"stream":true,"thinking":{"type":"adaptive","display":"updates"},` +
		`"output_config":{"effort":"medium"},"system":[{"type":"text","text":"` + strings.Repeat("A long prompt. ", 500) + `","cache_control":{"type":"ephemeral"}}],"tools":[` +
		many(25, `{"name":"tool%d","description":"`+strings.Repeat("Words about it. ", 60)+`","input_schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"path":{"type":"string"}}}}`) +
		`],"messages":[{"role":"user","content":"Do it."}`)
	for i := 0; b.Len() < n; i++ {
		turn := `,{"role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":"` + strings.Repeat("Eg", 200) + `"},{"type":"tool_use","id":"t%d","name":"tool1","input":{"path":"/a/b"}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"` + strings.Repeat(`\tfunc f() { return \"x\" }\n`, 80) + `"}]}`
		b.WriteString(strings.ReplaceAll(turn, "%d", strings.Repeat("i", i%7)+"x"))
	}
	b.WriteString("]}")
	return b.Bytes()
}

// BenchmarkRepair1MiB is all that reading, checking and repairing a large request costs.
func BenchmarkRepair1MiB(b *testing.B) {
	whole := conversation(1 << 20)
	r := newRepairer(b, Options{})
	b.SetBytes(int64(len(whole)))
	b.ReportAllocs()
	body := make([]byte, len(whole), len(whole)+bytes.MinRead)
	for b.Loop() {
		copy(body, whole) // the proxy reads it into a separate buffer
		req, err := Read(body)
		if err != nil {
			b.Fatal(err)
		}
		res, err := r.Repair(req, families[2].model, nil)
		if out := req.Take(); err != nil || len(res.Fired) == 0 || len(out) >= len(body) {
			b.Fatal(res, err)
		}
	}
}

// BenchmarkRead1MiB is the part of it that any use of the body needs.
func BenchmarkRead1MiB(b *testing.B) {
	body := conversation(1 << 20)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(body); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRepairSmall(b *testing.B) {
	body := conversation(0)
	r := newRepairer(b, Options{})
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := r.Body(body, families[2].model, nil); err != nil {
			b.Fatal(err)
		}
	}
}
