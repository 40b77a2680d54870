package runtimes

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
)

// memoryFile holds what programs said of their version, in Options.Dir.
const memoryFile = "versions.json"

// maxMemory is how many programs are remembered; more than a machine has.
const maxMemory = 64

// said is what a program said, and what it looked like then.
type said struct {
	Path    string `json:"path"`
	Size    int64  `json:"size"`
	ModTime int64  `json:"mtime"` // nanoseconds since 1970
	Version string `json:"version"`
}

func (r *Runtimes) memoryPath() string { return filepath.Join(r.o.Dir, memoryFile) }

func (r *Runtimes) memory() []said {
	data, err := readBounded(r.memoryPath(), 1<<20)
	if err != nil {
		return nil
	}
	var list []said
	if json.Unmarshal(data, &list) != nil {
		return nil
	}
	return list
}

// remembered is what the program at path said, "" if it has not been asked or has changed since.
func (r *Runtimes) remembered(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	for _, s := range r.memory() {
		if s.Path == path && s.Size == info.Size() && s.ModTime == info.ModTime().UnixNano() && isVersion(s.Version) {
			return s.Version
		}
	}
	return ""
}

// remember keeps what the program at path said. It is best effort: forgetting costs one start of the program.
func (r *Runtimes) remember(path, version string) {
	info, err := os.Stat(path)
	if err != nil {
		return
	}
	list := slices.DeleteFunc(r.memory(), func(s said) bool { return s.Path == path })
	list = append(list, said{Path: path, Size: info.Size(), ModTime: info.ModTime().UnixNano(), Version: version})
	list = list[max(0, len(list)-maxMemory):]
	data, err := json.Marshal(list)
	if err != nil || os.MkdirAll(r.o.Dir, 0o700) != nil {
		return
	}
	_ = writeAtomically(r.memoryPath(), data)
}

// toldFile holds the notices that were shown, in Options.Dir.
const toldFile = "told.json"

// Untold returns those notices that an audience, such as "chat", has not been given before, and takes note of them. Where that
// cannot be written they are returned again the next time.
func (r *Runtimes) Untold(audience string, notices []Notice) []Notice {
	if len(notices) == 0 {
		return nil
	}
	path := filepath.Join(r.o.Dir, toldFile)
	var told []string
	if data, err := readBounded(path, 1<<20); err == nil && json.Unmarshal(data, &told) != nil {
		told = nil
	}
	var fresh []Notice
	for _, n := range notices {
		if key := audience + ": " + n.Text; !slices.Contains(told, key) {
			fresh = append(fresh, n)
			told = append(told, key)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	told = told[max(0, len(told)-maxMemory):]
	if data, err := json.Marshal(told); err == nil && os.MkdirAll(r.o.Dir, 0o700) == nil {
		_ = writeAtomically(path, data)
	}
	return fresh
}

// writeAtomically replaces a small file as a whole, mode 0600.
func writeAtomically(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".tmp-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
