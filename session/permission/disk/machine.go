package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// OfMachine returns the disk of this machine.
func OfMachine() Disk {
	d := Disk{Resolve: filepath.EvalSymlinks, Exists: Exists, FoldCase: runtime.GOOS == "darwin" || runtime.GOOS == "windows"}
	if runtime.GOOS != "windows" { // whose names mean more than a directory lists
		d.KindOf, d.List = machineKind, machineList
	}
	return d
}

// Exists reports whether a path is there, also as a link that leads nowhere.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// machineKind returns what is at a path.
func machineKind(path string) Kind {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Absent
	}
	if err != nil {
		return Unclear
	}
	return kindOfMode(info.Mode())
}

func kindOfMode(mode fs.FileMode) Kind {
	if mode.IsRegular() || mode.IsDir() {
		return Plain
	}
	return Unclear
}

// machineList returns what a directory has, nil if that is too much or cannot be read. Anything else has nothing.
func machineList(dir string) map[string]Kind {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return map[string]Kind{}
	}
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	found, err := f.ReadDir(maxEntries + 1)
	if err != nil && !errors.Is(err, io.EOF) || len(found) > maxEntries { // the end, of an empty one
		return nil
	}
	entries := make(map[string]Kind, len(found))
	for _, e := range found {
		entries[e.Name()] = kindOfMode(e.Type())
	}
	return entries
}
