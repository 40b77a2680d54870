package toolview

import (
	"math"
	"time"

	"parley/session"
)

// Waits follows the top-level calls of a turn that wait for the user, and those behind them. A visit costs what was added since the one
// before and what is open, whatever the length of the turn. The zero value is ready.
type Waits struct {
	turn      *session.Turn
	seen      int // entries
	open      []waiting
	asks      []*session.Ask // that were open
	asked     map[session.CallID]*asked
	free      time.Time // when the last wait of all ended
	withdrawn int       // the entry of the first call whose ask for permission ended without an answer, behind all for none
	visited   int       // calls and asks, for tests
}

// waiting is a call that has not ended.
type waiting struct {
	entry int
	call  *session.Tool
	free  time.Time
}

// asked is what is known of a call that may be asked about.
type asked struct {
	entry     int // of the first call with its id, -1 as long as there is none
	asks      int
	open      int
	withdrawn bool
	free      time.Time
}

// Wait is how a call stands to the earlier ones of its turn that the user was asked about.
type Wait struct {
	// Behind reports that one waits, so that this one has not begun; a call with an ask is never behind. Free is when the last such wait
	// ended, zero for none and for a call with an ask. Both are those of a call that has not ended.
	Behind bool
	Free   time.Time
	// Withdrawn reports that an ask for permission ended without an answer.
	Withdrawn bool
}

// Each calls yield for the calls that have not ended or ended since the last visit, and for those before which an ask was withdrawn since,
// with their index in Entries.
func (w *Waits) Each(t *session.Turn, yield func(entry int, call *session.Tool, is Wait)) {
	if len(t.Asks) == 0 {
		return
	}
	if w.turn != t {
		*w = Waits{turn: t, withdrawn: math.MaxInt, asked: map[session.CallID]*asked{}}
	}
	before := min(w.withdrawn, w.seen-1)
	w.follow()
	for i := w.withdrawn; i <= before; i++ {
		w.visited++
		if call, ok := t.Entries[i].(*session.Tool); ok && call.Ended && i > w.withdrawn {
			yield(i, call, Wait{Withdrawn: true})
		}
	}
	behind, still := false, w.open[:0]
	for _, o := range w.open {
		w.visited++
		is := Wait{Withdrawn: w.withdrawn < o.entry}
		if !o.call.Ended {
			still = append(still, o)
			a := w.asked[o.call.Call]
			if a.asks == 0 {
				is.Behind, is.Free = behind && o.call.Output() == "", o.free
			}
			behind = behind || a.open > 0
		}
		yield(o.entry, o.call, is)
	}
	clear(w.open[len(still):])
	w.open = still
}

// follow notes the entries that were added, and the asks that were settled.
func (w *Waits) follow() {
	for ; w.seen < len(w.turn.Entries); w.seen++ {
		switch e := w.turn.Entries[w.seen].(type) {
		case *session.Tool:
			w.open = append(w.open, waiting{w.seen, e, w.free})
			if a := w.about(e.Call); a.entry < 0 {
				a.entry = w.seen
				w.settled(a)
			}
		case *session.Ask:
			if e.Call != "" {
				a := w.about(e.Call)
				a.asks, a.open = a.asks+1, a.open+1
				w.asks = append(w.asks, e)
			}
		}
	}
	open := w.asks[:0]
	for _, e := range w.asks {
		w.visited++
		if !e.Settled {
			open = append(open, e)
			continue
		}
		a := w.about(e.Call)
		a.open--
		a.withdrawn = a.withdrawn || e.Permission != nil && e.Settlement.How == session.SettledCancelled
		if e.Settlement.At.After(a.free) {
			a.free = e.Settlement.At
		}
		w.settled(a)
	}
	clear(w.asks[len(open):])
	w.asks = open
}

// about returns what is known of a call.
func (w *Waits) about(id session.CallID) *asked {
	a := w.asked[id]
	if a == nil {
		a = &asked{entry: -1}
		w.asked[id] = a
	}
	return a
}

// settled passes on to the later calls how the asks about one ended.
func (w *Waits) settled(a *asked) {
	if a.entry < 0 {
		return
	}
	if a.withdrawn {
		w.withdrawn = min(w.withdrawn, a.entry)
	}
	if a.free.After(w.free) {
		w.free = a.free
	}
	for i := len(w.open) - 1; i >= 0 && w.open[i].entry > a.entry; i-- {
		if w.visited++; a.free.After(w.open[i].free) {
			w.open[i].free = a.free
		}
	}
}
