package keyboard

import (
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
)

// Watch returns in, and calls gone once when a read reports that there is nothing more to read: the terminal went away. gone
// is called by the reading goroutine. The result is a [File] for a file, and nil for nil.
func Watch(in io.Reader, gone func()) io.Reader {
	switch in := in.(type) {
	case nil:
		return nil
	case *os.File:
		return &File{File: in, end: end{gone: gone}}
	default:
		return &reader{Reader: in, end: end{gone: gone}}
	}
}

// File is a terminal that reports its end.
type File struct {
	*os.File
	end end
	// read is set by a read and cleared by the request for the descriptor that follows it.
	read atomic.Bool
}

// Read reads from the terminal.
func (f *File) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	f.end.check(n, err)
	f.read.Store(true)
	return n, err
}

// Fd returns the descriptor of the terminal. A caller may wait for it with a descriptor that it made before, which is sealed:
// not for the first request after a read, which a reader makes for every key, while one that is new asks at least twice.
func (f *File) Fd() uintptr {
	if !f.read.Swap(false) {
		sealPolls()
	}
	return f.File.Fd()
}

// Terminal returns the terminal itself.
func (f *File) Terminal() *os.File { return f.File }

// reader is an input that is not a file.
type reader struct {
	io.Reader
	end end
}

// Read reads the input.
func (r *reader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.end.check(n, err)
	return n, err
}

// end calls gone once.
type end struct {
	once sync.Once
	gone func()
}

// check calls gone if a read failed because the terminal is gone.
func (e *end) check(n int, err error) {
	if n == 0 && (errors.Is(err, io.EOF) || errors.Is(err, syscall.EIO) || errors.Is(err, syscall.ENXIO) || errors.Is(err, os.ErrClosed)) {
		e.once.Do(e.gone)
	}
}
