//go:build unix

package uitest

import (
	"testing"
	"time"

	"parley/internal/repeat"
	"parley/session"
)

// TestWireBytes streams 1,500 tokens, in .ci/full 4,000, on surfaces of true colors: at most 3 bytes go to the terminal for each byte of prose, 6
// for each of code.
func TestWireBytes(t *testing.T) {
	for _, c := range []struct {
		name  string
		token func(n int) string
		most  int
	}{{"prose", proseToken, 3}, {"code", codeToken, 6}} {
		Run(t, Config{Width: 120, Height: 40, Settings: opus}, func(p *Program) {
			p.Type("hello")
			turn := p.Turn()
			p.Settle()
			before, text := p.Bytes(), 0
			part := turn.OpenPart(session.PartText)
			for n := range repeat.Times(1000, 1500, 4000) {
				s := c.token(n + 1)
				text += len(s)
				turn.Emit(session.PartDelta{Part: part, Text: s})
				time.Sleep(time.Millisecond)
			}
			p.Settle()
			if wire := p.Bytes() - before; wire > c.most*text {
				t.Errorf("%d bytes for %d of %s", wire, text, c.name)
			}
			turn.End(session.TurnCompleted)
			p.Settle()
		})
	}
}
