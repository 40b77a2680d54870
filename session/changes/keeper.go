package changes

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"sync"

	"parley/session"
)

var _ session.FileKeeper = (*Library)(nil)

// trackers are the trackers of this process that have had a call, by session.
type trackers struct {
	mu  sync.Mutex
	all map[session.ID][]*tracker
}

func (r *trackers) add(t *tracker) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all == nil {
		r.all = map[session.ID][]*tracker{}
	}
	if !slices.Contains(r.all[t.meta.ID], t) {
		r.all[t.meta.ID] = append(r.all[t.meta.ID], t)
	}
}

func (r *trackers) remove(t *tracker) {
	r.mu.Lock()
	defer r.mu.Unlock()
	left := slices.DeleteFunc(slices.Clone(r.all[t.meta.ID]), func(o *tracker) bool { return o == t })
	if len(left) == 0 {
		delete(r.all, t.meta.ID)
		return
	}
	r.all[t.meta.ID] = left
}

func (r *trackers) of(id session.ID) []*tracker {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.all[id]
}

// Busy returns the paths that running calls of a session name in this process. Steps leave them alone.
func (b *Library) Busy(id session.ID) []string {
	var out []string
	for _, t := range b.tracked.of(id) {
		out = append(out, t.busy()...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// busy returns the paths that calls name whose changes are not recorded yet, with the links of their directories resolved.
func (t *tracker) busy() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []string
	for _, p := range t.calls {
		out = append(out, p.paths...)
		if p.isLooked() {
			for _, f := range p.files {
				out = append(out, f.path)
			}
		}
	}
	return out
}

// Copy implements [session.FileKeeper]. What the user chose is not copied: undone changes stay behind, and others are as
// they were, accepted or not.
func (b *Library) Copy(ctx context.Context, from, to session.ID, wanted func(session.CallID) bool) error {
	all, err := b.Log(from).Changes(ctx)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(c Change) bool { return c.Status == Undone || !wanted(c.Call) })
	if len(all) == 0 {
		return nil
	}
	l := b.Log(to)
	if err := l.Add(ctx, all...); err != nil {
		return err
	}
	copies, err := l.Changes(ctx)
	if err != nil {
		return err
	}
	var accepted []ChangeID
	for i, c := range copies[max(0, len(copies)-len(all)):] {
		if all[i].Status == Accepted {
			accepted = append(accepted, c.ID)
		}
	}
	if len(accepted) > 0 {
		_, err = l.Accept(ctx, Scope{Changes: accepted})
	}
	return err
}

// File returns the file of a session's log, which need not exist.
func (b *Library) File(id session.ID) string { return b.Log(id).path() }

// Remove implements [session.FileKeeper].
func (b *Library) Remove(ctx context.Context, id session.ID) error {
	l := b.Log(id)
	release, err := l.fresh(ctx)
	if err != nil {
		return err
	}
	defer release()
	if err := os.Remove(l.path()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return diskError("remove changes of files", err)
	}
	l.forget()
	return nil
}
