package sessions

import (
	"fmt"
	"testing"
	"time"

	"parley/session"
	"parley/ui/list"
	"parley/ui/style"
)

// manySessions makes n sessions, a tenth of them of one directory.
func manySessions(n int) Sessions {
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	l := Sessions{Dir: "/repos/here", Home: "/home/me", At: at}
	for i := range n {
		m := session.Meta{ID: session.ID(fmt.Sprintf("id-%d", i)), Agent: "builtin", Dir: fmt.Sprintf("/repos/p%d", i%400), Model: "claude-sonnet-4.5", Branch: "main",
			First: fmt.Sprintf("fix the upload test number %d and say why it fails", i*7919%n), Turns: i % 30, Updated: at.Add(-time.Duration(i) * time.Minute)}
		if i%10 == 0 {
			m.Dir = l.Dir
		}
		l.All = append(l.All, m)
	}
	return l
}

// BenchmarkRowsOfManySessions makes the rows of 20,000 sessions.
func BenchmarkRowsOfManySessions(b *testing.B) {
	l := manySessions(20_000)
	for b.Loop() {
		l.Rows()
	}
}

// BenchmarkOpen opens the list of 20,000 sessions and draws it: with all of them known, and with the first ones of the index.
func BenchmarkOpen(b *testing.B) {
	l := manySessions(20_000)
	l.Look = &style.Look{Now: func() time.Time { return l.At }, Width: 120, Height: 40}
	for name, m := range map[string]*store{"known": {known: l.All}, "newest": {newest: l.All[:2*firstRows]}} {
		b.Run(name, func(b *testing.B) {
			l := l
			l.Manager, l.All = m, nil
			for b.Loop() {
				loading := l
				loading.Loading = true
				p := list.Open(l.Look, loading, "")
				p.Source.(Sessions).Update(p, Find(m, l)(b.Context()))
				p.Draw(120, 40)
			}
		})
	}
}
