package transcript

import (
	"slices"

	"parley/session"
	"parley/session/toolview"
	"parley/ui/core"
	"parley/ui/scroll"
	"parley/ui/style"
	"parley/ui/transcript/prompt"
)

// feed derives the items of the list from a transcript. It is the only place where items are made and changed, and it
// updates only what the reducer reports as changed.
type feed struct {
	t *session.Transcript
	// asked reports that an ask was open after the last event.
	asked bool
	// turns are the items of each turn of the transcript, in order: the prompt, one item for each entry, the end. Every
	// entry has an item, also where there is nothing to show, so that positions carry over; groups stand between them.
	turns []turnItems
	// list is all items in order; first are the positions in it at which turns begin.
	list  []item
	first []int
	// calls are the rows of tool calls with the asks about them.
	calls map[session.CallID]*call
	// below are the asks whose calls the question below the conversation shows in full.
	below []*session.Ask
	// clock numbers the versions of items, and made the items.
	clock, made uint64
	// rows is the window on the list.
	rows *scroll.List
	goes place // the stored place that the next frame shows, "" for none
	look *style.Look
	// shifted are the items whose role for the calls around them has changed.
	shifted []item
	// mark is the item the fold key acts on, -1 for none.
	mark int
	// finder is nil while nothing is searched.
	sel      *scroll.Selection
	finder   *scroll.Finder
	fresh    freshness
	activity activity
	sends    string // the key that sends what runs to the background, "" for none
}

// turnItems are the items of one turn.
type turnItems struct {
	user    *userItem
	entries []item
	revs    []uint64     // revisions of the entries that the items were made for
	groups  []*groupItem // in order; each stands before its first entry, those without calls included
	end     *endItem     // nil while the turn runs
	waits   toolview.Waits
}

func newFeed(id session.ID, l *style.Look) *feed {
	f := &feed{t: &session.Transcript{Session: id}, calls: map[session.CallID]*call{}, rows: newList(), look: l, mark: -1}
	f.sel = scroll.NewSelection(f.rows, readingOf(l))
	return f
}

// apply folds events into the transcript and updates the items. It reports whether anything but items changed.
func (f *feed) apply(events []session.Event) (meta bool) {
	for _, e := range events {
		c := f.t.Apply(e)
		meta = meta || c.Meta
		f.activity.note(e)
		if c.Dropped {
			continue
		}
		if c.Turn >= 0 {
			f.touch(c.Turn, c.Entry)
		}
		if c.Marked {
			last := len(f.t.Turns) - 1
			f.touch(last, len(f.t.Turns[last].Entries)-1)
		}
		if c.Meta { // maybe the queue
			f.markLast()
		}
		if n := len(f.t.Asks); (n > 0 || f.asked) && ordersCalls(e) {
			f.asked = n > 0
			if c.Turn >= 0 {
				f.markWaiting(c.Turn)
			}
		}
	}
	return meta
}

// touch updates the items of a turn: that of one entry, or with entry -1 all whose revision has changed.
func (f *feed) touch(turn, entry int) {
	f.update(turn, entry)
	f.regroup()
}

// update updates the items of a turn, and leaves the groups as they are.
func (f *feed) update(turn, entry int) {
	for len(f.turns) <= turn {
		f.addTurn(f.t.Turns[len(f.turns)])
	}
	t, items := f.t.Turns[turn], &f.turns[turn]
	for n := len(items.entries); n < len(t.Entries); n++ {
		f.addEntry(turn, t.Entries[n])
	}
	if entry >= 0 && entry < len(items.entries) {
		f.refresh(turn, entry)
		return
	}
	for i, e := range t.Entries {
		if items.revs[i] != e.Rev() {
			f.refresh(turn, i)
		}
	}
	f.markWaiting(turn)
	f.renew(items.user)
	if t.Outcome != "" && items.end == nil {
		items.end = &endItem{turn: t, in: f.t, models: f.t.Remote == nil}
		if q, ok := core.PlanQuota(f.t.Quotas); ok {
			items.end.renews = q.ResetsAt
		}
		f.insert(turn, f.at(turn, len(items.entries)), items.end)
	} else if items.end != nil { // a turn of another window ends twice
		f.renew(items.end)
	}
	f.renewEnd(turn)
	f.markLast()
}

// addTurn makes the items of a new turn at the end.
func (f *feed) addTurn(t *session.Turn) {
	u := &userItem{prompt: prompt.Prompt{Prompt: &t.Prompt, Turn: t, Told: f.tellsOf(t.Call)}}
	if t.Origin == session.OriginUser {
		f.fresh.first = nil // who writes has read
	}
	f.turns = append(f.turns, turnItems{user: u})
	f.first = append(f.first, len(f.list))
	f.insert(len(f.first)-1, len(f.list), u)
	f.markLast()
}

// addEntry makes the item of a new entry of a turn.
func (f *feed) addEntry(turn int, e session.Entry) {
	items := &f.turns[turn]
	it := newItem(e)
	items.entries = append(items.entries, it)
	items.revs = append(items.revs, 0)
	f.insert(turn, f.at(turn, len(items.entries)-1), it)
	it.added(f, turn)
}

