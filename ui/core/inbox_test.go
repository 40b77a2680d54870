package core

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"parley/session"
)

func delta(part, text string) session.Event {
	return session.PartDelta{Part: session.PartID(part), Text: text}
}

func TestInboxJoinsWhatWaits(t *testing.T) {
	b := NewInbox()
	for _, e := range []session.Event{delta("a", "1"), delta("b", "2"), delta("a", "3"), session.PartEnded{Part: "b"}, delta("a", "4")} {
		b.Put(e)
	}
	want := []session.Event{delta("a", "13"), delta("b", "2"), session.PartEnded{Part: "b"}, delta("a", "4")}
	if diff := cmp.Diff(want, b.Take()); diff != "" {
		t.Error(diff)
	}
	if rest := b.Take(); len(rest) != 0 {
		t.Errorf("taken twice: %v", rest)
	}
}

// flat writes events down so that joined deltas and others read the same: the text of each part between other events.
func flat(events []session.Event) string {
	var b strings.Builder
	texts := map[string]string{}
	settle := func() {
		for _, who := range slices.Sorted(maps.Keys(texts)) {
			fmt.Fprintf(&b, "\n%s: %s", who, texts[who])
		}
		clear(texts)
	}
	for _, e := range events {
		switch e := e.(type) {
		case session.PartDelta:
			texts["part "+string(e.Part)] += e.Text
		case session.ToolOutput:
			texts["call "+string(e.Call)] += e.Text
		default:
			settle()
			fmt.Fprintf(&b, "\n%T", e)
		}
	}
	settle()
	return b.String()
}

// TestInboxDropsNothing puts a random stream in while another goroutine takes it out, and compares the two.
func TestInboxDropsNothing(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 0))
		var sent []session.Event
		for i := range 2000 {
			switch r.IntN(6) {
			case 0:
				sent = append(sent, session.PartStarted{Part: "a"})
			case 1:
				sent = append(sent, session.ToolOutput{Call: session.CallID(fmt.Sprint(r.IntN(2))), Text: fmt.Sprint(i, " ")})
			default:
				sent = append(sent, delta(fmt.Sprint(r.IntN(2)), fmt.Sprint(i, " ")))
			}
		}
		b := NewInbox()
		var got []session.Event
		var wg sync.WaitGroup
		wg.Go(func() {
			for len(flat(got)) < len(flat(sent)) {
				got = append(got, b.Take()...)
			}
		})
		for _, e := range sent {
			b.Put(e)
		}
		wg.Wait()
		if diff := cmp.Diff(flat(sent), flat(got)); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
	}
}

// TestInboxNeverBlocksTheProducer lets the loop hang for good, as it does while an editor is open.
func TestInboxNeverBlocksTheProducer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewInbox()
		ctx, cancel := context.WithCancel(t.Context())
		hang := make(chan struct{})
		done := make(chan struct{})
		go func() {
			b.Pump(ctx, func() { <-hang })
			close(done)
		}()
		began := time.Now()
		for i := range 10000 {
			b.Put(delta("a", "x"))
			if i%100 == 0 {
				b.Put(session.Notice{Text: "y"})
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
		b := NewInbox()
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
			b.Put(delta("a", "x"))
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
		b.Put(delta("a", "x"))
		synctest.Wait()
		at := time.Since(began)
		b.Put(session.PartEnded{Part: "a"})
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
