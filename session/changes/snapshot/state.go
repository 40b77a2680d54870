package snapshot

import "io/fs"

// Kind is the type of file at a path.
type Kind string

// The kinds. Other is everything that is not kept and never touched: directories, devices, sockets, pipes.
const (
	None  Kind = "none" // nothing
	File  Kind = "file"
	Link  Kind = "link" // a symbolic link
	Other Kind = "other"
)

// State describes the file at a path at one time. The zero value is invalid.
type State struct {
	Kind Kind `json:"kind"`
	// Mode has the permission bits of a file, with setuid, setgid and sticky as in [fs.FileMode].
	Mode fs.FileMode `json:"mode,omitempty"`
	// Size is the length of a file's content in bytes.
	Size int64 `json:"size,omitempty"`
	// Sum is the SHA-256 of a file's content in hexadecimal digits, "" if the content was not read.
	Sum string `json:"sum,omitempty"`
	// Target is the target of a link, byte for byte.
	Target string `json:"target,omitempty"`
	// Unkept says in words why the content is not in the store, such as "it is larger than 32 MB"; "" if it is there.
	Unkept string `json:"unkept,omitempty"`
}

// Whole reports whether the state can be put back, as long as the store keeps its content.
func (s State) Whole() bool {
	switch s.Kind {
	case None, Link:
		return true
	case File:
		return s.Sum != "" && s.Unkept == ""
	}
	return false
}

// Same reports whether two states are surely the same: kind, mode, content, target. States whose content was not read are
// the same as nothing.
func (s State) Same(o State) bool {
	if s.Kind != o.Kind {
		return false
	}
	switch s.Kind {
	case None:
		return true
	case Link:
		return s.Target == o.Target
	case File:
		return s.Sum != "" && s.Sum == o.Sum && s.Mode == o.Mode
	}
	return false
}

// directory is the reason of a directory not to be kept.
const directory = "it is a directory"

// Directory reports whether a directory stands there.
func (s State) Directory() bool { return s.Kind == Other && s.Unkept == directory }