// insert puts an item into the list at a position within a turn.
func (f *feed) insert(turn, at int, it item) {
	f.made++
	f.rows.Insert(at, &cell{item: it, key: cellKey(f.made), look: f.look})
	if at == len(f.list) {
		f.list = append(f.list, it)
	} else {
		f.squeeze(turn, at, it)
	}
	f.renew(it)
	f.gaps(at)
}

// squeeze puts an item before the one at a position within a turn, and moves on what refers to later positions.
func (f *feed) squeeze(turn, at int, it item) {
	f.list = slices.Insert(f.list, at, it)
	for i := turn + 1; i < len(f.first); i++ {
		f.first[i]++
	}
	if f.mark >= at {
		f.mark++
	}
}

// refresh updates the item of an entry, and the row of the call that an ask is about.
func (f *feed) refresh(turn, entry int) {
	items := &f.turns[turn]
	it := items.entries[entry]
	items.revs[entry] = f.t.Turns[turn].Entries[entry].Rev()
	if a, ok := it.(*askItem); ok && a.of != nil {
		f.tie(a.of) // the row of the call shows how it was settled
	}
	f.renew(it)
	at := f.at(turn, entry)
	f.gaps(at)
	f.renewEnd(turn)
	if f.finder != nil {
		f.finder.Changed(at)
	}
}

// renewEnd renews the end of a turn, of which costs and changes of files arrive late.
func (f *feed) renewEnd(turn int) {
	if items := &f.turns[turn]; items.end != nil {
		f.renew(items.end)
		f.gaps(f.at(turn, len(items.entries)))
	}
}

// position returns the index of an item in the list. It searches from the end.
func (f *feed) position(it item) int {
	i := len(f.list) - 1
	for i >= 0 && f.list[i] != it {
		i--
	}
	return max(i, 0)
}

// renew gives an item a new version, so that it is laid out again, with the row that stands for it, and records whether it
// has anything to show.
func (f *feed) renew(it item) {
	f.clock++
	s := it.state()
	s.version = f.clock
	s.hidden = it.empty()
	if r := f.roleOf(it); r != s.role {
		s.role = r
		f.shifted = append(f.shifted, it)
	}
	if g := it.group(); g != nil {
		g.version = f.clock
	}
}

// gaps decides for the item at a position, and for the next one shown, whether a blank row comes before it: single rows
// stand together, everything else apart.
func (f *feed) gaps(at int) {
	for i, seen := at, 0; i < len(f.list) && seen < 2; i++ {
		s := f.list[i].state()
		if !s.shown() {
			continue
		}
		seen++
		prev := f.shownBefore(i)
		s.gap = prev != nil && !(prev.close() && f.list[i].close())
	}
}

// shownBefore returns the nearest item before a position that shows anything, nil if there is none.
func (f *feed) shownBefore(i int) item {
	for i--; i >= 0; i-- {
		if i = f.rowOf(i); f.list[i].state().shown() {
			return f.list[i]
		}
	}
	return nil
}

// markLast updates which end of a turn belongs to the last prompt, and how many wait: only that prompt can be sent again, and only
// while none waits.
func (f *feed) markLast() {
	seen := 0
	for i := len(f.turns) - 1; i >= 0 && seen < 2; i-- {
		last := false
		if f.turns[i].user.prompt.Text != "" {
			seen++
			last = seen == 1
		}
		n := len(f.t.Queue)
		if end := f.turns[i].end; end != nil && (last != end.last || last && n != end.waiting) {
			end.last, end.waiting = last, n
			f.renew(end)
		}
	}
}

// setMark moves the mark of the fold key.
func (f *feed) setMark(to int) {
	if to == f.mark {
		return
	}
	for _, i := range []int{f.mark, to} {
		if i < 0 || i >= len(f.list) {
			continue
		}
		f.list[i].state().marked = i == to
		f.renew(f.list[i])
	}
	f.mark = to
}

// foldable returns the next item that can be folded, from a position on in steps of step; -1 if there is none.
func (f *feed) foldable(from, step int) int {
	for i := from; i >= 0 && i < len(f.list); i += step {
		if f.list[i].state().shown() && f.list[i].foldable() {
			return i
		}
	}
	return -1
}

// fold opens or folds an item.
func (f *feed) fold(i int) {
	if i < 0 || i >= len(f.list) || !f.list[i].foldable() {
		return
	}
	f.unfold(i, !f.list[i].state().isOpen())
}

// tick renews the rows that count seconds. Background children aside, only the newest turn runs.
func (f *feed) tick() {
	if len(f.turns) == 0 {
		return
	}
	for _, it := range f.turns[len(f.turns)-1].entries {
		if it.counting() {
			if call, is := it.(*toolItem); is {
				call.row.Sends = f.sends
			}
			f.renew(it)
		}
	}
}

// foldAll opens all items, or folds them if all are open, and reports which.
func (f *feed) foldAll() (open bool) {
	for _, it := range f.list {
		if s := it.state(); !s.hidden && it.foldable() && !s.isOpen() {
			open = true
			break
		}
	}
	for i, it := range f.list {
		if it.foldable() && it.state().isOpen() != open {
			f.unfold(i, open)
		}
	}
	return open
}

// restyle makes all items be laid out again, in the widths that the terminal counts in now.
func (f *feed) restyle() {
	f.rows.Invalidate()
	f.sel.SetReading(readingOf(f.look))
}
