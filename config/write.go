package config

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"parley/internal/safefs"
)

// maxFile bounds the size of a configuration file that is changed.
const maxFile = 1 << 20

// Writer changes single keys of a configuration file. All other bytes of the file stay as they are. Several goroutines and several
// processes may change one file at the same time.
type Writer struct {
	// File is the configuration file; a missing one is made, mode 0600, with its directory. Where it is a link, what it leads to
	// is written.
	File string
	// Lock is a file whose lock is held during a change.
	Lock string
}

// Set sets a key to a value written as in the environment, such as "dark" or "true"; "" removes the key, so that its default holds.
// The file is read, changed, checked and replaced; it stays as it is where an error is returned. The error names the file, with the
// line where one is to blame. It blocks.
func (w Writer) Set(key, value string) error {
	k, ok := keyByName(key)
	if !ok {
		return &Error{Where: w.File, Key: key, Err: errors.New("unknown key")}
	}
	e := edit{name: w.File, key: k, remove: value == ""}
	switch {
	case e.remove:
	case k.Type == Bindings || k.Type == Servers:
		return &Error{Where: w.File, Key: key, Err: errors.New("edit the file to change this list")}
	default:
		v, err := k.parse(value)
		if err != nil {
			return &Error{Where: w.File, Key: key, Err: err}
		}
		e.value = v
	}
	err := w.locked(e)
	if own, is := errors.AsType[*Error](err); err == nil || is && own.Where != "" {
		return err
	}
	return &Error{Where: w.File, Err: err}
}

// locked changes the file under the lock.
func (w Writer) locked(e edit) error {
	if err := os.MkdirAll(filepath.Dir(w.Lock), 0o700); err != nil {
		return reason(err)
	}
	unlock, err := safefs.WaitLock(w.Lock)
	switch {
	case errors.Is(err, safefs.ErrHeld):
		return errors.New("another parley is changing it; try again")
	case err != nil:
		return reason(err)
	}
	defer unlock()
	for range 3 { // an editor may write meanwhile: it takes no lock
		data, err := w.read()
		if err != nil {
			return err
		}
		next, err := e.apply(data)
		if err != nil || bytes.Equal(next, data) {
			return err
		}
		if again, err := w.read(); err != nil || !bytes.Equal(again, data) {
			continue
		}
		return reason(safefs.Replace(w.File, next))
	}
	return errors.New("another program is changing it; try again")
}

// read returns the content of the file, nothing for a missing one. A file that its owner made read-only is not to be changed.
func (w Writer) read() ([]byte, error) {
	data, err := safefs.ReadFile(context.Background(), w.File, maxFile, safefs.FollowLinks)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, safefs.ErrTooLarge):
		return nil, fmt.Errorf("it has more than %d KiB; edit it by hand", maxFile>>10)
	case errors.Is(err, safefs.ErrNotRegular):
		return nil, errors.New("it is not a file")
	case err != nil:
		return nil, reason(err)
	}
	if info, err := os.Stat(w.File); err == nil && info.Mode().Perm()&0o200 == 0 {
		return nil, errors.New("it is read-only; edit what it is made from, or make it writable")
	}
	return data, nil
}

// reason returns an error without the operation and the path: both are said around it.
func reason(err error) error {
	if e, is := errors.AsType[*fs.PathError](err); is && slices.Contains([]string{"open", "openat", "mkdir", "rename"}, e.Op) {
		if errors.Is(e.Err, fs.ErrPermission) {
			return fmt.Errorf("%w; check who may write in %s", e.Err, filepath.Dir(e.Path))
		}
		return e.Err
	}
	return err
}
