package changes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"parley/internal/safefs"
	"parley/session"
)

// seen is the part of a log's file that the ledger has.
type seen struct {
	info   fs.FileInfo // nil: the file was missing
	offset int64       // after the last whole line
	// tail are the last bytes before offset, by which a file that was written over is known.
	tail []byte
	// rest reports bytes after offset, which are a torn line or one that is being written.
	rest bool
}

// tailLength is the length of a tail. Most lines are shorter.
const tailLength = 1 << 10

// maxWait bounds the wait for another process that appends. An append takes less than a millisecond.
const maxWait = 5 * time.Second

func (l *Log) path() string { return filepath.Join(l.lib.o.Dir, string(l.id)+suffix) }

// read adds to the ledger what is new in the file.
func (l *Log) read(op string) error {
	f, info, err := safefs.OpenFile(l.path(), safefs.NoLinks)
	if errors.Is(err, fs.ErrNotExist) {
		l.forget()
		return nil
	}
	if err != nil {
		return diskError(op, err)
	}
	defer f.Close()
	return l.readFrom(op, f, info)
}

// forget begins with an empty ledger.
func (l *Log) forget() { l.ledger, l.file = newLedger(), seen{} }

// readFrom adds to the ledger what is new in the open file.
func (l *Log) readFrom(op string, f *os.File, info fs.FileInfo) error {
	was := l.file
	if was.info != nil && os.SameFile(was.info, info) && was.info.Size() == info.Size() && was.info.ModTime().Equal(info.ModTime()) {
		return nil
	}
	if was.info != nil && (!os.SameFile(was.info, info) || info.Size() < was.offset || !was.continues(f)) {
		l.forget()
	}
	at := l.file.offset
	data, err := io.ReadAll(io.NewSectionReader(f, at, max(info.Size()-at, 0)))
	if err != nil {
		return diskError(op, err)
	}
	whole := bytes.LastIndexByte(data, '\n') + 1
	for text := range bytes.Lines(data[:whole]) {
		if ln, ok := decodeLine(text); ok {
			l.ledger.add(ln)
		}
	}
	tail := append(l.file.tail, data[:whole]...)
	l.file = seen{info: info, offset: at + int64(whole), rest: whole < len(data),
		tail: bytes.Clone(tail[max(len(tail)-tailLength, 0):])}
	return nil
}

// continues reports whether the file still has what was read before.
func (s seen) continues(f *os.File) bool {
	now := make([]byte, len(s.tail))
	_, err := f.ReadAt(now, s.offset-int64(len(s.tail)))
	return err == nil && bytes.Equal(now, s.tail)
}

// append appends the lines that make returns once everything that others wrote is in the ledger. It writes all lines or none.
func (l *Log) append(ctx context.Context, op string, make func() []line) error {
	return l.write(ctx, op, make, func(*os.File) error { return nil })
}

// appendSync is append for lines that have to survive a crash of the machine before anything else happens.
func (l *Log) appendSync(ctx context.Context, op string, make func() []line) error {
	return l.write(ctx, op, make, (*os.File).Sync)
}

func (l *Log) write(ctx context.Context, op string, make func() []line, sync func(*os.File) error) error {
	f, err := l.lock(ctx, op)
	if err != nil {
		return err
	}
	defer f.Close() // releases the lock; a failed write is known by then
	info, err := f.Stat()
	if err != nil {
		return diskError(op, err)
	}
	if err := l.readFrom(op, f, info); err != nil {
		return err
	}
	if l.file.rest { // a torn line; if only its end is missing, it counts
		if _, err = f.Write([]byte{'\n'}); err == nil {
			info, err = f.Stat()
		}
		if err == nil {
			err = l.readFrom(op, f, info)
		}
		if err != nil {
			return diskError(op, err)
		}
	}
	var data []byte
	lines := make()
	for _, ln := range lines {
		text, err := ln.encode()
		if err != nil {
			return problem(op, session.KindInternal, err)
		}
		data = append(data, text...)
	}
	if len(lines) == 0 {
		return nil
	}
	_, err = f.Write(data)
	if err == nil {
		err = sync(f)
	}
	if err != nil {
		_ = f.Truncate(info.Size()) // otherwise the next append ends the torn line
		return diskError(op, err)
	}
	if info, err = f.Stat(); err != nil {
		return diskError(op, err)
	}
	return l.readFrom(op, f, info)
}

// lock opens the file with its lock, and creates it when needed.
func (l *Log) lock(ctx context.Context, op string) (*os.File, error) {
	if err := os.MkdirAll(l.lib.o.Dir, 0o700); err != nil {
		return nil, diskError(op, err)
	}
	return lockFile(ctx, op, l.path(), maxWait, "another parley is writing the changes of this session")
}

// lockFile opens a file, creates it when needed, and takes its lock. It waits for one who holds it, and tries again when the
// holder has removed the file. On a file system without locks it does without.
func lockFile(ctx context.Context, op, path string, wait time.Duration, held string) (*os.File, error) {
	for limit := time.Now().Add(wait); ; {
		if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
			return nil, problem(op, session.KindCorrupt, fmt.Errorf("%s is not a regular file; remove it", path))
		}
		f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
		if err != nil {
			return nil, diskError(op, err)
		}
		if err := safefs.TryLock(f); !errors.Is(err, safefs.ErrHeld) && stillAt(path, f) {
			return f, nil
		}
		_ = f.Close() // nothing was written
		if !time.Now().Before(limit) {
			return nil, problem(op, session.KindLocked, errors.New(held))
		}
		select {
		case <-ctx.Done():
			return nil, cancelled(op, ctx)
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// stillAt reports whether f is the file at path.
func stillAt(path string, f *os.File) bool {
	at, err := os.Lstat(path)
	if err != nil {
		return false
	}
	open, err := f.Stat()
	return err == nil && os.SameFile(at, open)
}
