package md

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

var words = strings.Fields(`a river runs past the mill where grain was ground before engines came and nobody asked how long a
day might last since light decided it while children carried water up the hill in buckets made of oak and iron`)

func prose(r *rand.Rand, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		w := words[r.IntN(len(words))]
		switch r.IntN(40) {
		case 0:
			w = "**" + w + "**"
		case 1:
			w = "`" + w + "`"
		case 2:
			w = "*" + w + "*"
		case 3:
			w = "[" + w + "](https://example.com/" + w + ")"
		}
		b.WriteString(w)
	}
	return b.String() + "."
}

const goSource = `func (s *store) load(ctx context.Context, id string) (*record, error) {
	row := s.db.QueryRowContext(ctx, "select body, at from records where id = ?", id)
	var rec record
	if err := row.Scan(&rec.body, &rec.at); err != nil {
		return nil, fmt.Errorf("load record %q: %w", id, err)
	}
	// An empty body is a record that was taken back.
	if len(rec.body) == 0 {
		return nil, errGone
	}
	return &rec, nil
}
`

// answer makes a document like those that models write, of about n bytes.
func answer(n int, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 7))
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		switch i % 7 {
		case 0:
			fmt.Fprintf(&b, "## Part %d\n\n", i)
		case 1, 3, 5:
			b.WriteString(prose(r, 40+r.IntN(60)) + "\n\n")
		case 2:
			b.WriteString("```go\n" + goSource + "```\n\n")
		case 4:
			for range 4 + r.IntN(4) {
				b.WriteString("- " + prose(r, 8+r.IntN(10)) + "\n")
			}
			b.WriteString("\n")
		case 6:
			b.WriteString("| name | what | how many |\n|---|---|---:|\n")
			for j := range 4 {
				fmt.Fprintf(&b, "| row %d | %s | %d |\n", j, prose(r, 4), r.IntN(1000))
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// portions streams doc in n-byte portions, reading the rows after each, and reports the distribution.
func portions(b *testing.B, doc string, n int) {
	b.ReportAllocs()
	var ds []time.Duration
	for b.Loop() {
		d := New(Options{Width: 100})
		ds = ds[:0]
		for i := 0; i < len(doc); i += n {
			t0 := time.Now()
			d.Append(doc[i:min(i+n, len(doc))])
			d.Len()
			ds = append(ds, time.Since(t0))
		}
	}
	var sum time.Duration
	for _, d := range ds {
		sum += d
	}
	slices.Sort(ds)
	b.ReportMetric(float64(sum.Nanoseconds())/1e3/float64(len(ds)), "µs/portion")
	b.ReportMetric(float64(ds[len(ds)/2].Nanoseconds())/1e3, "p50µs")
	b.ReportMetric(float64(ds[len(ds)*99/100].Nanoseconds())/1e3, "p99µs")
}

func BenchmarkPortions(b *testing.B) {
	var list, table, quote strings.Builder
	table.WriteString("| a | b | c |\n|---|---|---|\n")
	for i := range 200 {
		fmt.Fprintf(&list, "- item %d has **bold** words and a `code` span that goes on past the width of the pane at hand\n", i)
		fmt.Fprintf(&quote, "> line %d of a long quotation that goes on for a while\n", i)
		fmt.Fprintf(&table, "| row %d | some words here | %d |\n", i, i*i)
	}
	for _, c := range []struct{ name, doc string }{
		{"answer80KB", answer(80<<10, 1)}, {"list17KB", list.String()}, {"quote11KB", quote.String()},
		{"table6KB", table.String()}, {"fence80KB", "```go\n" + strings.Repeat(goSource, 160)},
		{"paragraph4KB", prose(rand.New(rand.NewPCG(1, 1)), 800)},
	} {
		b.Run(c.name, func(b *testing.B) { portions(b, c.doc, 4) })
	}
	b.Run("answer80KB/120bytes", func(b *testing.B) { portions(b, answer(80<<10, 1), 120) })
}

func BenchmarkWhole(b *testing.B) {
	doc := answer(80<<10, 1)
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		Render(doc, Options{Width: 100})
	}
}
