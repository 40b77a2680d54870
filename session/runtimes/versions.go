package runtimes

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"parley/internal/safefs"
)

// versionsFile caches the versions of programs, in Options.Dir.
const versionsFile = "versions.json"

// maxCached bounds the entries of the cached files.
const maxCached = 64

// versionCache is a file with the versions that programs reported. An entry counts until its program changes.
type versionCache struct{ path string }

type cachedVersion struct {
	Path    string `json:"path"`
	Size    int64  `json:"size"`
	ModTime int64  `json:"mtime"` // nanoseconds since 1970
	Version string `json:"version"`
}

func (c versionCache) read() []cachedVersion {
	data, err := readBounded(c.path, 1<<20)
	if err != nil {
		return nil
	}
	var list []cachedVersion
	if json.Unmarshal(data, &list) != nil {
		return nil
	}
	return list
}

// get returns the version of the program at path, "" if it is unknown or the program has changed.
func (c versionCache) get(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	for _, v := range c.read() {
		if v.Path == path && v.Size == info.Size() && v.ModTime == info.ModTime().UnixNano() && isVersion(v.Version) {
			return v.Version
		}
	}
	return ""
}

// put stores the version of the program at path, ignoring errors: the program would be asked again.
func (c versionCache) put(path, version string) {
	info, err := os.Stat(path)
	if err != nil {
		return
	}
	list := slices.DeleteFunc(c.read(), func(v cachedVersion) bool { return v.Path == path })
	list = append(list, cachedVersion{Path: path, Size: info.Size(), ModTime: info.ModTime().UnixNano(), Version: version})
	list = list[max(0, len(list)-maxCached):]
	data, err := json.Marshal(list)
	if err != nil || os.MkdirAll(filepath.Dir(c.path), 0o700) != nil {
		return
	}
	_ = safefs.WriteFile(c.path, data)
}
