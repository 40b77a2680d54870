package rules

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	"parley/internal/safefs"
	"parley/session/permission"
)

// File is a file of rules as it was read.
type File struct {
	Origin permission.Origin
	// Path is the file, also where it does not exist.
	Path string
	// Rules are its rules in order. With a problem they are those that could be read, of which only those that ask or deny
	// hold.
	Rules []permission.Rule
	// Missing reports that the file does not exist: there are no rules.
	Missing bool
	// Problem is the reason why the file cannot be used, nil if it can.
	Problem *Problem
	// Unsaid are the rules of settings of Claude Code that are no rules of parley, each with why.
	Unsaid []string
}

// settled is the time for which a file must be unchanged before its time of change identifies its content: file systems count time in
// steps, and a second change within one would go unnoticed.
const settled = 2 * time.Second

// look describes a file at the time it was read.
type look struct {
	file File
	info fs.FileInfo // nil if it did not exist or could not be looked at
	at   time.Time
}

// current reports whether a file looks as it did when it was read.
func (l *look) current(info fs.FileInfo, err error) bool {
	if l == nil || err != nil || info == nil || l.info == nil {
		return false
	}
	return os.SameFile(l.info, info) && l.info.ModTime().Equal(info.ModTime()) && l.info.Size() == info.Size() &&
		l.info.Mode() == info.Mode() && l.at.Sub(info.ModTime()) > settled
}

// missing reports whether a file was not there and still is not, also as a link to nothing. err is that of the new look.
func (l *look) missing(path string, err error) bool {
	if l == nil || !l.file.Missing || !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	_, err = os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// read reads a file of the user's rules.
func read(path string, origin permission.Origin) File {
	f := File{Origin: origin, Path: path}
	data, err := content(path)
	if errors.Is(err, fs.ErrNotExist) {
		f.Missing = true
		return f
	}
	if err == nil {
		var d *document
		d, err = parse(data, origin)
		f.Rules = d.rules
	}
	if err != nil {
		f.Problem = problemOf(path, err)
	}
	return f
}

// content returns the bytes of a file. The error is about the file alone; it is [fs.ErrNotExist] only if nothing at all has the
// name, also where a directory above it is none.
func content(path string) ([]byte, error) {
	data, err := safefs.ReadFile(context.Background(), path, largest, safefs.FollowLinks)
	if errors.Is(err, syscall.ENOTDIR) { // a file stands where a directory above would be
		return nil, fs.ErrNotExist
	}
	if errors.Is(err, fs.ErrNotExist) {
		if target, linkErr := os.Readlink(path); linkErr == nil {
			return nil, fmt.Errorf("it links to %s, which does not exist", target)
		}
		return nil, fs.ErrNotExist
	}
	switch {
	case err == nil:
		return data, nil
	case errors.Is(err, safefs.ErrTooLarge):
		return nil, fmt.Errorf("it has more than %d KiB", largest>>10)
	case errors.Is(err, safefs.ErrNotRegular):
		return nil, errors.New("it is not a file")
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return nil, e.Err
	}
	return nil, err
}
