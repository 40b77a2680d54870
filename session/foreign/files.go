package foreign

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"parley/internal/safefs"
	"parley/session/sources"
	"parley/session/words"
)

// under returns the directory that a variable names, else one below the home directory.
func (o Options) under(variable string, parts ...string) string {
	if dir := o.Getenv(variable); variable != "" && filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(append([]string{o.Home}, parts...)...)
}

// ends are where a file is looked at to describe its session.
var ends = sources.Ends{First: 64 << 10, Most: 2 << 20, End: 64 << 10}

// likely returns the pattern of names that have the beginning of an id, of all for none.
func likely(id string) string {
	if id == "" {
		return "*"
	}
	return "*" + limited(id, 8) + "*" // newer versions of Gemini CLI put no more of it there
}

// glob returns the regular files below a directory whose path fits a pattern for each level. A directory that is missing has none; others
// that cannot be read are errors, which join the files.
func glob(ctx context.Context, dir string, levels ...string) ([]sources.Place, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || err != nil && notDirectory(dir) {
		return nil, nil
	}
	var all []sources.Place
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
				all = append(all, sources.Place{Path: path, Stamp: sources.Stamp{{Size: info.Size(), MTime: info.ModTime()}}})
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
