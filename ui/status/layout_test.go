package status

import (
	"testing"

	"parley/ui/style"
)

func TestDivide(t *testing.T) {
	for height := style.MinHeight; height <= 60; height++ {
		for _, w := range []Wants{{Composer: 1}, {Composer: 30, Ask: 50}, {Composer: 1, Popup: 8, Queue: 9}, {Ask: 3, Composer: 2, Popup: 8, Queue: 2}, {Ask: 3, Composer: 2, Popup: 8, Footless: true}} {
			r := Divide(height, w)
			total := 4 + r.Air + r.Gap + r.Body + r.Queue + r.Popup + r.Composer + r.Ask
			if r.Ask > 0 {
				total++
			}
			if w.Footless {
				total--
			}
			if total != height {
				t.Errorf("%d rows for %+v: %+v takes %d", height, w, r, total)
			}
			if r.Body < 1 || r.Composer < 1 || w.Ask > 0 && r.Ask < min(3, w.Ask) {
				t.Errorf("%d rows for %+v: %+v", height, w, r)
			}
		}
	}
}
