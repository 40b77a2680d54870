package ui

import (
	"testing"

	"parley/ui/style"
)

func TestDivide(t *testing.T) {
	for height := style.MinHeight; height <= 60; height++ {
		for _, w := range []wants{{composer: 1}, {composer: 30, ask: 50}, {composer: 1, popup: 8, queue: 9}, {ask: 3, composer: 2, popup: 8, queue: 2}} {
			r := divide(height, w)
			total := 4 + r.air + r.gap + r.body + r.queue + r.popup + r.composer + r.ask
			if r.ask > 0 {
				total++
			}
			if total != height {
				t.Errorf("%d rows for %+v: %+v takes %d", height, w, r, total)
			}
			if r.body < 1 || r.composer < 1 || w.ask > 0 && r.ask < min(3, w.ask) {
				t.Errorf("%d rows for %+v: %+v", height, w, r)
			}
		}
	}
}
