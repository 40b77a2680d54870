package md

import (
	"strings"
	"testing"
	"time"

	"parley/ui/md/highlight"
)

func BenchmarkStreamedCode(b *testing.B) {
	doc := "```go\n" + strings.Repeat(goSource, 10) + "```\n" // some 1,000 tokens
	b.ReportAllocs()
	for b.Loop() {
		c := &clock{time.Unix(1000, 0)}
		h := highlight.New(c.now)
		d := New(Options{Width: 100, Highlighter: h})
		for at := 0; at < len(doc); at += 4 {
			d.Append(doc[at:min(at+4, len(doc))])
			c.t = c.t.Add(time.Millisecond)
			if at%64 == 0 {
				d.Len()
				if job, ok := h.Next(); ok {
					h.Take(job.RunWithin(time.Minute))
				}
			}
		}
		d.End()
		d.Len()
		for job, ok := h.Next(); ok; job, ok = h.Next() {
			h.Take(job.RunWithin(time.Minute))
			d.Len()
		}
	}
	b.ReportMetric(float64(len(doc)), "bytes")
}
