package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"parley/session"
	"parley/session/spending"
	"parley/session/store/bin"
)

// Hold locks a session, of which there need not be a journal, until its Release, and returns the journal, its summary and what it cost.
// Errors are those of [Store.Open].
func (s *Store) Hold(ctx context.Context, id session.ID) (bin.Held, error) {
	const op = "hold session"
	path, err := s.path(op, id)
	if err != nil {
		return bin.Held{}, err
	}
	if err := ctx.Err(); err != nil {
		return bin.Held{}, problem(op, session.KindCancelled, err)
	}
	unlock, err := s.lock(op, id)
	if err != nil {
		return bin.Held{}, err
	}
	h := bin.Held{Items: []bin.Item{{From: path}, {From: summaryPath(path), Derived: true}}, Release: func() {
		s.mu.Lock()
		delete(s.cache, id)
		s.mu.Unlock()
		unlock()
	}}
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return h, nil
	}
	if err == nil {
		err = checkMode(op, path, info.Mode())
	}
	if err != nil {
		unlock()
		return bin.Held{}, err
	}
	sum := summarize(ctx, id, path, info.Size(), true)
	h.Meta = fallbackTimes(sum.Meta, path)
	h.Spent = spending.Session{Agent: sum.Meta.Agent, Dir: sum.Meta.Dir, Days: sum.Costs.Days}
	return h, nil
}

// DraftFiles returns the files in a directory of drafts that have a key and belong to no other running process.
func DraftFiles(dir, key string) (paths []string) {
	found, _ := filepath.Glob(filepath.Join(dir, digest(key)+".*"+draftSuffix))
	me := self()
	for _, path := range found {
		owner, ok := ownerOf(filepath.Base(path), digest(key))
		if ok && (owner.pid <= 0 || owner.pid == me.pid || !owner.alive()) {
			paths = append(paths, path)
		}
	}
	return paths
}
