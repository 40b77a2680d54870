package ui

import (
	"testing"

	"parley/ui/style"
)

func TestDivide(t *testing.T) {
	for height := style.MinHeight; height <= 60; height++ {
		for _, w := range []wants{{composer: 1}, {composer: 30, prompt: 50}, {composer: 1, popup: 8, pending: 9}, {prompt: 3, composer: 2, popup: 8, pending: 2}} {
			r := divide(height, w)
			total := 4 + r.air + r.gap + r.body + r.pending + r.popup + r.composer + r.prompt
			if r.prompt > 0 {
				total++
			}
			if total != height {
				t.Errorf("%d rows for %+v: %+v takes %d", height, w, r, total)
			}
			if r.body < 1 || r.composer < 1 || w.prompt > 0 && r.prompt < min(3, w.prompt) {
				t.Errorf("%d rows for %+v: %+v", height, w, r)
			}
		}
	}
}
