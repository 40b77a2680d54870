package chat

import (
	"testing"
	"time"

	"parley/ui/keymap"
)

func TestAKeyCountsTwiceOnlySoonAndAlone(t *testing.T) {
	var taps taps
	now := time.Unix(1000, 0)
	for _, step := range []struct {
		after  time.Duration
		other  bool
		second bool
	}{{0, false, false}, {twice - 1, false, true}, {0, false, false}, {twice, false, false}, {time.Millisecond, true, false}, {time.Millisecond, false, true}} {
		now = now.Add(step.after)
		if step.other {
			taps.disarm(keymap.RunCommand)
		}
		if got := taps.leave.again(now); got != step.second {
			t.Errorf("%+v: %t", step, got)
		}
	}
	taps.clear.again(now)
	taps.disarm(keymap.Interrupt)
	if !taps.clear.again(now) {
		t.Error("escape disarms itself")
	}
}
