package trust

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"parley/internal/safefs"
)

// The bounds of reading. What exceeds them is reported and not read.
const (
	maxFile    = 1 << 20  // bytes of one file
	maxTotal   = 32 << 20 // bytes of all files of one directory
	maxEntries = 2000     // files and directories of one kind in one place
	maxDepth   = 8        // directories below .claude/rules and similar ones
)

// reader reads only files below one directory, whatever links are in it. It is for one goroutine.
type reader struct {
	root *os.Root
	dir  string // absolute
	left int64  // bytes that may still be read
}

func openReader(dir string) (*reader, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &reader{root: root, dir: dir, left: maxTotal}, nil
}

func (r *reader) close() { r.root.Close() }

// abs returns the absolute path of a file of the reader.
func (r *reader) abs(name string) string { return filepath.Join(r.dir, filepath.FromSlash(name)) }

// unread is the reason why an existing file was not read, for the user. mark changes when the file does.
type unread struct {
	why  string
	mark string
}

func (u *unread) Error() string { return u.why }

// read returns a file's content. The error is fs.ErrNotExist for a missing file, otherwise an [unread].
func (r *reader) read(ctx context.Context, name string) ([]byte, error) {
	f, info, err := safefs.OpenFileIn(r.root, name, safefs.FollowLinks)
	if errors.Is(err, safefs.ErrNotRegular) {
		return nil, &unread{"is not a regular file", r.mark(name)}
	}
	if err != nil {
		return nil, r.unreadable(name, err)
	}
	defer f.Close()
	if info.Size() > maxFile {
		return nil, &unread{fmt.Sprintf("is too large to be looked at (%d bytes)", info.Size()), r.mark(name)}
	}
	if r.left -= info.Size(); r.left < 0 {
		return nil, &unread{"is not looked at: there is too much", r.mark(name)}
	}
	data, err := safefs.Read(ctx, f, maxFile)
	if err != nil {
		return nil, &unread{"cannot be read", r.mark(name)}
	}
	return data, nil
}

// mark returns a text that changes when an unread file does.
func (r *reader) mark(name string) string {
	info, err := r.root.Stat(name)
	if err != nil {
		return "?"
	}
	return fmt.Sprint(info.Size(), info.ModTime().UnixNano(), info.Mode())
}

// unreadable returns the error for a file that could not be opened: missing, leading elsewhere, or not permitted.
func (r *reader) unreadable(name string, err error) error {
	info, lerr := r.root.Lstat(name)
	if lerr != nil {
		if errors.Is(lerr, fs.ErrNotExist) || errors.Is(lerr, syscall.ENOTDIR) {
			return fs.ErrNotExist
		}
		return &unread{"cannot be looked at; a link on the way leads out of the repository", "?"}
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		to, _ := r.root.Readlink(name)
		return &unread{"is a link to " + short(to) + " that cannot be followed here", to}
	}
	return &unread{"cannot be read", fmt.Sprint(info.Mode(), info.Size())}
}

// files returns the files below a directory whose names end in suffix, sorted. It follows links only inside the
// repository. more reports whether there were too many, or too deep; odd are entries that lead elsewhere or cannot be read.
func (r *reader) files(dir, suffix string) (names []string, odd map[string]*unread, more bool) {
	odd = map[string]*unread{}
	left := maxEntries
	var walk func(dir string, depth int)
	walk = func(dir string, depth int) {
		f, err := r.root.OpenFile(dir, os.O_RDONLY|nonBlocking, 0)
		if err != nil {
			if u, ok := errors.AsType[*unread](r.unreadable(dir, err)); ok {
				odd[dir] = u
			}
			return
		}
		defer f.Close()
		entries, err := f.ReadDir(left + 1)
		if err != nil && err != io.EOF {
			return // a file in place of a directory brings nothing
		}
		for _, e := range entries {
			if left--; left < 0 {
				more = true
				return
			}
			name := path.Join(dir, e.Name())
			info, err := r.root.Stat(name)
			switch {
			case err != nil:
				if u, ok := errors.AsType[*unread](r.unreadable(name, err)); ok {
					odd[name] = u
				}
			case info.IsDir() && depth == maxDepth:
				more = true
			case info.IsDir():
				walk(name, depth+1)
			case strings.EqualFold(path.Ext(name), suffix):
				names = append(names, name)
			}
		}
	}
	if _, err := r.root.Lstat(dir); err == nil {
		walk(dir, 0)
	}
	slices.Sort(names)
	return names, odd, more
}
