package builtin

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"parley/internal/folder"
	"parley/internal/regular"
)

// place is the file or directory of a call. Its links are resolved once, before the decision, and none is followed
// afterwards, so that exactly the decided place is opened.
type place struct {
	// path is the path as the model gave it, absolute and clean.
	path string
	// real is path with its links resolved; its last names need not exist yet. It is empty if err says why it is
	// unknown.
	real string
	err  error
}

// place resolves a path from a model. An error concerns the path alone, not what is there.
func (w *workspace) place(path string) (place, error) {
	path, err := w.abs(path)
	if err != nil {
		return place{}, err
	}
	p := place{path: path}
	p.real, p.err = resolved(path)
	return p, nil
}

// mostLinks bounds the chain of links that lead to nothing.
const mostLinks = 16

// resolved returns a path with its links resolved. Its last names need not exist yet, nor does what a link leads to.
func resolved(path string) (string, error) {
	for range mostLinks {
		real, next, err := resolveOnce(path)
		if err != nil || next == "" {
			return real, err
		}
		path = next
	}
	return "", &fs.PathError{Op: "resolve", Path: path, Err: errors.New("too many links")}
}

// resolveOnce returns the resolved path or, for a link that leads to nothing, the path to continue with.
func resolveOnce(path string) (real, next string, err error) {
	rest := ""
	for dir := path; ; dir = filepath.Dir(dir) {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil {
			return filepath.Join(real, rest), "", nil
		}
		info, missing := os.Lstat(dir)
		switch {
		case missing == nil && info.Mode()&fs.ModeSymlink != 0 && errors.Is(err, fs.ErrNotExist):
			to, err := os.Readlink(dir)
			if err == nil && !filepath.IsAbs(to) {
				if dir, err = filepath.EvalSymlinks(filepath.Dir(dir)); err == nil {
					to = filepath.Join(dir, to)
				}
			}
			return "", filepath.Join(to, rest), err
		case !errors.Is(missing, fs.ErrNotExist) || filepath.Dir(dir) == dir:
			return "", "", err
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}

// leads returns the real location of a place if links lead elsewhere, otherwise "". The user who is asked has to know
// it.
func (w *workspace) leads(p place) string {
	if p.path == "" || p.err != nil {
		return ""
	}
	plain := p.path
	if root, err := filepath.EvalSymlinks(w.dir); err == nil {
		if rel, err := filepath.Rel(w.dir, p.path); err == nil && filepath.IsLocal(rel) {
			plain = filepath.Join(root, rel)
		}
	}
	if p.real == plain {
		return ""
	}
	if _, err := os.Readlink(p.path); err == nil {
		if _, err := os.Lstat(p.real); errors.Is(err, fs.ErrNotExist) {
			return w.short(p.path) + " is a link to " + p.real + ", which does not exist."
		}
	}
	return w.short(p.path) + " leads to " + p.real + "."
}

// folder opens the directory of the place, and returns the name of the place within it.
func (p place) folder() (*os.Root, string, error) {
	if p.err != nil {
		return nil, "", p.err
	}
	root, err := folder.Open(filepath.Dir(p.real))
	return root, p.name(), err
}

func (p place) name() string {
	if filepath.Dir(p.real) == p.real {
		return "."
	}
	return filepath.Base(p.real)
}

// readIn returns the content of a regular file in a folder, at most largestFile bytes.
func readIn(ctx context.Context, in *os.Root, name string) ([]byte, fs.FileInfo, error) {
	f, info, err := regular.OpenIn(in, name, regular.NoLinks)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if info.Size() > largestFile {
		return nil, info, regular.ErrTooLarge
	}
	content, err := regular.Read(ctx, f, largestFile)
	return content, info, err
}

// largestFile bounds what a tool reads of a file at once, in bytes.
const largestFile = 10 << 20

// read returns the content of a regular file. Errors are for the model.
func (w *workspace) read(ctx context.Context, p place) ([]byte, fs.FileInfo, error) {
	in, name, err := p.folder()
	if errors.Is(err, fs.ErrNotExist) && w.holds(p) {
		return nil, nil, errTool("%s does not exist. Neither does its directory.", w.short(p.path))
	}
	if err != nil {
		return nil, nil, w.unreadable(p, err)
	}
	defer in.Close()
	content, info, err := readIn(ctx, in, name)
	switch {
	case err == nil:
		return content, info, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, errTool("%s does not exist.%s", w.short(p.path), w.similar(ctx, p, in))
	case errors.Is(err, regular.ErrTooLarge):
		return nil, nil, errTool("%s is too large: it has more than %d MB. Use Grep, or Bash to look at a part of it.",
			w.short(p.path), largestFile>>20)
	case errors.Is(err, regular.ErrNotRegular):
		return nil, nil, w.irregular(p, in, name)
	}
	return nil, nil, w.unreadable(p, err)
}

func (w *workspace) unreadable(p place, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return errTool("%s does not exist.", w.short(p.path))
	}
	return errTool("%s cannot be read: %v", w.short(p.path), cause(err))
}

// irregular returns an error that names what is in the place of a file.
func (w *workspace) irregular(p place, in *os.Root, name string) error {
	info, err := in.Lstat(name)
	switch {
	case err == nil && info.IsDir():
		return errTool("%s is a directory. Use Glob to see what is in it.", w.short(p.path))
	case err == nil && info.Mode()&fs.ModeSymlink != 0:
		return w.unreadable(p, folder.ErrLink)
	}
	return errTool("%s is not a regular file.", w.short(p.path))
}

// holds reports whether the place is in the directories of the session, where names of other files are not secret.
func (w *workspace) holds(p place) bool {
	for _, dir := range append([]string{w.dir}, w.dirs...) {
		if root, err := filepath.EvalSymlinks(dir); err == nil && p.err == nil {
			if rel, err := filepath.Rel(root, p.real); err == nil && filepath.IsLocal(rel) {
				return true
			}
		}
	}
	return false
}

// mostNeighbours bounds the names of a directory that are compared to suggest one.
const mostNeighbours = 1000

// similar suggests a file in the same folder with the same name in another case or with another extension.
func (w *workspace) similar(ctx context.Context, p place, in *os.Root) string {
	if !w.holds(p) {
		return ""
	}
	f, err := in.Open(".")
	if err != nil {
		return ""
	}
	defer f.Close()
	names, _ := f.Readdirnames(mostNeighbours) // an error leaves no suggestion
	dir := place{path: filepath.Dir(p.path), real: filepath.Dir(p.real)}
	search := w.search(ctx, dir)
	base := strings.ToLower(filepath.Base(p.path))
	stem := strings.TrimSuffix(base, filepath.Ext(base))
	for _, name := range names {
		low := strings.ToLower(name)
		if search.hide(filepath.Join(dir.path, name)) {
			continue
		}
		if low == base || stem != "" && strings.TrimSuffix(low, filepath.Ext(low)) == stem {
			return fmt.Sprintf(" Did you mean %s?", w.short(filepath.Join(filepath.Dir(p.path), name)))
		}
	}
	return ""
}
