package wire_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"parley/session"
	. "parley/session/builtin/wire"
)

// cache simulates the service's: it keeps what ended at a mark, for each model, and finds it at most 20 blocks before one.
type cache map[[sha256.Size]byte]bool

// read returns the bytes of a request, those that a perfect cache would have read, and those that were read.
func (c cache) read(r Request, seen cache) (size, reusable, read int) {
	h := sha256.New()
	h.Write([]byte(r.Model))
	type prefix struct {
		sum    [sha256.Size]byte
		size   int
		marked bool
	}
	var all []prefix
	add := func(block Content) {
		marked := block.CacheControl != nil
		block.CacheControl = nil
		b, _ := EncodeJSON(block)
		h.Write(b)
		size += len(b)
		all = append(all, prefix{[sha256.Size]byte(h.Sum(nil)), size, marked})
	}
	for _, s := range r.System {
		add(s)
	}
	for _, m := range r.Messages {
		for _, b := range m.Content {
			add(b)
		}
	}
	for i, p := range all {
		if seen[p.sum] {
			reusable = p.size
		}
		for k := i; p.marked && k >= 0 && k >= i-20; k-- {
			if c[all[k].sum] {
				read = max(read, all[k].size)
				break
			}
		}
	}
	for _, p := range all {
		seen[p.sum] = true
		if p.marked {
			c[p.sum] = true
		}
	}
	return size, reusable, read
}

// A long conversation with many calls in an answer, switches of the model and summaries reads more than 90 % of what it can.
func TestCacheOfALongConversation(t *testing.T) {
	var tr session.Transcript
	kept, seen := cache{}, cache{}
	total, could, did := 0, 0, 0
	for turn := range 20 {
		id := fmt.Sprintf("t%d", turn)
		h := session.Head{Session: "s", Turn: session.TurnID(id), Gen: 1}
		model := []string{"a", "a", "b", "a"}[turn/2%4]
		tr.Apply(session.TurnStarted{Head: h, Prompt: session.Prompt{Text: strings.Repeat("prompt ", 50)}})
		if turn%9 == 8 {
			tr.Apply(session.Compacted{Head: h, Summary: strings.Repeat("summary ", 100), Keep: session.Cut{Turn: h.Turn}})
		}
		for n := 1; n <= 6; n++ {
			r := NewRequest(session.Model{ID: model}, "", strings.Repeat("system ", 500), nil, Join(Resolve(Pieces(tr.Turns, true)), model))
			r.Remind("a note that is not kept")
			size, reusable, read := kept.read(r, seen)
			total, could, did = total+size, could+reusable, did+read
			part := session.PartID(fmt.Sprintf("%s.%d", id, n))
			tr.Apply(session.PartReplaced{Head: h, Part: part, Kind: session.PartText, Text: "words", Opaque: Opaque{N: n, Model: model}.Encode()})
			for call := range 1 + 14*(n%2) { // up to 30 blocks in one answer and its results
				c := session.CallID(fmt.Sprintf("%s-%d-%d", id, n, call))
				tr.Apply(session.ToolStarted{Head: h, Call: c, Name: "Read"})
				tr.Apply(session.ToolReady{Head: h, Call: c, Input: []byte("{}")})
				tr.Apply(session.ToolEnded{Head: h, Call: c, Outcome: session.ToolOK, Result: session.ToolResult{Text: strings.Repeat("result ", 30)}})
			}
		}
		tr.Apply(session.TurnEnded{Head: h, Outcome: session.TurnCompleted})
	}
	if did*100 < could*90 {
		t.Errorf("read %d of %d bytes that could be read, of %d sent", did, could, total)
	}
	t.Logf("%.1f %% of %d reusable bytes, %.1f %% of all", 100*float64(did)/float64(could), could, 100*float64(did)/float64(total))
}
