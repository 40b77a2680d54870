package store

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"parley/internal/safefs"
	"parley/session"
)

// checkJournal refuses files that are not regular: a link may lead out of the store, and a pipe may never end.
func checkJournal(op, path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return readError(op, path, err)
	}
	return checkMode(op, path, info.Mode())
}

func checkMode(op, path string, mode fs.FileMode) error {
	what := "not a regular file"
	switch {
	case mode.IsRegular():
		return nil
	case mode&fs.ModeSymlink != 0:
		what = "a symbolic link, which parley does not follow"
	case mode.IsDir():
		what = "a directory"
	}
	return problem(op, session.KindCorrupt, fmt.Errorf("%s is %s; put the journal itself there, or remove it", path, what))
}

// openJournal opens a journal for reading.
func openJournal(op, path string) (*os.File, error) {
	if err := checkJournal(op, path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return nil, readError(op, path, err)
	}
	return f, nil
}

// Exposed returns the directories that other users can write to, and so change or replace their files. Missing and
// unreadable directories are left out.
func Exposed(dirs ...string) []string {
	var out []string
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err == nil && writableByOthers(info.Mode()) {
			out = append(out, dir)
		}
	}
	return out
}

// mostHeader bounds the size of a header, in bytes.
const mostHeader = 64 << 10

// unbegun reports whether a file is what a kill leaves of a journal that is being created: nothing, or the beginning of its header. There is no
// session in it.
func unbegun(ctx context.Context, path string) bool {
	data, err := safefs.ReadFile(ctx, path, mostHeader, safefs.NoLinks)
	if err != nil || bytes.ContainsRune(data, '\n') {
		return false
	}
	_, whole := decodeHeader(data)
	const begins = `{"v":`
	return !whole && (bytes.HasPrefix(data, []byte(begins)) || strings.HasPrefix(begins, string(data)))
}
