package proc

import (
	"os"
	"os/exec"
	"path/filepath"
)

// Look returns the absolute path of a program on the PATH of an environment, as [exec.LookPath] finds it on that of this process.
func Look(environ []string, name string) (string, error) {
	path := Lookup(environ, "PATH")
	if path == "" || path == os.Getenv("PATH") {
		found, err := exec.LookPath(name)
		if err == nil && !filepath.IsAbs(found) {
			err = &exec.Error{Name: name, Err: exec.ErrDot}
		}
		return found, err
	}
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue // the working directory may not decide what runs
		}
		if found, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return found, nil
		}
	}
	return "", &exec.Error{Name: name, Err: exec.ErrNotFound}
}
