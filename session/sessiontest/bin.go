package sessiontest

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"parley/session"
	"parley/session/store/bin"
)

// Bin gives the world a bin in a directory, into which sessions can be deleted.
func (w *World) Bin(dir string) {
	w.Deps.Bin = bin.New(filepath.Join(dir, "bin"))
	w.Journals.files = filepath.Join(dir, "journals")
	w.Journals.away = map[session.ID]*book{}
}

// Hold locks a session whose journal stands for itself as an empty file while it is held: where that is when it is released, the journal is
// too.
func (m *MemoryJournals) Hold(_ context.Context, id session.ID) (bin.Held, error) {
	const op = "hold session"
	m.mu.Lock()
	defer m.mu.Unlock()
	b := m.books[id]
	if m.files == "" {
		return bin.Held{}, problem(op, session.KindUnsupported, "there is no bin")
	}
	path := filepath.Join(m.files, string(id))
	h := bin.Held{Items: []bin.Item{{From: path}}}
	if b != nil {
		if b.locked {
			return bin.Held{}, problem(op, session.KindLocked, "process 4711 has it")
		}
		if err := errors.Join(os.MkdirAll(m.files, 0o700), os.WriteFile(path, nil, 0o600)); err != nil {
			return bin.Held{}, err
		}
		b.locked, h.Meta = true, b.meta
	}
	h.Release = func() { m.release(id, path) }
	return h, nil
}

// release moves the journal to where its file is.
func (m *MemoryJournals) release(id session.ID, path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	err := os.Remove(path)
	from, to := m.books, m.away
	if err == nil {
		from, to = m.away, m.books
	} else if !errors.Is(err, fs.ErrNotExist) {
		panic(err)
	}
	if b := from[id]; b != nil {
		delete(from, id)
		to[id] = b
	}
	if b := to[id]; b != nil {
		b.locked = false
	}
}
