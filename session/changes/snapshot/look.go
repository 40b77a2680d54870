package snapshot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"parley/internal/human"
	"parley/internal/safefs"
)

// Look describes what stands at a path now, with its Sum, and keeps nothing: a file whose content is not in the store yet
// is Unkept. It does not read files that are too large to be kept. Errors are as those of [Store.Take].
func (s *Store) Look(ctx context.Context, path string) (State, error) {
	path, err := absolute("look at", path)
	if err != nil {
		return State{}, err
	}
	st, _, err := s.look(ctx, disk{}, path)
	if err != nil {
		return State{}, fmt.Errorf("look at %s: %w", path, err)
	}
	if st.Sum != "" && !s.refresh(st) {
		st.Unkept = "it was only looked at"
	}
	return st, nil
}

// look returns the state at a name, with the description of what is there.
func (s *Store) look(ctx context.Context, in place, name string) (State, fs.FileInfo, error) {
	for try := 1; ; try++ {
		v, err := s.see(ctx, in, name)
		if err != nil || v.file == nil {
			return v.state, v.info, err
		}
		var n int64
		v.state.Sum, n, err = hashFile(ctx, v.file, v.info.Size())
		whole := v.whole(n)
		_ = v.file.Close() // nothing was written
		switch {
		case ctx.Err() != nil:
			return State{}, nil, ctx.Err()
		case err == nil && whole:
			return v.state, v.info, nil
		case try == tries || err != nil && !errors.Is(err, safefs.ErrTooLarge):
			v.state.Sum, v.state.Unkept = "", unread(err)
			return v.state, v.info, nil
		}
	}
}

// tries bounds how often a file is read that changes meanwhile.
const tries = 3

// view describes the file at a place. file is open if it can be kept.
type view struct {
	state State
	info  fs.FileInfo // nil if there is nothing
	file  *os.File
}

// whole reports whether n bytes are all of the file, and it is as it was when it was opened.
func (v view) whole(n int64) bool {
	now, err := v.file.Stat()
	return err == nil && n == v.info.Size() && unchanged(v.info, now)
}

// see describes what stands at a name. What comes and goes meanwhile is looked at again.
func (s *Store) see(ctx context.Context, in place, name string) (view, error) {
	for try := 1; ; try++ {
		if err := ctx.Err(); err != nil {
			return view{}, err
		}
		v, err := s.seeOnce(in, name)
		moved := errors.Is(err, fs.ErrNotExist) || errors.Is(err, safefs.ErrNotRegular) || errors.Is(err, syscall.EINVAL)
		if err == nil || !moved || try == tries {
			return v, err
		}
	}
}

func (s *Store) seeOnce(in place, name string) (view, error) {
	info, err := in.Lstat(name)
	switch {
	case nothing(err):
		return view{state: State{Kind: None}}, nil
	case err != nil:
		return view{}, err
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := in.Readlink(name)
		if err != nil {
			return view{}, err
		}
		return view{state: State{Kind: Link, Target: target}, info: info}, nil
	case !info.Mode().IsRegular():
		return view{state: State{Kind: Other, Unkept: other(info.Mode())}, info: info}, nil
	}
	v := view{state: State{Kind: File, Mode: info.Mode() & bits, Size: info.Size()}, info: info}
	if info.Size() > s.o.Largest {
		v.state.Unkept = tooLarge(s.o.Largest)
		return v, nil
	}
	f, info, err := in.Open(name)
	switch {
	case errors.Is(err, syscall.ELOOP): // it is a link now
		return view{}, safefs.ErrNotRegular
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, safefs.ErrNotRegular):
		return view{}, err
	case err != nil:
		v.state.Unkept = unread(err)
		return v, nil
	}
	v.file, v.info, v.state.Mode, v.state.Size = f, info, info.Mode()&bits, info.Size()
	return v, nil
}

// nothing reports whether an error means that nothing is at a path, as for one below a file.
func nothing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// bits are those of a mode that a state has.
const bits = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// place resolves names without following a link in the last one: paths on the disk, or names below a directory.
type place interface {
	Lstat(name string) (fs.FileInfo, error)
	Readlink(name string) (string, error)
	Open(name string) (*os.File, fs.FileInfo, error)
}

type disk struct{}

func (disk) Lstat(name string) (fs.FileInfo, error) { return os.Lstat(name) }
func (disk) Readlink(name string) (string, error)   { return os.Readlink(name) }
func (disk) Open(name string) (*os.File, fs.FileInfo, error) {
	return safefs.OpenFile(name, safefs.NoLinks)
}

type below struct{ *os.Root }

func (b below) Open(name string) (*os.File, fs.FileInfo, error) {
	return safefs.OpenFileIn(b.Root, name, safefs.NoLinks)
}

// unchanged reports whether two descriptions are of the same file, and neither its content nor its mode was changed in
// between, as precisely as the file system's clock.
func unchanged(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && safefs.InfoOf(a) == safefs.InfoOf(b)
}

// chunk is the number of bytes handled between two checks of the context.
const chunk = 256 << 10

var buffers = sync.Pool{New: func() any { return new([chunk]byte) }}

// hashFile returns the sum and the length of an open file. Of one with more than most bytes it reads no more, with the
// cause [safefs.ErrTooLarge].
func hashFile(ctx context.Context, f *os.File, most int64) (sum string, n int64, err error) {
	h := sha256.New()
	n, err = stream(ctx, h, f, most)
	return hex.EncodeToString(h.Sum(nil)), n, err
}

// patience bounds the wait for a file that is regular and still blocks, as some of /proc do.
const patience = 100 * time.Millisecond

// stream copies an open file up to its end, at most most bytes.
func stream(ctx context.Context, to io.Writer, f *os.File, most int64) (n int64, err error) {
	_ = f.SetReadDeadline(time.Now().Add(patience)) // files that refuse it never block
	buf := buffers.Get().(*[chunk]byte)
	defer buffers.Put(buf)
	for {
		if err := ctx.Err(); err != nil {
			return n, err
		}
		got, err := f.Read(buf[:])
		if n += int64(got); n > most {
			return n, safefs.ErrTooLarge
		}
		if _, err := to.Write(buf[:got]); err != nil {
			return n, err
		}
		switch {
		case errors.Is(err, io.EOF):
			return n, nil
		case err != nil:
			return n, err
		}
	}
}

// absolute returns a path without what names the same in other words.
func absolute(op, path string) (string, error) {
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("%s %q: the path is not absolute", op, path)
	}
	return filepath.Clean(path), nil
}

// The reasons of [State.Unkept].

func tooLarge(most int64) string { return "it is larger than " + human.Size(most) }

func unread(err error) string {
	switch {
	case err == nil, errors.Is(err, safefs.ErrTooLarge):
		return "it changed while it was read"
	case errors.Is(err, fs.ErrPermission):
		return "it may not be read"
	case errors.Is(err, os.ErrDeadlineExceeded):
		return "it could not be read in time"
	}
	return "it could not be read: " + cause(err)
}

func unwritten(err error) string {
	if errors.Is(err, syscall.ENOSPC) {
		return "the disk is full"
	}
	return "no copy of it could be written: " + cause(err)
}

func other(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return directory
	case mode&fs.ModeNamedPipe != 0:
		return "it is a named pipe"
	case mode&fs.ModeSocket != 0:
		return "it is a socket"
	case mode&fs.ModeDevice != 0:
		return "it is a device"
	}
	return "it is not a regular file"
}

// cause returns the innermost message of the system, without the path.
func cause(err error) string {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return errno.Error()
	}
	return err.Error()
}
