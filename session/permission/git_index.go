package permission

import (
	"bytes"
	"encoding/binary"
)

// gitlink is the mode of an entry of the index that stands for a repository of its own, in which git runs what that one says.
const gitlink = 0o160000

// hasGitlink reports whether an index of git may have a gitlink: it has one, or is not understood. hash is the length of an
// object's name in bytes. The format is that of versions 2 to 4, gitformat-index(5) of git 2.39.
func hasGitlink(index []byte, hash int) bool {
	if len(index) < 12+hash || string(index[:4]) != "DIRC" {
		return len(index) > 0
	}
	version, entries := binary.BigEndian.Uint32(index[4:]), binary.BigEndian.Uint32(index[8:])
	rest := index[12 : len(index)-hash]
	for range entries {
		fixed := 40 + hash + 2
		if version < 2 || version > 4 || len(rest) < fixed+2 {
			return true
		}
		if binary.BigEndian.Uint32(rest[24:])&0o170000 == gitlink {
			return true
		}
		if rest[40+hash]&0x40 != 0 { // more flags
			fixed += 2
		}
		if version == 4 { // how much of the last name stays
			for fixed < len(rest) && rest[fixed]&0x80 != 0 {
				fixed++
			}
			fixed++
		}
		name := bytes.IndexByte(rest[min(fixed, len(rest)):], 0)
		if name < 0 {
			return true
		}
		size := fixed + name + 1
		if version < 4 {
			size = (fixed + name + 8) &^ 7
		}
		if size > len(rest) {
			return true
		}
		rest = rest[size:]
	}
	for len(rest) >= 8 { // an index that is split has entries elsewhere
		size := int(binary.BigEndian.Uint32(rest[4:]))
		if string(rest[:4]) == "link" || size > len(rest)-8 {
			return true
		}
		rest = rest[8+size:]
	}
	return false
}
