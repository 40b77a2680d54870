package foreign

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"parley/internal/safefs"
	"parley/session/words"
)

// under returns the directory that a variable names, else one below the home directory.
func (o Options) under(variable string, parts ...string) string {
	if dir := o.Getenv(variable); variable != "" && filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(append([]string{o.Home}, parts...)...)
}

// The bytes at the beginning of a file that its description is looked for in, first and at most, and those at its end.
const (
	shortHead = 64 << 10
	longHead  = 2 << 20
	endBytes  = 64 << 10
)

// glob returns the regular files below a directory whose path fits a pattern for each level. A directory that is missing has none; others
// that cannot be read are errors, which join the files.
func glob(ctx context.Context, dir string, levels ...string) ([]place, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || err != nil && notDirectory(dir) {
		return nil, nil
	}
	var all []place
	errs := []error{err}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if fits, _ := filepath.Match(levels[0], e.Name()); !fits {
			continue
		}
		path := filepath.Join(dir, e.Name())
		switch {
		case len(levels) > 1 && e.IsDir():
			below, err := glob(ctx, path, levels[1:]...)
			all, errs = append(all, below...), append(errs, err)
		case len(levels) == 1 && e.Type().IsRegular():
			if info, err := e.Info(); err == nil {
				all = append(all, place{path: path, stamp: stamp{size: info.Size(), mtime: info.ModTime()}})
			}
		}
	}
	return all, errors.Join(errs...)
}

// notDirectory reports whether a path is something else than a directory.
func notDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// ends returns the lines at the beginning of a file and, of a longer one, at its end. enough reports whether the first lines suffice; if
// not, more of them are read.
func ends(path string, enough func(head []byte) bool) (head, tail []byte, err error) {
	f, info, err := safefs.OpenFile(path, safefs.NoLinks)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	for _, n := range []int64{shortHead, longHead} {
		if head, err = section(f, 0, min(n, info.Size())); err != nil {
			return nil, nil, err
		}
		if n >= info.Size() {
			return head, nil, nil
		}
		head = head[:bytes.LastIndexByte(head, '\n')+1]
		if enough(head) {
			break
		}
	}
	tail, err = section(f, max(int64(len(head)), info.Size()-endBytes), info.Size())
	_, tail, _ = bytes.Cut(tail, []byte("\n"))
	return head, tail, err
}

// section returns the bytes of a file between two places.
func section(f *os.File, from, to int64) ([]byte, error) {
	b := make([]byte, to-from)
	n, err := f.ReadAt(b, from)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return b[:n], err
}

// lines passes the lines of a file to yield, each valid until yield returns, and a nil line for those that are too long.
func lines(ctx context.Context, path string, yield func(line []byte) bool) (int64, error) {
	f, info, err := safefs.OpenFile(path, safefs.NoLinks)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	passed, going := int64(0), true
	read, err := words.Lines(ctx, f, func(line []byte) bool {
		passed += int64(len(line)) + 1
		going = len(bytes.TrimSpace(line)) == 0 || yield(line)
		return going
	})
	if going && err == nil && (read > passed || info.Size() > read) {
		yield(nil) // [words.Lines] left something out
	}
	return read, err
}

// readSmall returns a file of at most 4 MB, nil for what cannot be read.
func readSmall(ctx context.Context, path string) []byte {
	b, err := safefs.ReadFile(ctx, path, 4<<20, safefs.NoLinks)
	if err != nil {
		return nil
	}
	return b
}

// nameOf returns the name of a file without its ending.
func nameOf(path string) string {
	name := filepath.Base(path)
	return strings.TrimSuffix(name, filepath.Ext(name))
}
