package list

import (
	"fmt"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// manyRows makes n rows as a list of sessions has them, in n/50 groups.
func manyRows(n int) (rows []Row) {
	for i := range n {
		rows = append(rows, Row{ID: fmt.Sprint("id-", i), Group: fmt.Sprint("~/repos/p", i*50/n), Also: "~/repos/p",
			Cells: []string{fmt.Sprintf("fix the upload test number %d and say why it fails", i*7919%n), "builtin", "sonnet 4.5", "main", "12", "3 days ago"}})
	}
	return rows
}

// many returns a list of n rows that has been drawn once.
func many(n int) *Picker {
	p := sized(Options{Title: "Resume", Peeks: true, Heads: []string{"", "agent", "model", "branch", "turns", "changed"}, Gives: []int{3, 4, 2, 1}}, manyRows(n), 120, 40)
	p.Rows(120, 40)
	return p
}

// BenchmarkLetter types a letter into the filter of a list of 20,000 rows and draws it, and takes it back.
func BenchmarkLetter(b *testing.B) {
	p := many(20_000)
	for b.Loop() {
		for _, k := range []tea.KeyPressMsg{{Code: 'u', Text: "u"}, {Code: 'p', Text: "p"}, {Code: 'l', Text: "l"}, {Code: tea.KeyBackspace}, {Code: tea.KeyBackspace}, {Code: tea.KeyBackspace}} {
			p.Update(k)
			p.Rows(120, 40)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*6), "µs/letter")
}

// BenchmarkFrame draws a list of 20,000 rows.
func BenchmarkFrame(b *testing.B) {
	p := many(20_000)
	for b.Loop() {
		p.Want(120, 40)
		p.Rows(120, 40)
	}
}

// BenchmarkOpenMany makes a list of 20,000 rows and draws it.
func BenchmarkOpenMany(b *testing.B) {
	rows := manyRows(20_000)
	for b.Loop() {
		p := sized(Options{Title: "Resume", Peeks: true}, rows, 120, 40)
		p.Rows(120, 40)
	}
}

// TestALongListCostsNoMoreToDraw counts the allocations of a frame: what lies outside of the window is not laid out.
func TestALongListCostsNoMoreToDraw(t *testing.T) {
	allocs := func(n int) float64 {
		p := many(n)
		return testing.AllocsPerRun(10, func() { p.Rows(120, 40) })
	}
	if few, all := allocs(200), allocs(20_000); all > few*1.5+50 {
		t.Errorf("a frame of 200 rows takes %.0f allocations, one of 20,000 %.0f", few, all)
	}
}

// TestALetterCostsNoRow counts the allocations of a letter that leaves many rows: none is made for a row.
func TestALetterCostsNoRow(t *testing.T) {
	p := many(20_000)
	p.Update(tea.KeyPressMsg{Code: 'u', Text: "u"})
	n := testing.AllocsPerRun(10, func() {
		p.Update(tea.KeyPressMsg{Code: 'p', Text: "p"})
		p.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
	})
	if n > 500 {
		t.Errorf("a letter takes %.0f allocations in a list of 20,000 rows", n)
	}
}
