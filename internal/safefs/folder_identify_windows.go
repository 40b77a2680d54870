package safefs

import (
	"io/fs"
	"os"
	"path/filepath"
)

// identify returns the description of a directory and refuses links. It checks twice, because directories cannot be
// opened within each other here: a link that comes and goes in between is missed, but creating links needs a privilege.
func identify(dir string) (fs.FileInfo, error) {
	is, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(dir); err != nil || real != dir {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: ErrLink}
	}
	return is, nil
}
