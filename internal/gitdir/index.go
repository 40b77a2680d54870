package gitdir

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"strconv"
)

// entry is a file in git's index.
type entry struct {
	path    string
	mode    uint32 // git's: type in the upper four bits of sixteen
	size    uint32 // the lower 32 bits
	seconds uint32 // of the last change
	nanos   uint32
	sum     [20]byte // SHA-1 of the content as git stores it
	skipped bool     // git does not look at the file: assume-unchanged, skip-worktree, or only intended to be added
}

// The types in a mode.
const (
	typeFile = 0o100000
	typeLink = 0o120000
	typeMask = 0o170000
)

var errIndex = errors.New("not an index that git 2 writes")

// parseIndex calls each for every entry of an index of version 2, 3 or 4, in order, until it returns false.
func parseIndex(data []byte, each func(entry) bool) error {
	if len(data) < 12 || string(data[:4]) != "DIRC" {
		return errIndex
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	if version < 2 || version > 4 {
		return errIndex
	}
	at, last := 12, ""
	for range count {
		e, n, err := parseEntry(data[at:], version, last)
		if err != nil {
			return err
		}
		last = e.path
		at += n
		if !each(e) {
			return nil
		}
	}
	return nil
}

// The fixed part of an entry, and its flags.
const (
	fixedBytes     = 62
	flagUnchanged  = 0x8000
	flagExtended   = 0x4000
	flagStage      = 0x3000
	flagName       = 0x0fff
	flagSkipped    = 0x4000 // of the second flags
	flagIntended   = 0x2000
	versionPrefix  = 4
	entryAlignment = 8
)

// parseEntry parses the entry at the start of data, and returns its length in bytes. In version 4 its path shares the
// beginning of the last one.
func parseEntry(data []byte, version uint32, last string) (e entry, n int, err error) {
	if len(data) < fixedBytes {
		return e, 0, errIndex
	}
	be := binary.BigEndian
	e.seconds, e.nanos = be.Uint32(data[8:]), be.Uint32(data[12:])
	e.mode, e.size = be.Uint32(data[24:]), be.Uint32(data[36:])
	copy(e.sum[:], data[40:60])
	flags := be.Uint16(data[60:])
	e.skipped = flags&flagUnchanged != 0
	n = fixedBytes
	if flags&flagExtended != 0 {
		if version < 3 || len(data) < n+2 {
			return e, 0, errIndex
		}
		second := be.Uint16(data[n:])
		e.skipped = e.skipped || second&(flagSkipped|flagIntended) != 0
		n += 2
	}
	if version == versionPrefix {
		drop, used := offset(data[n:])
		if used == 0 || drop > len(last) {
			return e, 0, errIndex
		}
		n += used
		end := bytes.IndexByte(data[n:], 0)
		if end < 0 {
			return e, 0, errIndex
		}
		e.path = last[:len(last)-drop] + string(data[n:n+end])
		return e, n + end + 1, nil
	}
	end := bytes.IndexByte(data[n:], 0)
	if end < 0 {
		return e, 0, errIndex
	}
	e.path = string(data[n : n+end])
	n += end
	n += entryAlignment - n%entryAlignment // one to eight zeros
	if n > len(data) {
		return e, 0, errIndex
	}
	return e, n, nil
}

// offset decodes a number in git's encoding of offsets, and returns its length in bytes; 0 if it is malformed.
func offset(data []byte) (value, n int) {
	for i, b := range data {
		if i > 0 {
			value++
		}
		value = value<<7 | int(b&0x7f)
		if value > 1<<20 {
			return 0, 0
		}
		if b < 0x80 {
			return value, i + 1
		}
	}
	return 0, 0
}

// touched reports whether a file certainly, or perhaps, differs from its entry, by size and time.
func (e entry) touched(info fs.FileInfo) (changed, perhaps bool) {
	isLink, isFile := info.Mode()&fs.ModeSymlink != 0, info.Mode().IsRegular()
	switch {
	case e.mode&typeMask == typeFile && !isFile, e.mode&typeMask == typeLink && !isLink:
		return true, false
	case uint32(info.Size()) != e.size:
		return true, false
	}
	t := info.ModTime()
	return false, uint32(t.Unix()) != e.seconds || e.nanos != 0 && uint32(t.Nanosecond()) != e.nanos
}

// header returns the bytes that git hashes before the content of a file.
func header(size int) []byte { return append([]byte("blob "+strconv.Itoa(size)), 0) }
