package sources

import (
	"cmp"
	"slices"
	"time"

	"parley/session"
)

// named returns the descriptions of all files with the names of their sessions.
func (l *Lister) named(all []described) (metas []session.Meta) {
	count := make(map[session.ID]int, len(all))
	for _, d := range all {
		for _, m := range d.metas {
			count[m.ID]++
		}
	}
	several, plain := map[session.ID][]found{}, map[string]string{}
	metas = make([]session.Meta, 0, len(all))
	for _, d := range all {
		for i, m := range d.metas {
			if count[m.ID] > 1 {
				several[m.ID] = append(several[m.ID], found{place: d.place, meta: &d.metas[i]})
				continue
			}
			m.ID = session.ID(l.o.Prefix) + m.ID
			metas = append(metas, m)
		}
	}
	for id, copies := range several {
		l.order(copies)
		plain[string(id)] = copies[0].place.Path
		for i, f := range copies {
			m := *f.meta
			if m.ID = session.ID(l.o.Prefix) + id; i > 0 {
				m.ID += session.ID(sign + markOf(f.place.Path))
			}
			metas = append(metas, m)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.plain = plain
	return metas
}

// order sorts sessions with one id: those that are described first, of these the ones at home, of these the one that changed last, which its
// user goes on with. The first keeps the id.
func (l *Lister) order(all []found) {
	rank := func(f found) int {
		switch {
		case f.meta == nil:
			return 2
		case l.o.Home != nil && !l.o.Home(f.place, *f.meta):
			return 1
		}
		return 0
	}
	slices.SortStableFunc(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), b.changed().Compare(a.changed()), cmp.Compare(a.place.Path, b.place.Path))
	})
}

// changed returns when a session changed last.
func (f found) changed() time.Time {
	if f.meta == nil {
		return f.place.Stamp[0].MTime
	}
	return f.meta.Updated
}
