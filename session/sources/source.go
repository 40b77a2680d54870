package sources

import (
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"strings"
	"time"

	"parley/internal/lazyregexp"
	"parley/session"
)

// Source is where one program keeps its sessions. Its methods may be called at the same time.
type Source interface {
	// Places returns the files with sessions, none for a program that is missing. With an id, as the program writes it, those that may
	// have that session are enough. What cannot be looked at is an error beside the rest.
	Places(ctx context.Context, id string) ([]Place, error)
	// Describe describes the sessions of a file, with ids as the program writes them, and what can be read beside an error. One in which
	// nothing was said is left out.
	Describe(ctx context.Context, p Place) ([]session.Meta, error)
}

// Place is a file with sessions as it was found.
type Place struct {
	Path string
	// ID is that of the one session in the file, "" if only its content tells.
	ID string
	// Dir is the directory that its sessions work in, where the place says so.
	Dir   string
	Stamp Stamp
}

// Stamp is the state of a file and of two others that belong to it.
type Stamp [3]State

// State is the state of a file, the zero value of one that is missing.
type State struct {
	Size  int64
	MTime time.Time
}

// StampOf returns the state of a regular file and of up to two others, which may be missing.
func StampOf(path string, beside ...string) (s Stamp, err error) {
	if s[0], err = stateOf(path); err != nil {
		return Stamp{}, err
	}
	for i, other := range beside {
		s[i+1], _ = stateOf(other) // it may be missing
	}
	return s, nil
}

func stateOf(path string) (State, error) {
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file: %w", path, os.ErrNotExist)
	}
	if err != nil {
		return State{}, err
	}
	return State{info.Size(), info.ModTime()}, nil
}

// sign stands between the id of a session and the mark of its file, in the name of one whose id another session has.
const sign = ".at-"

var marked = lazyregexp.New(`^(.+)\.at-([0-9a-f]{8})$`)

// Marked reports whether a name has the mark of a file: another session has the same id, and the program that made this one may not find it.
func Marked(id session.ID) bool {
	return strings.Contains(string(id), sign) && marked.MatchString(string(id))
}

// Raw returns the id in the name of a session, without the mark of its file.
func Raw(id session.ID) session.ID {
	raw, _ := split(string(id))
	return session.ID(raw)
}

func split(name string) (id, mark string) {
	if parts := marked.FindStringSubmatch(name); parts != nil {
		return parts[1], parts[2]
	}
	return name, ""
}

// markOf returns the mark of a file.
func markOf(path string) string {
	h := fnv.New32a()
	h.Write([]byte(path))
	return fmt.Sprintf("%08x", h.Sum32())
}

// ReadOnly returns the error of an agent that is to go on with a marked session, of kind [session.KindUnsupported].
func ReadOnly(op, program string, id session.ID) error {
	return &session.Error{Op: op, Kind: session.KindUnsupported, Err: twice{program, id}}
}

// twice is the error that a program would go on with another session.
type twice struct {
	program string
	id      session.ID
}

// Error returns what else can be done with the session.
func (t twice) Error() string {
	return fmt.Sprintf("there are several sessions with the id of %s, and parley only reads this one; `parley sessions fork %s` copies it", t.id, t.id)
}

// Words returns the texts of the problem; see [session.ProblemOf].
func (t twice) Words() (what, next string) {
	return "Another session has the same id: " + t.program + " might take that one, so parley only reads this one.", "/fork goes on with a copy of it."
}

// unread is the error that files of a program cannot be read.
type unread struct {
	program string
	error
}

// Error names the program and the files.
func (u unread) Error() string {
	return u.program + ": " + strings.ReplaceAll(u.error.Error(), "\n", "; ")
}

// Unwrap returns the cause.
func (u unread) Unwrap() error { return u.error }

// Words returns the texts of the problem; see [session.ProblemOf].
func (u unread) Words() (what, next string) {
	return u.Error() + ".", "Check who may read these files, or move them away."
}
