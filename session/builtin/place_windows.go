package builtin

import (
	"io/fs"
	"os"
	"path/filepath"
)

// identify looks at a directory and refuses links. Two looks are made, since directories are not opened one in the other
// here: a link that comes and goes between them is not seen, but making links needs a privilege.
func identify(dir string) (fs.FileInfo, error) {
	is, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(dir); err != nil || real != dir {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: errLink}
	}
	return is, nil
}
