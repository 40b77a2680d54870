package lsp

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestASlowServerGetsAsLongForWhatFollows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBoard()
		w := b.waitFrom()
		w.versions["a.go"] = 2
		version := 2
		time.Sleep(3 * time.Second)
		b.publish("a.go", &version, nil)
		time.Sleep(time.Second)
		if yes, again, _ := b.settled(w, 200*time.Millisecond); yes || again != 2*time.Second {
			t.Errorf("a server that took three seconds has settled after one: %v, again in %v", yes, again)
		}
		b.publish("b.go", nil, nil)
		time.Sleep(3 * time.Second)
		if yes, _, _ := b.settled(w, 200*time.Millisecond); !yes {
			t.Error("it has not settled after as long as it took")
		}
	})
}

func TestAFastServerIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBoard()
		w := b.waitFrom()
		w.versions["a.go"] = 2
		version := 2
		b.publish("a.go", &version, nil)
		time.Sleep(200 * time.Millisecond)
		if yes, again, _ := b.settled(w, 200*time.Millisecond); !yes {
			t.Errorf("look again in %v", again)
		}
	})
}
