//go:build !darwin && !(linux && (amd64 || arm64))

package worktree

import "io/fs"

// ofInfo returns the signature in the description of a file.
func ofInfo(info fs.FileInfo) signature {
	return signature{size: info.Size(), mtime: info.ModTime().UnixNano(), mode: info.Mode()}
}
