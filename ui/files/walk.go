package files

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"parley/internal/git"
	"parley/internal/safefs"
)

// never are directories that hold what a version control system keeps for itself.
var never = map[string]bool{".git": true, ".hg": true, ".svn": true, ".jj": true, ".bzr": true}

// errFull ends a walk that has found as much as the index may hold.
var errFull = errors.New("the index is full")

// walker fills an index from the top of a directory down, so that what is near comes first.
type walker struct {
	fsys  fs.FS
	outer git.Ignores
	add   func(parent int32, name string, dir bool) (int32, error)
	queue []folder
}

// folder is a directory that still has to be read.
type folder struct {
	path  string // "." is the root
	entry int32
	rules git.Ignores // those that apply in it
}

// walk reads everything below the root. Directories that cannot be read are passed over.
func (w *walker) walk(ctx context.Context) error {
	w.queue = append(w.queue, folder{".", -1, w.outer})
	for len(w.queue) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		f := w.queue[0]
		w.queue[0] = folder{}
		w.queue = w.queue[1:]
		if err := w.read(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) read(ctx context.Context, f folder) error {
	list, err := fs.ReadDir(w.fsys, f.path)
	if err != nil && len(list) == 0 {
		return nil
	}
	for _, d := range list {
		if d.Name() == ".gitignore" && !d.IsDir() {
			f.rules = w.withFile(ctx, f)
		}
	}
	for _, d := range list {
		if err := ctx.Err(); err != nil { // a name may have to be held against many rules
			return err
		}
		name, dir := d.Name(), d.IsDir()
		if dir && never[name] || name == ".git" {
			continue
		}
		full := name
		if f.path != "." {
			full = f.path + "/" + name
		}
		if f.rules.Ignored(full, dir) {
			continue
		}
		i, err := w.add(f.entry, name, dir)
		if err != nil {
			return err
		}
		if dir {
			w.queue = append(w.queue, folder{full, i, f.rules})
		}
	}
	return nil
}

// withFile adds the rules of the directory's own ignore file.
func (w *walker) withFile(ctx context.Context, f folder) git.Ignores {
	text, ok := readSmall(ctx, w.fsys, path.Join(f.path, ".gitignore"))
	if !ok {
		return f.rules
	}
	base := f.path
	if base == "." {
		base = ""
	}
	return f.rules.With(base, text)
}

// disk is a directory of the disk. It reads ignore files as git does: one that is a link is not there.
type disk struct {
	directory
	dir string
}

type directory interface {
	fs.ReadDirFS
	fs.StatFS
}

// OnDisk returns the tree of a directory of the disk, whose ignore files are read only if they are regular files.
func OnDisk(dir string) fs.FS { return disk{os.DirFS(dir).(directory), dir} }

// Read returns the beginning of a file of a tree, at most so many bytes, and whether that is all of it. What is not a
// regular file is refused. It ends with ctx. A link is followed on the disk, because its name stands for its target.
func Read(ctx context.Context, fsys fs.FS, name string, most int64) (data []byte, whole bool, err error) {
	return read(ctx, fsys, name, most, safefs.FollowLinks)
}

func read(ctx context.Context, fsys fs.FS, name string, most int64, links safefs.Links) (data []byte, whole bool, err error) {
	if d, ok := fsys.(disk); ok {
		data, err = safefs.ReadFile(ctx, filepath.Join(d.dir, filepath.FromSlash(name)), most, links)
		if errors.Is(err, safefs.ErrTooLarge) {
			return data, false, nil
		}
		return data, err == nil, err
	}
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, false, err
	}
	if !info.Mode().IsRegular() {
		return nil, false, &fs.PathError{Op: "read", Path: name, Err: safefs.ErrNotRegular}
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	data, err = io.ReadAll(io.LimitReader(f, most+1))
	return data[:min(int64(len(data)), most)], int64(len(data)) <= most, err
}

// readSmall reads an ignore file that is not too large.
func readSmall(ctx context.Context, fsys fs.FS, name string) (string, bool) {
	b, whole, err := read(ctx, fsys, name, git.MaxIgnoreFile, safefs.NoLinks)
	return string(b), whole && err == nil
}
