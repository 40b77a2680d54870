package transcript

import (
	"slices"
	"sort"
)

// role is the meaning of an entry for the calls around it.
type role uint8

const (
	apart   role = iota // it stands between them
	absent              // it has no rows
	gathers             // one row may stand for it and its neighbors
)

// roleOf returns the role of an item.
func (f *feed) roleOf(it item) role {
	switch {
	case it.state().hidden:
		return absent
	case f.look.Groups && it.gathers() && !it.state().written:
		return gathers
	}
	return apart
}

// regroup updates the groups around items whose role has changed.
func (f *feed) regroup() {
	for i := 0; i < len(f.shifted); i++ { // it may grow
		if turn, entry, ok := f.locate(f.shifted[i]); ok {
			f.regroupAt(turn, entry)
		}
	}
	clear(f.shifted)
	f.shifted = f.shifted[:0]
}

// at returns the position in the list of an entry of a turn.
func (f *feed) at(turn, entry int) int {
	groups := f.turns[turn].groups
	return f.first[turn] + 1 + entry + sort.Search(len(groups), func(i int) bool { return groups[i].lead > entry })
}

// locate returns the turn and the entry that an item shows. ok is false for items of the turn itself.
func (f *feed) locate(it item) (turn, entry int, ok bool) {
	at := f.position(it)
	turn = sort.SearchInts(f.first, at+1) - 1
	items := &f.turns[turn]
	before := sort.Search(len(items.groups), func(i int) bool { return f.first[turn]+1+items.groups[i].lead+i >= at })
	entry = at - f.first[turn] - 1 - before
	return turn, entry, entry >= 0 && entry < len(items.entries) && items.entries[entry] == it
}

// regroupAt updates the groups around an entry: calls with nothing shown between them belong together.
func (f *feed) regroupAt(turn, entry int) {
	entries := f.turns[turn].entries
	it := entries[entry]
	joins := it.state().role == gathers
	if joins && it.group() != nil {
		return // a neighbor brought it there
	}
	from, to := entry, entry
	for from > 0 && entries[from-1].state().role != apart {
		from--
		if g := entries[from].group(); g != nil && joins && entry == len(entries)-1 {
			f.append(g, turn, it)
			return
		}
	}
	for to < len(entries)-1 && entries[to+1].state().role != apart {
		to++
	}
	if it.state().role != apart {
		f.gather(turn, from, to)
		return
	}
	f.gather(turn, from, entry)
	f.gather(turn, entry, to)
}

// append adds the newest call of a turn to a group.
func (f *feed) append(g *groupItem, turn int, it item) {
	m := it.(*toolItem)
	g.join(m)
	m.in = g
	f.tuck(g, turn, len(g.members)-1)
}

// gather makes one group of the calls among some entries, with nothing shown between them, if there are several.
func (f *feed) gather(turn, from, to int) {
	items := &f.turns[turn]
	var members []*toolItem
	lead := -1
	for i, it := range items.entries[from : to+1] {
		if m, ok := it.(*toolItem); ok && m.role == gathers {
			if lead < 0 {
				lead = from + i
			}
			members = append(members, m)
		}
	}
	var group *groupItem
	if len(members) > 1 {
		group = f.groupAt(turn, lead)
		if was := members[0].in; !group.turned && (was != nil && was.isOpen() || members[0].isOpen()) {
			group.open, group.turned = true, true // what is being read stays
		}
		group.set(members)
	}
	first := sort.Search(len(items.groups), func(i int) bool { return items.groups[i].lead >= from })
	for _, g := range items.groups[first:] {
		if g.lead <= to && g != group && len(g.members) > 0 {
			g.set(nil)
			f.renew(g)
			f.gaps(f.at(turn, g.lead) - 1)
		}
	}
	for i, it := range items.entries[from : to+1] {
		m, ok := it.(*toolItem)
		if !ok {
			continue
		}
		if m.in = nil; m.role == gathers {
			m.in = group
		}
		if m.in == nil && m.tucked {
			m.tucked = false
			f.renew(m)
			f.gaps(f.at(turn, from+i))
		}
	}
	if group != nil {
		f.tuck(group, turn, 0)
	}
}

// groupAt returns the group that stands before an entry. A new one takes the place of its first call in the list, so that
// what is on the screen stays there.
func (f *feed) groupAt(turn, lead int) *groupItem {
	items := &f.turns[turn]
	n, found := slices.BinarySearchFunc(items.groups, lead, func(g *groupItem, lead int) int { return g.lead - lead })
	if found {
		return items.groups[n]
	}
	at, g := f.at(turn, lead), &groupItem{lead: lead}
	first := f.list[at]
	items.groups = slices.Insert(items.groups, n, g)
	f.made++
	f.rows.Supplant(at, &cell{item: g, key: cellKey(f.made), look: f.look})
	f.squeeze(turn, at, g)
	if f.mark == at+1 {
		first.state().marked, g.marked, f.mark = false, true, at
	}
	if f.fresh.first == first {
		f.fresh.first = g
	}
	return g
}

// tuck hides the calls of a folded group from one on, and shows those of an open one.
func (f *feed) tuck(g *groupItem, turn, from int) {
	f.renew(g)
	for _, m := range g.members[from:] {
		if tucked := !g.isOpen(); tucked != m.tucked {
			m.tucked = tucked
			f.renew(m)
		}
	}
	at := f.at(turn, g.lead) - 1
	if from == 0 {
		f.gaps(at)
	}
	for i, n := at+1, 0; g.isOpen() && n < len(g.members); i++ {
		if f.list[i].group() == g {
			if n >= from {
				f.gaps(i)
			}
			n++
		}
	}
	if f.mark > at && f.list[f.mark].state().tucked && f.list[f.mark].group() == g {
		f.setMark(at)
	}
}

// rowOf returns the position of the group whose row stands for the item at a position, or that position.
func (f *feed) rowOf(i int) int {
	if !f.list[i].state().tucked {
		return i
	}
	return f.at(sort.SearchInts(f.first, i+1)-1, f.list[i].group().lead) - 1
}

// unfold opens an item, or folds it.
func (f *feed) unfold(i int, open bool) {
	it := f.list[i]
	s := it.state()
	s.open, s.turned = open, true
	if g, ok := it.(*groupItem); ok {
		f.tuck(g, sort.SearchInts(f.first, i+1)-1, 0)
		return
	}
	f.renew(it)
}

// grows reports whether the item at a position is a call, or a group, that later calls of a running turn may still join.
func (f *feed) grows(i int) bool {
	_, group := f.list[i].(*groupItem)
	if !group && f.list[i].state().role != gathers {
		return false
	}
	turn := sort.SearchInts(f.first, i+1) - 1
	for _, it := range f.list[i+1:] {
		if s := it.state(); s.shown() && s.role != gathers {
			return false
		}
	}
	return f.t.Turns[turn].Running()
}
