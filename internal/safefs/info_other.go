//go:build !darwin && !linux

package safefs

import "io/fs"

// InfoOf returns the part of a file's description that the system has.
func InfoOf(info fs.FileInfo) Info {
	return Info{Size: info.Size(), Mtime: info.ModTime().UnixNano(), Mode: info.Mode()}
}
