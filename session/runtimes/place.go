package runtimes

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// The directory of a family holds a directory per version, and with a dot before their names: locks, marks of who uses
// what, and what is not yet, or no longer, a version.
const (
	locksDir      = ".locks"
	usesDir       = ".uses"
	stagingPrefix = ".staging-" // then the version, a dash and a number
	trashPrefix   = ".trash-"
	receiptFile   = ".parley-runtime.json"
	archiveFile   = ".package.tgz"
)

// receipt is written into a version's directory as the last thing before that gets its name. A directory without one is no
// runtime.
type receipt struct {
	Package   string    `json:"package"`
	Integrity string    `json:"integrity"`
	Pinned    bool      `json:"pinned"` // the hash is parley's own
	Program   string    `json:"program"`
	Length    int64     `json:"length"` // of the program, in bytes
	Size      int64     `json:"size"`   // of all files, in bytes
	Installed time.Time `json:"installed"`
}

func (r *Runtimes) home(f *family) string { return filepath.Join(r.o.Dir, f.name) }

func (r *Runtimes) versionDir(f *family, version string) string {
	return filepath.Join(r.home(f), version)
}

func (r *Runtimes) lockFile(f *family, version string) string {
	return filepath.Join(r.home(f), locksDir, version+".lock")
}

// complete reads the receipt of a version's directory and checks that the program is there in its full length, which a
// power cut may have prevented.
func complete(dir string) (receipt, bool) {
	data, err := readBounded(filepath.Join(dir, receiptFile), 64<<10)
	if err != nil {
		return receipt{}, false
	}
	var got receipt
	if json.Unmarshal(data, &got) != nil || !filepath.IsLocal(got.Program) {
		return receipt{}, false
	}
	info, err := os.Lstat(filepath.Join(dir, got.Program))
	return got, err == nil && info.Mode().IsRegular() && info.Size() == got.Length
}

// sweep removes what killed installations left behind: staged versions, versions without a receipt, trash. Those that
// another process is working on are locked and left alone; mine is the version this process has locked. It is best effort.
func (r *Runtimes) sweep(f *family, mine string) {
	entries, err := os.ReadDir(r.home(f))
	if err != nil {
		return
	}
	for _, e := range entries {
		name, path := e.Name(), filepath.Join(r.home(f), e.Name())
		switch {
		case strings.HasPrefix(name, trashPrefix):
			os.RemoveAll(path)
		case strings.HasPrefix(name, stagingPrefix):
			rest := strings.TrimPrefix(name, stagingPrefix)
			r.sweepOne(f, rest[:max(0, strings.LastIndexByte(rest, '-'))], mine, path)
		case isVersion(name) && e.IsDir():
			if _, ok := complete(path); !ok {
				r.sweepOne(f, name, mine, path)
			}
		}
	}
}

func (r *Runtimes) sweepOne(f *family, version, mine, path string) {
	if version != Latest && !isVersion(version) {
		return
	}
	if version != mine {
		unlock, err := lockNow(r.lockFile(f, version))
		if err != nil {
			return
		}
		defer unlock()
	}
	os.RemoveAll(path)
}

// discard moves a directory out of the way at once and then removes it, so that nobody ever sees half of it under its name.
func (r *Runtimes) discard(f *family, dir string) error {
	trash, err := os.MkdirTemp(r.home(f), trashPrefix)
	if err != nil {
		return err
	}
	defer os.RemoveAll(trash)
	return os.Rename(dir, filepath.Join(trash, filepath.Base(dir)))
}
