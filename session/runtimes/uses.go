package runtimes

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"parley/internal/safefs"
)

// Use is the use of an installed runtime by a process.
type Use struct {
	PID int `json:"pid"`
	// By names the user, such as a session id.
	By    string    `json:"by"`
	Since time.Time `json:"since"`
}

func (s store) usesDir(f *family, version string) string {
	return filepath.Join(s.home(f), usesDir, version)
}

// mark creates and locks a file for a use. The caller has the version's lock, so that the file is not swept before it is
// locked.
func (s store) mark(f *family, version, by string) (release func(), err error) {
	dir := s.usesDir(f, version)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	file, err := os.CreateTemp(dir, "*.json")
	if err != nil {
		return nil, err
	}
	release = func() { file.Close(); os.Remove(file.Name()) }
	data, err := json.Marshal(Use{PID: os.Getpid(), By: by, Since: s.now().UTC()})
	if err == nil {
		_, err = file.Write(data)
	}
	if err != nil {
		release()
		return nil, err
	}
	_ = safefs.TryLock(file)
	return release, nil
}

// sweepUses removes the marks of ended processes. The caller has the version's lock.
func (s store) sweepUses(f *family, version string) {
	entries, _ := os.ReadDir(s.usesDir(f, version))
	for _, e := range entries {
		path := filepath.Join(s.usesDir(f, version), e.Name())
		if _, used := readUse(path); !used {
			os.Remove(path)
		}
	}
}

// uses returns the uses by running processes, oldest first.
func (s store) uses(f *family, version string) []Use {
	entries, err := os.ReadDir(s.usesDir(f, version))
	if err != nil {
		return nil
	}
	var list []Use
	for _, e := range entries {
		if u, used := readUse(filepath.Join(s.usesDir(f, version), e.Name())); used {
			list = append(list, u)
		}
	}
	slices.SortFunc(list, func(a, b Use) int { return a.Since.Compare(b.Since) })
	return list
}

// readUse reads a mark, and reports false for that of an ended process.
func readUse(path string) (Use, bool) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return Use{}, false
	}
	defer file.Close()
	if !errors.Is(safefs.TryLock(file), safefs.ErrHeld) {
		return Use{}, false
	}
	data, err := readBounded(path, 4<<10)
	var u Use
	if err != nil || json.Unmarshal(data, &u) != nil {
		return Use{By: "an unknown process"}, true
	}
	return u, true
}
