package git

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"parley/internal/safefs"
)

// Sum names an object: the SHA-1 of its header and content.
type Sum [sha1.Size]byte

// String returns the sum in hexadecimal digits.
func (s Sum) String() string { return hex.EncodeToString(s[:]) }

// The causes of errors.
var (
	// ErrMissing means that the repository does not have the object, as in a partial clone.
	ErrMissing = errors.New("git does not have the object")
	// ErrTooLarge means that the content, or what it is made from, is larger than the caller allows.
	ErrTooLarge = errors.New("the object is too large")
	// ErrDamaged means that the object is not in a form that is read.
	ErrDamaged = errors.New("the object is damaged")
)

// The bounds of a repository that is read.
const (
	maxDirs        = 16
	maxPacks       = 4096
	maxNames       = 64 << 10 // bytes of info/alternates
	maxHeader      = 64       // bytes of an object's type and size
	maxDeltas      = 4096     // between an object and its base; git makes up to 50
	sumHeaderSpace = "blob "
)

// Objects reads objects. It holds files open until [Objects.Close], and is for one goroutine.
type Objects struct {
	dirs  []string // directories of objects
	packs []*pack
	seen  map[string]bool // paths of packs
}

// OpenObjects returns the objects of a repository with a common directory such as ".git". It never fails: what cannot be read is
// missing.
func OpenObjects(ctx context.Context, common string) *Objects {
	s := &Objects{seen: map[string]bool{}}
	s.addDir(ctx, filepath.Join(common, "objects"))
	return s
}

// addDir adds a directory of objects, and those that it names.
func (s *Objects) addDir(ctx context.Context, dir string) {
	for _, have := range s.dirs {
		if have == dir {
			return
		}
	}
	if len(s.dirs) >= maxDirs {
		return
	}
	s.dirs = append(s.dirs, dir)
	text, err := safefs.ReadFile(ctx, filepath.Join(dir, "info", "alternates"), maxNames, safefs.FollowLinks)
	if err != nil {
		return
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '"' {
			if plain, err := strconv.Unquote(line); err == nil {
				line = plain
			}
		}
		if !filepath.IsAbs(line) {
			line = filepath.Join(dir, line)
		}
		s.addDir(ctx, filepath.Clean(line))
	}
}

// Close closes the files of packs.
func (s *Objects) Close() {
	for _, p := range s.packs {
		p.close()
	}
	s.packs, s.seen = nil, map[string]bool{}
}

// Blob returns the content of a file's object. Causes of errors: [ErrMissing], [ErrTooLarge] if it is larger than most
// bytes or made from something that is, [ErrDamaged], the disk, ctx.
func (s *Objects) Blob(ctx context.Context, sum Sum, most int64) ([]byte, error) {
	data, kind, err := s.object(ctx, sum, most)
	switch {
	case err != nil:
		return nil, fmt.Errorf("read git's object %v: %w", sum, err)
	case kind != "blob":
		return nil, fmt.Errorf("read git's object %v: %w: it is not a file", sum, ErrDamaged)
	}
	h := sha1.New()
	h.Write(append([]byte(sumHeaderSpace+strconv.Itoa(len(data))), 0))
	h.Write(data)
	if Sum(h.Sum(nil)) != sum {
		return nil, fmt.Errorf("read git's object %v: %w", sum, ErrDamaged)
	}
	return data, nil
}

// object returns the content and the type of an object, not checked against its sum.
func (s *Objects) object(ctx context.Context, sum Sum, most int64) ([]byte, string, error) {
	damaged := error(ErrMissing)
	for _, again := range []bool{false, true} { // objects move into new packs while git collects garbage
		for _, dir := range s.dirs {
			data, kind, err := loose(ctx, dir, sum, most)
			if !errors.Is(err, fs.ErrNotExist) {
				return data, kind, err
			}
		}
		if again || len(s.packs) == 0 {
			s.findPacks()
		}
		for _, p := range s.packs {
			if err := ctx.Err(); err != nil {
				return nil, "", err
			}
			at, err := p.find(sum)
			if errors.Is(err, ErrMissing) {
				continue
			}
			if err == nil {
				var data []byte
				var kind string
				if data, kind, err = p.object(ctx, at, most, maxDeltas); err == nil || errors.Is(err, ErrTooLarge) {
					return data, kind, err
				}
			}
			damaged = err // another pack may have it too
		}
	}
	return nil, "", damaged
}

// findPacks adds the packs that are not known yet.
func (s *Objects) findPacks() {
	for _, dir := range s.dirs {
		f, err := os.Open(filepath.Join(dir, "pack"))
		if err != nil {
			continue
		}
		names, _ := f.Readdirnames(4 * maxPacks) // the names before an error are enough
		_ = f.Close()
		for _, name := range names {
			base, ok := strings.CutSuffix(name, ".idx")
			path := filepath.Join(dir, "pack", base)
			if !ok || s.seen[path] || len(s.packs) >= maxPacks {
				continue
			}
			if p, err := openPack(path); err == nil {
				s.seen[path] = true
				s.packs = append(s.packs, p)
			}
		}
	}
}

// loose reads an object that is a file.
func loose(ctx context.Context, dir string, sum Sum, most int64) ([]byte, string, error) {
	name := sum.String()
	f, info, err := safefs.OpenFile(filepath.Join(dir, name[:2], name[2:]), safefs.FollowLinks)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	if info.Size() > most+most/100+1<<10 { // zlib adds less to what it cannot compress
		return nil, "", ErrTooLarge
	}
	packed, err := safefs.Read(ctx, f, info.Size())
	if err != nil {
		return nil, "", err
	}
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, "", ErrDamaged
	}
	data, err := io.ReadAll(io.LimitReader(z, most+maxHeader+1))
	if err != nil {
		return nil, "", ErrDamaged
	}
	head, content, ok := bytes.Cut(data, []byte{0})
	kind, size, _ := strings.Cut(string(head[:min(len(head), maxHeader)]), " ")
	n, err := strconv.ParseInt(size, 10, 64)
	switch {
	case !ok || err != nil || n < 0:
		return nil, "", ErrDamaged
	case n > most:
		return nil, "", ErrTooLarge
	case n != int64(len(content)):
		return nil, "", ErrDamaged
	}
	return content, kind, nil
}
