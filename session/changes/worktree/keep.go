package worktree

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"parley/internal/crash"
	"parley/session/changes/snapshot"
)

// remembered is a file whose content is in the store.
type remembered struct {
	file  signature
	state snapshot.State
	fresh bool      // the file may have changed since without a change of its signature
	at    time.Time // when it was kept
}

// refreshed is the time for which the store is trusted to have a content that no log needs.
const refreshed = 10 * time.Minute

// keep keeps the content of the files that git's index does not vouch for, the smallest first, and what was kept before
// without opening it again.
func (t *Tree) keep(ctx context.Context, s *Snapshot, end time.Time) {
	all := s.unkept
	s.unkept = nil
	next := make(map[string]remembered, len(all))
	paths := make([]string, len(all))
	var todo []int
	files, bytes := 0, int64(0)
	t.mu.Lock()
	for i, c := range all {
		paths[i] = filepath.Join(c.folder.path(), c.item.name)
		r, ok := t.kept[paths[i]]
		if !ok || r.fresh || r.file != c.item.signature {
			todo = append(todo, i)
			continue
		}
		if s.at.Sub(r.at) > refreshed {
			if !t.o.Store.Refresh(r.state) {
				todo = append(todo, i)
				continue
			}
			r.at = s.at
		}
		next[paths[i]] = r
		c.item.kept = int32(len(s.states))
		s.states = append(s.states, r.state)
		files++
		bytes += c.item.Size
	}
	t.mu.Unlock()
	slices.SortStableFunc(todo, func(a, b int) int { return int(min(max(all[a].item.Size-all[b].item.Size, -1), 1)) })
	for n, i := range todo {
		if files++; files > t.o.KeptFiles || bytes+all[i].item.Size > t.o.KeptBytes && all[i].item.Size <= snapshot.Largest {
			todo = todo[:n]
			break
		}
		if all[i].item.Size <= snapshot.Largest {
			bytes += all[i].item.Size
		}
	}
	states := t.take(ctx, todo, paths, end)
	for n, i := range todo {
		it := all[i].item
		if states[n].Kind == "" {
			continue
		}
		it.kept = int32(len(s.states))
		s.states = append(s.states, states[n])
		if states[n].Whole() || it.Size > snapshot.Largest { // not what the disk could not take just now
			next[paths[i]] = remembered{it.signature, states[n], it.fresh, s.at}
		}
	}
	t.mu.Lock()
	t.kept = next
	t.mu.Unlock()
}

// take returns the states of files by their place in paths, invalid ones for those that there was no time for.
func (t *Tree) take(ctx context.Context, todo []int, paths []string, end time.Time) []snapshot.State {
	states := make([]snapshot.State, len(todo))
	var at atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), maxWorkers, len(todo)) {
		workers.Go(crash.Guarded(func() {
			for ctx.Err() == nil && time.Now().Before(end) {
				n := int(at.Add(1)) - 1
				if n >= len(todo) {
					return
				}
				t.opened.Add(1)
				path := paths[todo[n]]
				before, err := os.Lstat(path)
				if err != nil {
					continue
				}
				st, err := t.o.Store.Take(ctx, path)
				if after, errAfter := os.Lstat(path); err == nil && errAfter == nil && ofInfo(before) == ofInfo(after) {
					states[n] = st
				}
			}
		}))
	}
	workers.Wait()
	return states
}
