package shell

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parley/session"
	"parley/session/builtin/tool"
)

// outputFile returns a function that creates the file for the output of a call if it must be cut; nil for none.
func outputFile(w *tool.Workspace, id session.CallID) func() (*os.File, error) {
	if w.OutputDir == "" {
		return nil
	}
	return func() (*os.File, error) {
		// The new output is stored, so room is made before it comes.
		pruneOutputs(w.OutputDir, w.Now().Add(-outputsKept), maxOutputs-maxKept)
		return openOutput(filepath.Join(w.OutputDir, string(w.Session)+"-"+fileName(string(id))+".txt"))
	}
}

// fileName replaces characters with a meaning in paths, because the service makes up the ids of calls.
func fileName(id string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '_'
	}, id)
}

const (
	// outputsKept is the time for which the output of a command stays on disk.
	outputsKept = 7 * 24 * time.Hour
	// maxOutputs bounds all stored outputs in bytes, including those of other sessions and processes.
	maxOutputs = 1 << 30
)

// pruneOutputs removes outputs older than limit, then the oldest ones until the rest has at most most bytes. A file
// that cannot be removed stays and counts.
func pruneOutputs(dir string, limit time.Time, most int64) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	var all []fs.FileInfo
	var size int64
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			all, size = append(all, info), size+info.Size()
		}
	}
	slices.SortFunc(all, func(a, b fs.FileInfo) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), strings.Compare(a.Name(), b.Name()))
	})
	for _, info := range all {
		if size <= most && !info.ModTime().Before(limit) {
			return
		}
		if os.Remove(filepath.Join(dir, info.Name())) == nil {
			size -= info.Size()
		}
	}
}

// openOutput creates the file of a whole output, private to the user.
func openOutput(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
}
