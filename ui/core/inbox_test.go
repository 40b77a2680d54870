package core

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
)

func delta(part, text string) session.Event {
	return session.PartDelta{Part: session.PartID(part), Text: text}
}

// TestInboxNeverBlocksTheProducer lets the loop hang for good, as it does while an editor is open.
func TestInboxNeverBlocksTheProducer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log session.Log
		_, b := NewInbox(&log)
		ctx, cancel := context.WithCancel(t.Context())
		hang := make(chan struct{})
		done := make(chan struct{})
		go func() {
			b.Pump(ctx, func() { <-hang })
			close(done)
		}()
		began := time.Now()
		for i := range 10000 {
			log.Add(delta("a", "x"))
			if i%100 == 0 {
				log.Add(session.Notice{Text: "y"})
			}
		}
		if took := time.Since(began); took != 0 {
			t.Errorf("putting took %v of virtual time", took)
		}
		synctest.Wait()
		if n := len(b.Take()); n != 201 {
			t.Errorf("took %d events, want 100 notices and the runs of text around them", n)
		}
		cancel()
		close(hang)
		<-done
	})
}

// TestInboxPacesText counts the wakes: text in steps, everything else at once.
func TestInboxPacesText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log session.Log
		_, b := NewInbox(&log)
		ctx, cancel := context.WithCancel(t.Context())
		var mu sync.Mutex
		var wakes []time.Duration
		began := time.Now()
		done := make(chan struct{})
		go func() {
			b.Pump(ctx, func() {
				mu.Lock()
				wakes = append(wakes, time.Since(began))
				mu.Unlock()
			})
			close(done)
		}()
		for range 100 {
			log.Add(delta("a", "x"))
			time.Sleep(time.Millisecond)
		}
		synctest.Wait()
		mu.Lock()
		n := len(wakes)
		mu.Unlock()
		if want := 4; n != want { // at 0, 33, 66 and 99 ms
			t.Errorf("a tenth of a second of text woke the loop %d times, want %d: %v", n, want, wakes)
		}
		time.Sleep(time.Second)
		log.Add(delta("a", "x"))
		synctest.Wait()
		at := time.Since(began)
		log.Add(session.PartEnded{Part: "a"})
		synctest.Wait()
		mu.Lock()
		if last := wakes[len(wakes)-1]; last != at {
			t.Errorf("news woke the loop at %v, want %v", last, at)
		}
		mu.Unlock()
		time.Sleep(time.Second)
		mu.Lock()
		n = len(wakes)
		mu.Unlock()
		time.Sleep(time.Hour)
		mu.Lock()
		if len(wakes) != n {
			t.Errorf("%d wakes while nothing came", len(wakes)-n)
		}
		mu.Unlock()
		cancel()
		<-done
	})
}
