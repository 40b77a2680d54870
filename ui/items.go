package ui

import (
	"reflect"
	"slices"

	"parley/session"
	"parley/ui/chat"
	"parley/ui/scroll"
	"parley/ui/style"
)

// feed turns a transcript into the items of the list. It is the only place where items are made, changed or dropped, and
// it touches only what the reducer says has changed.
type feed struct {
	t *session.Transcript
	// asked says that something was asked when events were applied last.
	asked bool
	// turns are the items of each turn of the transcript, in order: the prompt, then one item for each entry, then the
	// end. Every entry has an item, also where there is nothing to show, so that positions carry over.
	turns []turnItems
	// list is all items in order; first are the positions at which the turns begin in it.
	list  []item
	first []int
	// calls are the rows of calls with what was asked about them.
	calls map[session.CallID]*call
	// clock numbers the versions; it never goes back, so that a version is never used twice.
	clock, made uint64
	// rows is the same list as the window on it knows it.
	rows *scroll.List
	look *style.Look
	// mark is the item the fold key acts on, -1 for none.
	mark int
	// sel is what is selected; finder is looking for something, nil if nobody is; fresh is the first item that came
	// while the reader was elsewhere, nil if none did.
	sel    *scroll.Selection
	finder *scroll.Finder
	fresh  item
	// over is how many turns at the beginning are known to have ended.
	over int
	// runtime is what the agent's runtime last said of itself.
	runtime string
	// background is how many child agents work in the background, unless counted says that it has to be counted anew.
	background int
	counted    bool
}

// turnItems are the items of one turn.
type turnItems struct {
	user    *userItem
	entries []item
	revs    []uint64 // revisions of the entries that the items were made for
	end     *endItem // nil while the turn runs
}

func newFeed(id session.ID, l *style.Look) *feed {
	f := &feed{t: &session.Transcript{Session: id}, calls: map[session.CallID]*call{}, rows: newList(), look: l, mark: -1}
	f.sel = scroll.NewSelection(f.rows, readingOf(l))
	return f
}

// apply folds events into the transcript and brings the items up to date. It reports whether anything but items changed.
func (f *feed) apply(events []session.Event) (meta bool) {
	for _, e := range events {
		c := f.t.Apply(e)
		meta = meta || c.Meta
		f.note(e)
		if c.Dropped {
			continue
		}
		if c.Turn >= 0 {
			f.touch(c.Turn, c.Entry)
		}
		if n := len(f.t.Asks); (n > 0 || f.asked) && ordersCalls(e) {
			f.asked = n > 0
			if c.Turn >= 0 {
				f.markBehind(c.Turn)
			}
		}
	}
	return meta
}

// touch brings the items of a turn up to date: of one entry, or with entry -1 of all whose revision has changed.
func (f *feed) touch(turn, entry int) {
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
	f.markBehind(turn)
	f.renew(items.user)
	if t.Outcome != "" && items.end == nil {
		items.end = &endItem{turn: t}
		f.insert(turn, f.first[turn]+1+len(items.entries), items.end)
	}
	f.markLast()
}

// addTurn makes the items of a new turn at the end.
func (f *feed) addTurn(t *session.Turn) {
	u := &userItem{turn: t, prompt: &t.Prompt}
	if t.Origin == session.OriginUser {
		f.fresh = nil // who writes has read
	}
	f.turns = append(f.turns, turnItems{user: u})
	f.first = append(f.first, len(f.list))
	f.insert(len(f.first)-1, len(f.list), u)
	f.markLast()
}

// addEntry makes the item of a new entry of a turn.
func (f *feed) addEntry(turn int, e session.Entry) {
	items := &f.turns[turn]
	it := f.newItem(e)
	if n, ok := it.(*noticeItem); ok {
		f.placeNotice(turn, n)
	}
	items.entries = append(items.entries, it)
	items.revs = append(items.revs, 0)
	f.insert(turn, f.first[turn]+len(items.entries), it)
	switch it := it.(type) {
	case *toolItem:
		f.tieTool(it)
	case *askItem:
		f.tieAsk(it)
	case *childItem:
		f.cover(it.child.Call)
	}
}

// placeNotice notes what stands before a notice: nothing, or a change of the same kind that it supersedes.
func (f *feed) placeNotice(turn int, n *noticeItem) {
	before := f.turns[turn].entries
	n.first = turn == 0 && !slices.ContainsFunc(f.t.Turns[0].Entries[:len(before)], isContent)
	if len(before) == 0 {
		return
	}
	prev, ok := before[len(before)-1].(*noticeItem)
	if !ok || !isChoice(n.mark.Event) || reflect.TypeOf(prev.mark.Event) != reflect.TypeOf(n.mark.Event) {
		return
	}
	prev.superseded = true
	f.renew(prev)
}

// isChoice reports whether an event tells what the user chose.
func isChoice(e session.Event) bool {
	switch e.(type) {
	case session.ModelChanged, session.ModeChanged:
		return true
	}
	return false
}

// isContent reports whether an entry is something the agent did.
func isContent(e session.Entry) bool {
	_, mark := e.(*session.Mark)
	return !mark
}

