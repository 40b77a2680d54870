package files

import "math"

// index is a tree of names. It only grows, so that a copy of its slices can be read while it does.
type index struct {
	names   []byte
	entries []entry
}

// entry is a file or a directory. Its parents come before it.
type entry struct {
	letters uint64 // of the whole path, see lettersOf
	name    uint32 // where in index.names it begins
	parent  int32  // of the directory in index.entries, -1 at the top
	size    uint16 // of the name
	path    uint16 // length of the whole path
	dir     bool
}

// add adds an entry and returns its number; the error is errFull.
func (x *index) add(parent int32, name string, dir bool) (i int32, ok bool) {
	path := len(name)
	letters := lettersOf(name)
	if parent >= 0 {
		p := &x.entries[parent]
		path += int(p.path) + 1
		letters |= p.letters | lettersOf("/")
	}
	if dir {
		letters |= lettersOf("/")
	}
	if path > math.MaxUint16-1 || len(x.names)+len(name) > math.MaxUint32 || len(x.entries) >= math.MaxInt32 {
		return 0, false
	}
	x.entries = append(x.entries, entry{letters, uint32(len(x.names)), parent, uint16(len(name)), uint16(path), dir})
	x.names = append(x.names, name...)
	return int32(len(x.entries) - 1), true
}

// path writes the path of entry i into buf, which is grown if need be, and returns it with where the name begins. That of
// a directory ends with a slash.
func (x *index) path(buf []byte, i int32) (path []byte, base int) {
	e := &x.entries[i]
	n := int(e.path)
	if cap(buf) < n+1 {
		buf = make([]byte, n+64)
	}
	buf = buf[:n]
	end := n
	for {
		copy(buf[end-int(e.size):end], x.names[e.name:e.name+uint32(e.size)])
		end -= int(e.size)
		if e.parent < 0 {
			break
		}
		end--
		buf[end] = '/'
		e = &x.entries[e.parent]
	}
	base = n - int(x.entries[i].size)
	if x.entries[i].dir {
		buf = append(buf, '/')
	}
	return buf, base
}

// lettersOf is the set of the characters of s, small and capital letters being the same. Different characters may share
// a bit: it tells what cannot match, not what does.
func lettersOf(s string) (set uint64) {
	for i := range len(s) {
		set |= 1 << bitOf(s[i])
	}
	return set
}

func bitOf(c byte) uint {
	switch {
	case c >= 'a' && c <= 'z':
		return uint(c - 'a')
	case c >= 'A' && c <= 'Z':
		return uint(c - 'A')
	case c >= '0' && c <= '9':
		return 26 + uint(c-'0')
	case c == '/':
		return 36
	case c == '.':
		return 37
	case c == '_':
		return 38
	case c == '-':
		return 39
	}
	return 40 + uint(c)%24
}
