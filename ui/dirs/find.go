package dirs

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"parley/ui/style"
)

// absolute returns the path that is written, below the session's directory or the user's.
func (c Command) absolute(written string) string {
	written = strings.Trim(strings.TrimSpace(written), `"'`)
	if rest, ok := strings.CutPrefix(filepath.ToSlash(written), "~"); ok && c.Look.Home != "" && (rest == "" || rest[0] == '/') {
		return filepath.Join(c.Look.Home, rest)
	}
	if filepath.IsAbs(written) {
		return filepath.Clean(written)
	}
	return filepath.Join(c.Dir, written)
}

// find returns the directory that a path leads to, or why it cannot be added. It reads the disk.
func (c Command) find(_ context.Context, path string) (dir, why string) {
	name := style.VisibleLine(style.ShortPath(path, c.Look.Home))
	if strings.ContainsFunc(path, unicode.IsControl) {
		return "", "A directory with such a name can't be added: " + name
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", "There is no directory " + name
	case err != nil:
		return "", name + " can't be read: " + cause(err)
	case !info.IsDir():
		return "", name + " is a file. Add the directory that it is in"
	}
	if dir, err = filepath.EvalSymlinks(path); err != nil {
		return "", name + " can't be read: " + cause(err)
	}
	if home := real(c.Look.Home); filepath.Dir(dir) == dir || home != "" && within(dir, home) {
		return "", name + " holds your whole home directory. Add the directory in it that is needed"
	}
	for i, top := range append([]string{c.Dir}, c.Dirs...) {
		switch r := real(top); {
		case r == dir && i == 0:
			return "", name + " is this session's own directory"
		case r == dir:
			return "", name + " is added already"
		case within(r, dir):
			return "", name + " is in " + style.VisibleLine(style.ShortPath(top, c.Look.Home)) + ", where agents may work already"
		}
	}
	return dir, ""
}

// cause returns an error without the path that it repeats.
func cause(err error) string {
	if p, is := errors.AsType[*fs.PathError](err); is {
		err = p.Err
	}
	return style.VisibleLine(err.Error())
}

// real returns a path with its links resolved, or as it is.
func real(path string) string {
	if at, err := filepath.EvalSymlinks(path); err == nil {
		return at
	}
	return path
}

// within reports whether a path is a directory or below it.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
