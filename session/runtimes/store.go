package runtimes

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Names in the directory of a family, beside one directory per version.
const (
	locksDir      = ".locks"
	usesDir       = ".uses"
	stagingPrefix = ".staging-" // followed by the version, a dash and a number
	trashPrefix   = ".trash-"
	receiptFile   = ".parley-runtime.json"
	archiveFile   = ".package.tgz"
)

// receipt is written last into the directory of a version. A directory without one is not a runtime.
type receipt struct {
	Package   string    `json:"package"`
	Integrity string    `json:"integrity"`
	Pinned    bool      `json:"pinned"` // checked against a hash of parley
	Program   string    `json:"program"`
	Length    int64     `json:"length"` // of the program, in bytes
	Size      int64     `json:"size"`   // of all files, in bytes
	Installed time.Time `json:"installed"`
}

// store is the directory of installed runtimes.
type store struct {
	dir string
	now func() time.Time
}

func (s store) home(f *family) string { return filepath.Join(s.dir, f.name) }

func (s store) versionDir(f *family, version string) string {
	return filepath.Join(s.home(f), version)
}

func (s store) lockFile(f *family, version string) string {
	return filepath.Join(s.home(f), locksDir, version+".lock")
}

// complete reads the receipt of a version's directory and checks the length of the program, which a power cut may have
// truncated.
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

// sweep removes the remains of killed installations, ignoring errors: staged versions, versions without a receipt, trash.
// It leaves versions that another process has locked; this process has locked mine.
func (s store) sweep(f *family, mine string) {
	entries, err := os.ReadDir(s.home(f))
	if err != nil {
		return
	}
	for _, e := range entries {
		name, path := e.Name(), filepath.Join(s.home(f), e.Name())
		switch {
		case strings.HasPrefix(name, trashPrefix):
			os.RemoveAll(path)
		case strings.HasPrefix(name, stagingPrefix):
			rest := strings.TrimPrefix(name, stagingPrefix)
			s.sweepOne(f, rest[:max(0, strings.LastIndexByte(rest, '-'))], mine, path)
		case isVersion(name) && e.IsDir():
			if _, ok := complete(path); !ok {
				s.sweepOne(f, name, mine, path)
			}
		}
	}
}

func (s store) sweepOne(f *family, version, mine, path string) {
	if version != latestTag && !isVersion(version) {
		return
	}
	if version != mine {
		unlock, err := lockNow(s.lockFile(f, version))
		if err != nil {
			return
		}
		defer unlock()
	}
	os.RemoveAll(path)
}

// discard removes a directory after a rename, so that it is never visible in part.
func (s store) discard(f *family, dir string) error {
	trash, err := os.MkdirTemp(s.home(f), trashPrefix)
	if err != nil {
		return err
	}
	defer os.RemoveAll(trash)
	return os.Rename(dir, filepath.Join(trash, filepath.Base(dir)))
}

// installed returns the complete versions of a family.
func (s store) installed(f *family) []Installed {
	entries, err := os.ReadDir(s.home(f))
	if err != nil {
		return nil
	}
	var list []Installed
	for _, e := range entries {
		if i, ok := s.installedVersion(f, e.Name()); ok {
			list = append(list, i)
		}
	}
	return list
}

func (s store) installedVersion(f *family, version string) (Installed, bool) {
	if strings.HasPrefix(version, ".") || !isVersion(version) {
		return Installed{}, false
	}
	dir := s.versionDir(f, version)
	got, ok := complete(dir)
	return Installed{Name: f.name, Title: f.title, Version: version, Dir: dir, Package: got.Package, Size: got.Size,
		Standing: f.standing(version), Since: got.Installed, Pinned: got.Pinned}, ok
}
