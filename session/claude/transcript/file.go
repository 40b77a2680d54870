package transcript

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
	"sync"

	"parley/internal/crash"
	"parley/session"
)

// File is a transcript that is read as it grows. It is not safe for concurrent use.
type File struct {
	path    string
	offset  int64 // of the first line that was not read
	info    fs.FileInfo
	lines   []rawLine
	damaged int
	read    int64 // bytes read from the disk so far
	partial bool  // only the end was read
}

// Open returns the File of a path. [File.Update] reads it.
func Open(path string) *File { return &File{path: path} }

// Damaged counts the lines that could not be read.
func (f *File) Damaged() int { return f.damaged }

// BytesRead counts the bytes read from the disk since Open.
func (f *File) BytesRead() int64 { return f.read }

// Update reads the lines that were appended since the last call, and reports whether there were any. An incomplete last line
// is left for the next call. A file that was replaced or truncated is read again. Errors are of kind
// [session.KindNotFound] or [session.KindDisk].
func (f *File) Update(ctx context.Context) (bool, error) {
	file, err := os.Open(f.path)
	if err != nil {
		return false, diskError("read transcript", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return false, diskError("read transcript", err)
	}
	replaced := f.info != nil && (!os.SameFile(f.info, info) || info.Size() < f.offset)
	if replaced {
		*f = File{path: f.path, read: f.read}
	}
	f.info = info
	if info.Size() <= f.offset {
		return replaced, nil
	}
	before := f.offset
	err = f.take(ctx, file, info.Size())
	return replaced || f.offset > before, err
}

// split is the number of bytes from which another worker is used.
const split = 1 << 20

// take reads the lines between the offset and size, many of them in parallel.
func (f *File) take(ctx context.Context, r io.ReaderAt, size int64) error {
	workers := int(min(int64(runtime.GOMAXPROCS(0)), 1+(size-f.offset)/split))
	parts := make([]part, workers)
	step := (size - f.offset) / int64(workers)
	var wg sync.WaitGroup
	for i := range parts {
		p := &parts[i]
		p.from, p.to = f.offset+int64(i)*step, f.offset+int64(i+1)*step
		if i == workers-1 {
			p.to = size
		}
		p.inside = i > 0
		wg.Go(crash.Guarded(func() { p.scan(ctx, r, size) }))
	}
	wg.Wait()
	end := f.offset
	for i := range parts {
		p := &parts[i]
		f.read += p.bytes
		if p.err != nil {
			return p.err
		}
		f.lines = append(f.lines, p.lines...)
		f.damaged += p.damaged
		end = max(end, p.end)
	}
	f.offset = end
	return nil
}

// part is a range of a file that one worker reads: the lines that begin in it.
type part struct {
	from, to int64
	inside   bool // from may be within a line
	lines    []rawLine
	damaged  int
	end      int64 // after the last complete line
	bytes    int64
	err      error
}

// chunk is the number of bytes that are read at once. Lines are copied out of it, so that the skipped records of requests, most of some
// files, take no memory.
const chunk = 256 << 10

// beyond is the number of bytes that a worker reads at once after its part.
const beyond = 8 << 10

func (p *part) scan(ctx context.Context, r io.ReaderAt, size int64) {
	at := p.from
	if p.inside {
		at-- // a line begins at from only if the byte before ends one
	}
	buf := make([]byte, 0, chunk)
	begin := at // offset of buf in the file
	skipping := p.inside
	for {
		if err := ctx.Err(); err != nil {
			p.err = err
			return
		}
		if cap(buf)-len(buf) < chunk/2 {
			buf = append(make([]byte, 0, 2*cap(buf)), buf...)
		}
		want := p.to - at
		if want <= 0 {
			want = beyond // the rest of the last line of this part
		}
		room := min(int64(cap(buf)-len(buf)), size-at, want)
		n, err := r.ReadAt(buf[len(buf):len(buf)+int(room)], at)
		at += int64(n)
		p.bytes += int64(n)
		buf = buf[:len(buf)+n]
		used := 0
		for {
			nl := bytes.IndexByte(buf[used:], '\n')
			if nl < 0 {
				break
			}
			start := begin + int64(used)
			line := buf[used : used+nl]
			used += nl + 1
			if skipping {
				skipping = false
				continue
			}
			if start >= p.to {
				return
			}
			p.line(line)
			p.end = start + int64(nl) + 1
		}
		begin += int64(used)
		buf = append(buf[:0], buf[used:]...)
		if at >= size || err != nil && !errors.Is(err, io.EOF) || n == 0 {
			if err != nil && !errors.Is(err, io.EOF) {
				p.err = diskError("read transcript", err)
			}
			return
		}
		if begin >= p.to && !skipping {
			return
		}
	}
}

func (p *part) line(data []byte) {
	data = bytes.TrimSpace(data)
	if len(data) == 0 {
		return
	}
	l, ok, damaged := scanLine(data)
	if damaged {
		p.damaged++
	}
	if ok {
		l.data = bytes.Clone(data)
		p.lines = append(p.lines, l)
	}
}

func diskError(op string, err error) error {
	kind := session.KindDisk
	if errors.Is(err, fs.ErrNotExist) {
		kind = session.KindNotFound
	}
	return &session.Error{Op: op, Kind: kind, Err: err}
}
