package session

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Fragments join the one that waits, past fragments of others, but not past another event, a generation or a cut.
func TestBacklogJoinsFragments(t *testing.T) {
	one, two := Head{Turn: "t", Gen: 1}, Head{Turn: "t", Gen: 2}
	var b Backlog[int]
	for i, e := range []Event{
		PartDelta{Head: one, Part: "p", Text: "a"}, ToolInput{Head: one, Call: "p", Fragment: "{"}, PartDelta{Head: one, Part: "q", Text: "b"},
		PartDelta{Head: one, Part: "p", Text: "c"}, ToolInput{Head: one, Call: "p", Fragment: "}"}, PartDelta{Head: two, Part: "p", Text: "d"},
		PartDelta{Head: one, Part: "p", Text: "e"}, nil, PartDelta{Head: one, Part: "p", Text: "f"},
	} {
		b.Add(e, i)
	}
	b.Cut()
	b.Add(PartDelta{Head: one, Part: "p", Text: "g"}, 9)
	want := []string{"0 ac", "1 {}", "2 b", "5 d", "6 e", "7 ", "8 f", "9 g"}
	read := func(all []Waiting[int]) (out []string) {
		for _, w := range all {
			text, _ := Fragment(w.Event)
			out = append(out, fmt.Sprint(w.With, " ", text))
		}
		return out
	}
	if diff := cmp.Diff(want, read(b.Items())); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want, read(b.Take())); diff != "" || b.Len() != 0 {
		t.Error(b.Len(), diff)
	}
	b.Add(PartDelta{Head: one, Part: "p", Text: "h"}, 10)
	if diff := cmp.Diff([]string{"10 h"}, read(b.Take())); diff != "" {
		t.Error(diff)
	}
}

// A transcript folded from what waited is the one folded from every single event.
func TestBacklogFoldsToTheSameTranscript(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		h := Head{Turn: "t", Gen: 1}
		sent := []Event{TurnStarted{Head: h}}
		var b Backlog[struct{}]
		for i := range 500 {
			id := fmt.Sprint(r.IntN(4))
			switch r.IntN(12) {
			case 0:
				sent = append(sent, PartStarted{Head: h, Part: PartID(id), Kind: PartReasoning})
			case 1:
				sent = append(sent, ToolStarted{Head: h, Call: CallID(id), Name: "Bash"})
			case 2:
				sent = append(sent, PartReplaced{Head: h, Part: PartID(id), Text: "whole"})
			case 3, 4, 5:
				sent = append(sent, ToolInput{Head: h, Call: CallID(id), Fragment: fmt.Sprint(i, " ")})
			case 6, 7:
				sent = append(sent, ToolOutput{Head: h, Call: CallID(id), Text: fmt.Sprint(i, " ")})
			default:
				sent = append(sent, PartDelta{Head: h, Part: PartID(id), Text: fmt.Sprint(i, " ")})
			}
		}
		var got []Event
		for _, e := range sent {
			b.Add(e, struct{}{})
			if r.IntN(50) == 0 {
				for _, w := range b.Take() {
					got = append(got, w.Event)
				}
			}
		}
		for _, w := range b.Take() {
			got = append(got, w.Event)
		}
		if diff := cmp.Diff(entryTexts(Fold(sent)), entryTexts(Fold(got))); diff != "" || len(got) >= len(sent) {
			t.Fatalf("seed %d, %d of %d events: %s", seed, len(got), len(sent), diff)
		}
	}
}

// entryTexts returns the entries of a transcript with their texts, in order.
func entryTexts(t *Transcript) (out []string) {
	for _, turn := range t.Turns {
		for _, e := range turn.Entries {
			switch e := e.(type) {
			case *Part:
				out = append(out, fmt.Sprint(e.ID, e.Kind, e.text.String()))
			case *Tool:
				out = append(out, fmt.Sprint(e.Call, e.Name, e.partial.String(), e.output.String()))
			}
		}
	}
	return out
}

// A handler that stands still makes nothing wait but one entry for each part, with its text, and gets all of it.
func TestOutboxIsBounded(t *testing.T) {
	const deltas, parts = 100_000, 20
	stand, standing := make(chan struct{}), make(chan struct{})
	var got [parts]strings.Builder
	calls := 0
	b := NewOutbox(func(e Event) {
		if calls++; calls == 1 {
			close(standing)
			<-stand
		}
		var p int
		_, _ = fmt.Sscan(string(e.(PartDelta).Part), &p)
		got[p].WriteString(e.(PartDelta).Text)
	})
	var want [parts]strings.Builder
	done := make(chan struct{})
	for i := range deltas {
		text := fmt.Sprintf("%05d", i)
		want[i%parts].WriteString(text)
		b.Put(PartDelta{Part: PartID(fmt.Sprint(i % parts)), Text: text})
		if i == 0 {
			go func() { defer close(done); b.Deliver() }()
			<-standing
		}
	}
	b.mu.Lock()
	bytes := 0
	for _, w := range b.queue.items {
		bytes += w.text.more.Cap()
	}
	if n := b.queue.Len(); n != parts || bytes > 2*5*deltas {
		t.Errorf("%d entries wait with %d bytes, for %d parts with %d", n, bytes, parts, 5*deltas)
	}
	b.mu.Unlock()
	close(stand)
	<-done
	b.Stop()
	for p := range parts {
		if got[p].String() != want[p].String() {
			t.Errorf("part %d: %d bytes of %d", p, got[p].Len(), want[p].Len())
		}
	}
	if calls != parts+1 {
		t.Errorf("%d calls", calls)
	}
}
