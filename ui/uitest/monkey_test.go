package uitest

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"parley/internal/repeat"
	"parley/session"
)

// TestReadersMayDoAnything presses keys and the mouse at random while an agent works, in windows of all sizes. Nothing may
// break, and afterwards the keyboard writes again.
func TestReadersMayDoAnything(t *testing.T) {
	names := []string{"pgup", "pgdown", "home", "end", "tab", "ctrl+up", "ctrl+down", "alt+up", "alt+down", "alt+end", "alt+a", "alt+i", "alt+k",
		"alt+m", "alt+s", "alt+w", "ctrl+f", "ctrl+x", "esc", "enter", "up", "down", "left", "n", "N", "v", "V", "y", "c", "j", "k", "g", "G", "w", "b", "$", "/", "q", "{", "}"}
	for seed := range uint64(repeat.Times(2, 3, 12)) {
		Run(t, Config{}, func(p *Program) {
			r := rand.New(rand.NewPCG(seed, 7))
			talk(p)
			p.Type("more")
			turn := p.Turn()
			part := turn.OpenPart(session.PartText, "It begins. ")
			c := turn.Child("explore", "look", "Look.", false)
			w, h := 80, 24
			for i := range 150 {
				switch n := r.IntN(20); {
				case n < 11:
					name := names[r.IntN(len(names))]
					if seq, ok := keys[name]; ok {
						p.Send(seq)
					} else {
						p.Send(name)
					}
				case n == 11:
					p.Press(r.IntN(w), r.IntN(h))
				case n == 12:
					p.Drag(r.IntN(w+10), r.IntN(h+5))
				case n == 13:
					p.Release(r.IntN(w), r.IntN(h))
				case n == 14:
					p.Wheel(r.IntN(7) - 3)
				case n == 15:
					turn.Emit(session.PartDelta{Part: part, Text: fmt.Sprintf("Word%d.\n\n", i)})
				case n == 16:
					c.Text(fmt.Sprintf("Child %d.", i))
				case n == 17:
					w, h = 30+r.IntN(100), 8+r.IntN(40)
					p.Resize(w, h)
				default:
					p.Pass(time.Duration(r.IntN(300)) * time.Millisecond)
				}
			}
			p.Release(0, 0)
			p.Resize(80, 24)
			turn.End(session.TurnCompleted)
			p.Settle()
			for range 8 { // out of whatever is open
				p.Keys("esc")
			}
			p.Keys("ctrl+u")
			p.Send("written at last")
			p.Settle()
			if !p.Has("written at last") {
				t.Errorf("seed %d: the keyboard does not write:\n%s", seed, p.Text())
			}
			p.Pass(30 * time.Second)
			before := p.Counts()
			p.Pass(time.Minute)
			if now := p.Counts(); now != before {
				t.Errorf("seed %d: something goes on: %+v became %+v", seed, before, now)
			}
		})
	}
}
