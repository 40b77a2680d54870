package safefs

import (
	"errors"
	"io/fs"
	"time"
)

// Kind is the type of a directory entry.
type Kind uint8

// The kinds of names. Other is a link, a device, a pipe or a socket.
const (
	File Kind = iota
	Dir
	Other
)

// Name is a name in a directory.
type Name struct {
	Text string
	Kind Kind
}

// Info describes a regular file: its size in bytes and the time of its last change.
type Info struct {
	Size  int64
	Mtime time.Time
}

// ErrNotFile is the cause of an error about a name that is not a regular file any more.
var ErrNotFile = errors.New("not a regular file")

func notFile(name string) error { return &fs.PathError{Op: "open", Path: name, Err: ErrNotFile} }

// Descent holds an open directory, which closes when its last user has released it. It is safe for concurrent use.
type Descent struct{ place }

// Descend opens the top of a tree. Its path must not have a link. The caller releases it.
func Descend(path string) (*Descent, error) { return openTop(path) }
