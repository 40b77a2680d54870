package plugin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/safefs"
)

// The bounds of a plugin's folder: files and folders, bytes of all files, folders within each other.
const (
	maxEntries = 10_000
	maxBytes   = 64 << 20
	maxDepth   = 32
)

// tree goes through the folder of a plugin in a fixed order, and copies it where to is set. What git keeps is left out.
type tree struct {
	ctx           context.Context
	from, to      *os.Root
	sum           hash.Hash
	entries, left int64
}

// sum returns the hash of a folder: of the names, the contents and whether they are programs.
func sum(ctx context.Context, dir string) (string, error) { return walk(ctx, dir, nil) }

// walk returns the hash of a folder, and copies it to another one that is empty unless that is nil. A link to a file within becomes a
// copy of it, one to a folder within is left out; any other link, and what is neither a file nor a folder, is an error.
func walk(ctx context.Context, dir string, to *os.Root) (string, error) {
	from, err := os.OpenRoot(dir)
	if err != nil {
		return "", fmt.Errorf("%s: %w", dir, err)
	}
	defer from.Close()
	t := tree{ctx: ctx, from: from, to: to, sum: sha256.New(), left: maxBytes}
	if err := t.folder(".", 0); err != nil {
		return "", err
	}
	return "sha256:" + hex.EncodeToString(t.sum.Sum(nil)), nil
}

func (t *tree) folder(name string, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("%s: at most %d folders may be within each other", name, maxDepth)
	}
	at, err := t.from.Open(name)
	if err != nil {
		return err
	}
	entries, err := at.ReadDir(maxEntries + 1)
	at.Close()
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	for _, e := range entries {
		if t.entries++; t.entries > maxEntries {
			return fmt.Errorf("it has more than %d files", maxEntries)
		}
		if e.Name() == ".git" {
			continue
		}
		in := path.Join(name, e.Name())
		if err := t.entry(in, e, depth); err != nil {
			return err
		}
	}
	return nil
}

func (t *tree) entry(name string, e fs.DirEntry, depth int) error {
	if e.IsDir() {
		if t.to != nil {
			if err := t.to.Mkdir(name, 0o700); err != nil {
				return err
			}
		}
		return t.folder(name, depth+1)
	}
	if e.Type()&fs.ModeSymlink != 0 {
		info, err := t.from.Stat(name)
		if err != nil {
			return fmt.Errorf("%s is a link that leads elsewhere", name)
		}
		if info.IsDir() {
			return nil
		}
	}
	f, info, err := safefs.OpenFileIn(t.from, name, safefs.FollowLinks)
	switch {
	case errors.Is(err, safefs.ErrNotRegular):
		return fmt.Errorf("%s is not a regular file", name)
	case err != nil:
		return err
	}
	defer f.Close()
	mode := fs.FileMode(0o600)
	if info.Mode()&0o111 != 0 {
		mode = 0o700
	}
	data, err := safefs.Read(t.ctx, f, t.left)
	if errors.Is(err, safefs.ErrTooLarge) {
		return fmt.Errorf("its files have more than %d MB", maxBytes>>20)
	}
	if err != nil {
		return err
	}
	t.left -= int64(len(data))
	fmt.Fprintf(t.sum, "%s\x00%o\x00%d\x00", name, mode, len(data))
	t.sum.Write(data)
	if t.to == nil {
		return nil
	}
	return t.to.WriteFile(name, data, mode)
}

// copyTo copies a folder to one that is made.
func copyTo(ctx context.Context, dir, to string) error {
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(to)
	if err != nil {
		return err
	}
	defer root.Close()
	_, err = walk(ctx, filepath.Clean(dir), root)
	return err
}
