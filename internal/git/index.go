package git

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"parley/internal/safefs"
)

// Index is git's list of the files of a working tree. It is immutable.
type Index struct {
	// Entries are in the order of their paths, byte by byte. A path in a conflict has up to three.
	Entries []Entry
	// Foreign reports that the sums are not SHA-1, which the repository's configuration decides. Then they are zero.
	Foreign bool
}

// Entry is a file in git's index.
type Entry struct {
	Path string // relative to the root of the working tree, with slashes
	Mode uint32 // git's: type in the upper four bits of sixteen
	Size uint32 // the lower 32 bits
	// Seconds and Nanos are the time of the last change of the content, ChangedSeconds and ChangedNanos that of the inode.
	Seconds, Nanos               uint32
	ChangedSeconds, ChangedNanos uint32
	Sum                          [20]byte // SHA-1 of the content as git stores it
	// Skipped reports that git does not look at the file: assume-unchanged, skip-worktree, or only intended to be added.
	Skipped bool
	// Conflict reports that the entry is one side of a conflict.
	Conflict bool
}

// The types in a mode.
const (
	TypeFile      = 0o100000
	TypeLink      = 0o120000
	TypeSubmodule = 0o160000
	TypeMask      = 0o170000
)

// errIndex is the cause of an error about an index in a form that is not read: damaged, split, sparse, or of a later version.
var errIndex = errors.New("not an index that git 2 writes whole")

// maxIndex bounds the size of an index that is read, in bytes; some 600,000 files.
const maxIndex = 64 << 20

// ReadIndex reads the index of a working tree. Causes of errors: [fs.ErrNotExist] if there is none yet, [errIndex], those of
// package regular.
func ReadIndex(ctx context.Context, r Repository) (*Index, error) {
	data, err := safefs.ReadFile(ctx, filepath.Join(r.Git, "index"), maxIndex, safefs.FollowLinks)
	if err != nil {
		return nil, err
	}
	format := ReadConfig(ctx, filepath.Join(r.Common, "config"))["extensions.objectformat"]
	return parseIndex(data, strings.EqualFold(format, "sha256"))
}

// The parts of an index. Sizes are in bytes.
const (
	headerBytes    = 12
	statBytes      = 40
	sumBytes       = 20
	longSumBytes   = 32
	flagUnchanged  = 0x8000
	flagExtended   = 0x4000
	flagStage      = 0x3000
	flagName       = 0x0fff
	flagSkipped    = 0x4000 // of the second flags
	flagIntended   = 0x2000
	versionPrefix  = 4
	entryAlignment = 8
)

// parseIndex parses an index of version 2, 3 or 4. foreign indexes have sums of 32 bytes.
func parseIndex(data []byte, foreign bool) (*Index, error) {
	if len(data) < headerBytes || string(data[:4]) != "DIRC" {
		return nil, errIndex
	}
	p := parser{data: data, version: binary.BigEndian.Uint32(data[4:]), at: headerBytes, sum: sumBytes}
	if foreign {
		p.sum = longSumBytes
	}
	count := binary.BigEndian.Uint32(data[8:])
	if p.version < 2 || p.version > 4 || int64(count)*(statBytes+sumBytes) > int64(len(data)) {
		return nil, errIndex
	}
	x := &Index{Entries: make([]Entry, count), Foreign: foreign}
	ends := make([]int, count)
	for i := range x.Entries {
		if err := p.entry(&x.Entries[i]); err != nil {
			return nil, err
		}
		ends[i] = len(p.paths)
	}
	paths, start := string(p.paths), 0
	for i, end := range ends {
		e := &x.Entries[i]
		e.Path, start = paths[start:end], end
		if i > 0 && (e.Path < x.Entries[i-1].Path || e.Path == x.Entries[i-1].Path && !e.Conflict) {
			return nil, errIndex
		}
	}
	if !p.whole() {
		return nil, errIndex
	}
	return x, nil
}

// parser reads an index from its start.
type parser struct {
	data    []byte
	version uint32
	at      int
	sum     int    // bytes of a sum
	paths   []byte // of all entries read, one after the other
	last    int    // where the last one begins
}

// entry reads the next entry, but for its path, which it appends to paths. In version 4 a path shares the beginning of the
// last one.
func (p *parser) entry(e *Entry) error {
	data := p.data[p.at:]
	n := statBytes + p.sum + 2
	if len(data) < n {
		return errIndex
	}
	be := binary.BigEndian
	e.ChangedSeconds, e.ChangedNanos = be.Uint32(data), be.Uint32(data[4:])
	e.Seconds, e.Nanos = be.Uint32(data[8:]), be.Uint32(data[12:])
	e.Mode, e.Size = be.Uint32(data[24:]), be.Uint32(data[36:])
	if p.sum == sumBytes {
		copy(e.Sum[:], data[statBytes:])
	}
	flags := be.Uint16(data[n-2:])
	e.Skipped, e.Conflict = flags&flagUnchanged != 0, flags&flagStage != 0
	if flags&flagExtended != 0 {
		if p.version < 3 || len(data) < n+2 {
			return errIndex
		}
		e.Skipped = e.Skipped || be.Uint16(data[n:])&(flagSkipped|flagIntended) != 0
		n += 2
	}
	start := len(p.paths)
	if p.version == versionPrefix {
		drop, used := offset(data[n:])
		if used == 0 || drop > start-p.last {
			return errIndex
		}
		n += used
		p.paths = append(p.paths, p.paths[p.last:start-drop]...)
	}
	p.last = start
	end := bytes.IndexByte(data[n:], 0)
	if end < 0 {
		return errIndex
	}
	p.paths = append(p.paths, data[n:n+end]...)
	n += end
	if p.version == versionPrefix {
		n++
	} else {
		n += entryAlignment - n%entryAlignment // one to eight zeros
	}
	p.at += n
	if p.at > len(p.data) || len(p.paths) > maxIndex || len(p.paths) == start {
		return errIndex
	}
	return nil
}

// whole reports whether no extension after the entries is one that a reader must know, such as that of a split index.
func (p *parser) whole() bool {
	for rest := p.data[p.at:]; len(rest) >= p.sum+8; {
		if rest[0] < 'A' || rest[0] > 'Z' {
			return false
		}
		size := int64(binary.BigEndian.Uint32(rest[4:]))
		if size > int64(len(rest)-8) {
			return false
		}
		rest = rest[8+size:]
	}
	return true
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
func (e *Entry) touched(info fs.FileInfo) (changed, perhaps bool) {
	isLink, isFile := info.Mode()&fs.ModeSymlink != 0, info.Mode().IsRegular()
	switch {
	case e.Mode&TypeMask == TypeFile && !isFile, e.Mode&TypeMask == TypeLink && !isLink:
		return true, false
	case uint32(info.Size()) != e.Size:
		return true, false
	}
	t := info.ModTime()
	return false, uint32(t.Unix()) != e.Seconds || e.Nanos != 0 && uint32(t.Nanosecond()) != e.Nanos
}

// header returns the bytes that git hashes before the content of a file.
func header(size int) []byte { return append([]byte("blob "+strconv.Itoa(size)), 0) }
