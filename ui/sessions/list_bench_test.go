package sessions

import (
	"fmt"
	"testing"
	"time"

	"parley/session"
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
