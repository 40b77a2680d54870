package session

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
)

// Fragments join the one of their part, past fragments of others, but not past another event or a generation.
func TestRecordJoinsFragments(t *testing.T) {
	one, two := Head{Turn: "t", Gen: 1}, Head{Turn: "t", Gen: 2}
	var r Record
	for _, e := range []Event{
		PartDelta{Head: one, Part: "p", Text: "a"}, ToolInput{Head: one, Call: "p", Fragment: "{"}, PartDelta{Head: one, Part: "q", Text: "b"},
		PartDelta{Head: one, Part: "p", Text: "c"}, ToolInput{Head: one, Call: "p", Fragment: "}"}, PartDelta{Head: two, Part: "p", Text: "d"},
		PartDelta{Head: one, Part: "p", Text: "e"}, Notice{Head: one}, PartDelta{Head: one, Part: "p", Text: "f"},
	} {
		r.Add(e)
	}
	want := []string{"ac", "{}", "b", "d", "e", "", "f"}
	if diff := cmp.Diff(want, fragments(r.All())); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want, fragments(r.Take())); diff != "" || len(r.All()) != 0 {
		t.Error(diff)
	}
	r.Add(PartDelta{Head: one, Part: "p", Text: "h"})
	if diff := cmp.Diff([]string{"h"}, fragments(r.Take())); diff != "" {
		t.Error(diff)
	}
	for i := range 3 * maxOpen {
		r.Add(PartDelta{Head: one, Part: PartID(fmt.Sprint(i)), Text: "x"})
	}
	if len(r.open) > maxOpen {
		t.Errorf("%d fragments are open", len(r.open))
	}
}

// fragments returns the texts of events, which are empty for those that are not fragments.
func fragments(events []Event) (out []string) {
	for _, e := range events {
		text, _ := Fragment(e)
		out = append(out, text)
	}
	return out
}

// Readers that come, read and go at random moments each get what folds to the same transcript as every single event.
func TestReadersFoldToTheSameTranscript(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		h := Head{Turn: "t", Gen: 1}
		var l Log
		type follower struct {
			read *Reader
			got  []Event
		}
		var followers []*follower
		sent := []Event{TurnStarted{Head: h}}
		l.Add(sent...)
		for i := range 500 {
			var e Event
			switch id := fmt.Sprint(r.IntN(4)); r.IntN(12) {
			case 0:
				e = PartStarted{Head: h, Part: PartID(id), Kind: PartReasoning}
			case 1:
				e = ToolStarted{Head: h, Call: CallID(id), Name: "Bash"}
			case 2:
				e = PartReplaced{Head: h, Part: PartID(id), Text: "whole"}
			case 3, 4, 5:
				e = ToolInput{Head: h, Call: CallID(id), Fragment: fmt.Sprint(i, " ")}
			case 6, 7:
				e = ToolOutput{Head: h, Call: CallID(id), Text: []string{fmt.Sprint(i, " "), ""}[r.IntN(2)]}
			default:
				e = PartDelta{Head: h, Part: PartID(id), Text: fmt.Sprint(i, " ")}
			}
			sent = append(sent, e)
			l.Add(e)
			if r.IntN(50) == 0 {
				past, read := l.Read(nil)
				followers = append(followers, &follower{read, past})
			}
			for n, f := range followers {
				if r.IntN(1+20*n) == 0 {
					f.got = append(f.got, f.read.Take()...)
				}
			}
		}
		want := entryTexts(Fold(sent))
		for n, f := range followers {
			f.got = append(f.got, f.read.Take()...)
			if diff := cmp.Diff(want, entryTexts(Fold(f.got))); diff != "" || len(f.got) > len(sent) {
				t.Fatalf("seed %d, reader %d, %d of %d events: %s", seed, n, len(f.got), len(sent), diff)
			}
			if again := f.read.Take(); len(again) > 0 {
				t.Errorf("read twice: %v", again)
			}
		}
	}
}

// A reader is woken by each addition, with what came, until it is closed.
func TestReadersAreWoken(t *testing.T) {
	var l Log
	var woken []bool
	_, r := l.Read(func(text bool) { woken = append(woken, text) })
	l.Add(PartDelta{Part: "p", Text: "a"})
	l.Add(Notice{})
	l.Add(PartDelta{Part: "p", Text: "a"}, PartEnded{Part: "p"})
	r.Close()
	l.Add(Notice{})
	if diff := cmp.Diff([]bool{true, false, false}, woken); diff != "" {
		t.Error(diff)
	}
}

// A reader that is up to date costs a delta no allocation but the growing text, and one that is behind gets it without a copy.
func TestReadersCopyNoText(t *testing.T) {
	var l Log
	l.Add(PartDelta{Part: "p", Text: "begin "})
	_, late := l.Read(nil)
	l.Add(PartDelta{Part: "p", Text: "one "}, PartDelta{Part: "p", Text: "two"})
	rest := fragments(late.Take())
	whole := fragments(l.All())
	if len(rest) != 1 || rest[0] != "one two" || unsafe.StringData(rest[0]) != unsafe.StringData(whole[0][len("begin "):]) {
		t.Errorf("read %q of %q", rest, whole)
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
	b.log.mu.Lock()
	bytes := 0
	for _, o := range b.log.record.open {
		bytes += o.text.more.Cap()
	}
	if n := len(b.log.record.events); n != parts || bytes > 2*5*deltas {
		t.Errorf("%d entries wait with %d bytes, for %d parts with %d", n, bytes, parts, 5*deltas)
	}
	b.log.mu.Unlock()
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
