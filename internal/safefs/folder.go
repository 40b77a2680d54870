package safefs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrLink is the cause of an error about a path on which a link has appeared.
var ErrLink = errors.New("a folder or file on its path became a link meanwhile; try again")

// OpenFolder opens a directory whose path must not contain a link. The caller closes it.
func OpenFolder(dir string) (*os.Root, error) {
	is, err := identify(dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return same(root, is, dir)
}

// same closes root and returns an error unless it is the directory that was examined.
func same(root *os.Root, is fs.FileInfo, path string) (*os.Root, error) {
	got, err := root.Stat(".")
	if err == nil && !os.SameFile(is, got) {
		err = &fs.PathError{Op: "open", Path: path, Err: ErrLink}
	}
	if err != nil {
		_ = root.Close() // nothing was written
		return nil, err
	}
	return root, nil
}

// subFolder opens a directory within a directory, unless it is a link. The caller closes it.
func subFolder(in *os.Root, name string) (*os.Root, error) {
	is, err := in.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case is.Mode()&fs.ModeSymlink != 0:
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrLink}
	case !is.IsDir():
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("not a directory")}
	}
	root, err := in.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return same(root, is, name)
}

// MakeFolder opens a directory as [OpenFolder] does, creates the missing ones of its path, and returns those, outermost first, also
// with an error.
func MakeFolder(dir string) (root *os.Root, made []string, err error) {
	root, err = OpenFolder(dir)
	if !errors.Is(err, fs.ErrNotExist) || filepath.Dir(dir) == dir {
		return root, nil, err
	}
	above, made, err := MakeFolder(filepath.Dir(dir))
	if err != nil {
		return nil, made, err
	}
	defer above.Close()
	switch err := above.Mkdir(filepath.Base(dir), 0o777); {
	case err == nil:
		made = append(made, dir)
	case !errors.Is(err, fs.ErrExist):
		return nil, made, err
	}
	root, err = subFolder(above, filepath.Base(dir))
	return root, made, err
}
