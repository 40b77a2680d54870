package image

import (
	"context"
	"errors"
	"time"
)

// Options configures a [Store].
type Options struct {
	// Dir contains the images, such as "$XDG_DATA_HOME/parley/images". It is created with mode 0700 when needed.
	Dir string
	// Largest is the size of the largest file that is kept, in bytes; 0 means [Largest].
	Largest int64
}

// Largest is the default size of the largest file that is kept, in bytes.
const Largest = 32 << 20

// Store keeps the contents of files. It is safe for concurrent use, also by several processes.
type Store struct{ o Options }

// New returns a store without touching the disk.
func New(o Options) *Store {
	if o.Largest <= 0 {
		o.Largest = Largest
	}
	return &Store{o}
}

// ErrUnkept is the cause of an error about content that is not in the store.
var ErrUnkept = errors.New("its content was not kept")

// Take describes what stands at a path now, without following a link there, and keeps its content. What cannot be kept is
// said by [State.Unkept]. It fails only if nothing can be said about the path; a path below a file has the kind [None].
func (s *Store) Take(ctx context.Context, path string) (State, error) {
	return State{}, errors.New("not yet")
}

// Stage copies what stands at a path now as quickly as the disk allows, for [Staged.Keep] to do the rest later.
func (s *Store) Stage(ctx context.Context, path string) *Staged { return nil }

// Staged is a file that was copied and is not named by its content yet. Exactly one of its methods must be called, once.
type Staged struct{}

// Keep does what [Store.Take] would have done at the time of [Store.Stage].
func (st *Staged) Keep(ctx context.Context) (State, error) { return State{}, errors.New("not yet") }

// Drop removes the copy.
func (st *Staged) Drop() {}

// Put keeps a content and returns its state as a file of mode 0644.
func (s *Store) Put(ctx context.Context, content []byte) (State, error) {
	return State{}, errors.New("not yet")
}

// Look describes what stands at a path now, with its Sum, and keeps nothing.
func (s *Store) Look(ctx context.Context, path string) (State, error) {
	return State{}, errors.New("not yet")
}

// Read returns the content of a file's state, checked against its sum. Causes of errors: [ErrUnkept], the disk.
func (s *Store) Read(ctx context.Context, st State) ([]byte, error) {
	return nil, errors.New("not yet")
}

// Restore makes what stands at path into the state to, if it is still the state from; otherwise it changes nothing and the
// cause of the error is [ErrChanged]. A reader, and a kill at any moment, see either of them, whole. It creates missing
// directories, and follows no link in the path's last name; links before it must lead where they led when path was resolved.
func (s *Store) Restore(ctx context.Context, path string, from, to State) error {
	return errors.New("not yet")
}

// ErrChanged is the cause of an error about a path that is not as it was.
var ErrChanged = errors.New("it has changed meanwhile")

// Sweep removes images that are older than before and not among used, and what killed processes left, and returns how many
// bytes that freed. If the rest is larger than most bytes, over says by how much.
func (s *Store) Sweep(ctx context.Context, used map[string]bool, before time.Time, most int64) (freed, over int64, err error) {
	return 0, 0, errors.New("not yet")
}
