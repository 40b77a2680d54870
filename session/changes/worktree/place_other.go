//go:build !(linux && (amd64 || arm64))

package worktree

import (
	"io/fs"
	"os"
	"path/filepath"
)

// place is a directory.
type place struct{ path string }

// openPlace returns the top of a walk.
func openPlace(path string) (*place, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrInvalid}
	}
	return &place{path}, nil
}

// child returns a directory below.
func (p *place) child(name string) (*place, error) { return openPlace(filepath.Join(p.path, name)) }

func (p *place) use(int)  {}
func (p *place) release() {}

// elsewhere reports whether the place is on another file system than its parent, which is not known here.
func (p *place) elsewhere(*place) bool { return false }

// stamp returns a signature that shows a change of the names, which there is not here.
func (p *place) stamp() (signature, bool) { return signature{}, false }

// listed is a name in a directory.
type listed struct {
	name  string
	kind  kind
	entry fs.DirEntry
}

// list reads the names of the directory into s.names.
func (p *place) list(s *scratch) error {
	s.names = s.names[:0]
	entries, err := os.ReadDir(p.path)
	for _, e := range entries {
		l := listed{name: e.Name(), kind: kindOther, entry: e}
		switch e.Type() {
		case 0, fs.ModeSymlink:
			l.kind = kindFile
		case fs.ModeDir:
			l.kind = kindDir
		}
		s.names = append(s.names, l)
	}
	return err
}

// stat returns the signature of a name in the directory, without following a link.
func (p *place) stat(l listed) (signature, error) {
	info, err := l.entry.Info()
	if err != nil {
		return signature{}, err
	}
	return ofInfo(info), nil
}

// scratch is the memory of one worker.
type scratch struct {
	names []listed
	path  []byte
}