// newItem makes the item that shows an entry.
func (f *feed) newItem(e session.Entry) item {
	switch e := e.(type) {
	case *session.Part:
		return &partItem{part: e}
	case *session.Tool:
		return &toolItem{tool: e}
	case *session.Child:
		return &childItem{child: e}
	case *session.Ask:
		return &askItem{ask: e}
	case *session.Mark:
		if e.Prompt != nil {
			return &userItem{prompt: e.Prompt}
		}
		return &noticeItem{mark: e}
	}
	return &noticeItem{mark: &session.Mark{}}
}

// insert puts an item into the list at a position within a turn.
func (f *feed) insert(turn, at int, it item) {
	f.made++
	f.rows.Insert(at, &cell{item: it, key: cellKey(f.made), look: f.look})
	if at == len(f.list) {
		f.list = append(f.list, it)
	} else {
		f.list = slices.Insert(f.list, at, it)
		for i := turn + 1; i < len(f.first); i++ {
			f.first[i]++
		}
		if f.mark >= at {
			f.mark++
		}
	}
	f.renew(it)
	f.gaps(at)
}

// refresh brings the item of an entry up to date, and the row of the call that an ask is about.
func (f *feed) refresh(turn, entry int) {
	items := &f.turns[turn]
	it := items.entries[entry]
	items.revs[entry] = f.t.Turns[turn].Entries[entry].Rev()
	if a, ok := it.(*askItem); ok && a.of != nil {
		f.tie(a.of) // the row of the call shows how it was settled
	}
	f.renew(it)
	f.gaps(f.first[turn] + 1 + entry)
	if f.finder != nil {
		f.finder.Changed(f.first[turn] + 1 + entry)
	}
}

// position finds an item in the list, from its end.
func (f *feed) position(it item) int {
	i := len(f.list) - 1
	for i >= 0 && f.list[i] != it {
		i--
	}
	return max(i, 0)
}

// renew gives an item a new version, so that it is laid out anew, and notes whether it has anything to show.
func (f *feed) renew(it item) {
	f.clock++
	s := it.state()
	s.version = f.clock
	s.hidden = nothingToShow(it)
}

// nothingToShow reports whether an item takes no rows.
func nothingToShow(it item) bool {
	switch it := it.(type) {
	case *userItem:
		return it.prompt.Text == "" && len(it.prompt.Attachments) == 0
	case *partItem:
		return it.part.Retracted || it.part.Len() == 0 && (it.part.Ended || it.part.Kind == session.PartText)
	case *askItem:
		return it.shownAbove
	case *toolItem:
		return it.covered
	case *noticeItem:
		text, _ := chat.NoticeText(it.mark.Event)
		return text == "" || it.superseded || it.first && isChoice(it.mark.Event)
	case *endItem:
		return it.quiet()
	}
	return false
}

// gaps decides for the item at a position, and the next one shown, whether a blank row comes before it: rows of tools
// stand together, everything else apart.
func (f *feed) gaps(at int) {
	for i, seen := at, 0; i < len(f.list) && seen < 2; i++ {
		s := f.list[i].state()
		if s.hidden {
			continue
		}
		seen++
		prev := f.shownBefore(i)
		s.gap = prev != nil && !(closeTogether(prev) && closeTogether(f.list[i]))
	}
}

// shownBefore is the nearest item before a position that shows anything.
func (f *feed) shownBefore(i int) item {
	for i--; i >= 0; i-- {
		if !f.list[i].state().hidden {
			return f.list[i]
		}
	}
	return nil
}

// closeTogether reports whether an item is a row among rows.
func closeTogether(it item) bool {
	switch it := it.(type) {
	case *toolItem, *childItem:
		return true
	case *askItem:
		return it.ask.Plan == nil
	}
	return false
}

// markLast tells the ends of turns which of them is that of the last prompt: only that one can be brought back.
func (f *feed) markLast() {
	seen := 0
	for i := len(f.turns) - 1; i >= 0 && seen < 2; i-- {
		last := false
		if f.turns[i].user.prompt.Text != "" {
			seen++
			last = seen == 1
		}
		if end := f.turns[i].end; end != nil && last != end.last {
			end.last = last
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

// foldable finds the next item that can be folded from a position on, going by step; -1 if there is none.
func (f *feed) foldable(from, step int) int {
	for i := from; i >= 0 && i < len(f.list); i += step {
		if !f.list[i].state().hidden && f.list[i].foldable() {
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
	s := f.list[i].state()
	s.open, s.turned = !s.isOpen(false), true
	f.renew(f.list[i])
}

// tick renews the rows that count seconds. Background children aside, only the newest turn runs.
func (f *feed) tick() {
	if len(f.turns) == 0 {
		return
	}
	for _, it := range f.turns[len(f.turns)-1].entries {
		switch it := it.(type) {
		case *toolItem:
			if it.running() {
				f.renew(it)
			}
		case *childItem:
			if it.counts() {
				f.renew(it)
			}
		}
	}
}

// running is the turn that runs, nil if none does.
func (f *feed) running() *session.Turn {
	// A turn that has ended has ended for good, and there may be a hundred thousand.
	f.over = min(f.over, len(f.t.Turns))
	for f.over < len(f.t.Turns) && !f.t.Turns[f.over].Running() {
		f.over++
	}
	for i := len(f.t.Turns) - 1; i >= f.over; i-- {
		if t := f.t.Turns[i]; t.Running() {
			return t
		}
	}
	return nil
}
