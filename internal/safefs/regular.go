package safefs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"parley/internal/crash"
)

// Links is the treatment of symbolic links when a file is opened.
type Links int

// The two treatments of links. NoLinks concerns the last name of a path; those before it are followed either way.
const (
	FollowLinks Links = iota
	NoLinks
)

// ErrNotRegular is the cause of an error about something that is not a regular file, such as a device or a named pipe.
var ErrNotRegular = errors.New("not a regular file")

// ErrTooLarge is the cause of an error about a file with more bytes than the caller allows.
var ErrTooLarge = errors.New("too large")

// OpenFile opens a regular file for reading and returns its description. It never waits. The error is about the path, with
// the cause [fs.ErrNotExist], [ErrNotRegular] or that of the system. The caller closes the file.
func OpenFile(path string, links Links) (*os.File, fs.FileInfo, error) {
	return open(onDisk{}, path, links)
}

// OpenFileIn is [OpenFile] for a name below root, which no link leads out of.
func OpenFileIn(root *os.Root, name string, links Links) (*os.File, fs.FileInfo, error) {
	return open(root, name, links)
}

// ReadFile returns the content of a regular file of at most most bytes. If it is larger, ReadFile returns the first
// bytes with an error whose cause is [ErrTooLarge]. It ends with ctx.
func ReadFile(ctx context.Context, path string, most int64, links Links) ([]byte, error) {
	return readFile(ctx, onDisk{}, path, most, links)
}

// ReadFileIn is [ReadFile] for a name below root, which no link leads out of.
func ReadFileIn(ctx context.Context, root *os.Root, name string, most int64, links Links) ([]byte, error) {
	return readFile(ctx, root, name, most, links)
}

// opener resolves names: the file system of the process, or an [os.Root].
type opener interface {
	Stat(name string) (fs.FileInfo, error)
	Lstat(name string) (fs.FileInfo, error)
	OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error)
}

type onDisk struct{}

func (onDisk) Stat(name string) (fs.FileInfo, error)  { return os.Stat(name) }
func (onDisk) Lstat(name string) (fs.FileInfo, error) { return os.Lstat(name) }
func (onDisk) OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(name, flag, perm)
}

func open(p opener, name string, links Links) (*os.File, fs.FileInfo, error) {
	// Opening a device may already affect it, so its type is checked first.
	look, flags := p.Stat, os.O_RDONLY|opening
	if links == NoLinks {
		look, flags = p.Lstat, flags|noFollow
	}
	before, err := look(name)
	if err != nil {
		return nil, nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, nil, irregular(name)
	}
	f, err := p.OpenFile(name, flags, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && (!info.Mode().IsRegular() || links == NoLinks && !os.SameFile(before, info)) {
		err = irregular(name)
	}
	if err != nil {
		_ = f.Close() // nothing was written
		return nil, nil, err
	}
	return f, info, nil
}

func irregular(name string) error { return &fs.PathError{Op: "open", Path: name, Err: ErrNotRegular} }

func readFile(ctx context.Context, p opener, name string, most int64, links Links) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, info, err := open(p, name, links)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return read(ctx, f, min(info.Size(), most), most)
}

// Read returns the content of an open file from its position, at most most bytes. If there is more, it returns the
// first bytes with an error whose cause is [ErrTooLarge]. It ends with ctx; the file stays open.
func Read(ctx context.Context, f *os.File, most int64) ([]byte, error) { return read(ctx, f, 0, most) }

// chunk is the number of bytes read between two checks of the context.
const chunk = 256 << 10

func read(ctx context.Context, f *os.File, size, most int64) ([]byte, error) {
	// Some files of /proc are regular and still block; a deadline ends that. Others refuse deadlines, and never block.
	stop := context.AfterFunc(ctx, crash.Guarded(func() { _ = f.SetReadDeadline(time.Unix(1, 0)) }))
	defer stop()
	data := make([]byte, 0, max(size, 0)+1)
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if int64(len(data)) > most {
			return data[:most], &fs.PathError{Op: "read", Path: f.Name(), Err: fmt.Errorf("%w: more than %d bytes", ErrTooLarge, most)}
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		// One byte more than allowed shows whether there is more.
		room := min(int64(cap(data)-len(data)), chunk, most+1-int64(len(data)))
		n, err := f.Read(data[len(data) : len(data)+int(room)])
		data = data[:len(data)+n]
		switch {
		case errors.Is(err, io.EOF):
			return data, nil
		case err != nil && ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			return nil, err
		}
	}
}
