package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"parley/internal/safefs"
)

// Take describes what stands at a path now, without following a link there, and keeps its content. What cannot be kept is
// said by [State.Unkept]: a file that is larger than Options.Largest, may not be read or changes all the time has no Sum
// then. It fails only if nothing can be said about the path; a path below a file has the kind [None].
func (s *Store) Take(ctx context.Context, path string) (State, error) {
	return s.Stage(ctx, path).Keep(ctx)
}

// Stage copies what stands at a path now as quickly as the disk allows, for [Staged.Keep] to do the rest later. The copy
// shares no name with the file, and where the file system can share blocks, writing to either leaves the other alone.
func (s *Store) Stage(ctx context.Context, path string) *Staged { return s.stage(ctx, disk{}, path) }

func (s *Store) stage(ctx context.Context, in place, path string) *Staged {
	st := &Staged{store: s}
	if st.path, st.err = absolute("take", path); st.err == nil {
		if st.err = st.copy(ctx, in); st.err != nil {
			st.err = fmt.Errorf("take %s: %w", path, st.err)
		}
	}
	return st
}

// Staged is a file that was copied and is not named by its content yet. Its methods are called by one goroutine. Exactly one
// of them must be called; what is called after it does nothing.
type Staged struct {
	store  *Store
	path   string
	state  State
	copied string // the path of the copy; "" if there is none
	err    error
}

// copy copies the file, again if it changes meanwhile.
func (st *Staged) copy(ctx context.Context, in place) error {
	for try := 1; ; try++ {
		v, err := st.store.see(ctx, in, st.path)
		st.state = v.state
		if err != nil || v.file == nil {
			return err
		}
		n, read, wrote := st.copyOnce(ctx, v)
		whole := v.whole(n)
		_ = v.file.Close() // nothing was written
		if read == nil && wrote == nil && whole {
			return nil
		}
		st.Drop()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case wrote != nil:
			st.state.Unkept = unwritten(wrote)
			return nil
		case try == tries || read != nil && !errors.Is(read, safefs.ErrTooLarge):
			st.state.Unkept = unread(read)
			return nil
		}
	}
}

// block is the number of bytes copied between two checks of the context.
const block = 8 << 20

func (st *Staged) copyOnce(ctx context.Context, v view) (n int64, read, wrote error) {
	to, err := st.store.temporary()
	if err != nil {
		return 0, nil, err
	}
	st.copied = to.Name()
	defer func() {
		if err := to.Close(); wrote == nil {
			wrote = err
		}
	}()
	_ = v.file.SetReadDeadline(time.Now().Add(patience)) // files that refuse it never block
	for ctx.Err() == nil {
		// Between two files, the system copies, or shares the blocks where it can.
		got, err := to.ReadFrom(io.LimitReader(v.file, block))
		n += got
		switch {
		case err != nil && isRead(err, v.file.Name()):
			return n, err, nil
		case err != nil:
			return n, nil, err
		case n > v.info.Size():
			return n, safefs.ErrTooLarge, nil
		case got < block:
			return n, nil, nil
		}
	}
	return n, ctx.Err(), nil
}

// isRead reports whether an error of a copy concerns the file that was read.
func isRead(err error, name string) bool {
	var of *fs.PathError
	return errors.As(err, &of) && of.Path == name
}

// Keep does what [Store.Take] would have done at the time of [Store.Stage].
func (st *Staged) Keep(ctx context.Context) (State, error) {
	defer st.Drop()
	if st.err != nil || st.copied == "" {
		return st.state, st.err
	}
	if err := st.keep(ctx); err != nil {
		if ctx.Err() != nil {
			return State{}, fmt.Errorf("take %s: %w", st.path, ctx.Err())
		}
		st.state.Unkept = unwritten(err)
	}
	return st.state, nil
}

func (st *Staged) keep(ctx context.Context) error {
	f, info, err := safefs.OpenFile(st.copied, safefs.NoLinks)
	if err != nil {
		return err
	}
	sum, _, err := hashFile(ctx, f, info.Size())
	_ = f.Close() // nothing was written, and Windows renames no open file
	if err != nil {
		return err
	}
	if st.state.Sum = sum; st.store.has(ctx, st.state) {
		return nil
	}
	err = st.store.adopt(st.copied, sum)
	st.copied = ""
	return err
}

// Drop removes the copy.
func (st *Staged) Drop() {
	if st.copied != "" {
		_ = os.Remove(st.copied) // Sweep does it otherwise
	}
	st.copied = ""
}
