package tool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"parley/internal/safefs"
)

// Place is the file or directory of a call. Its links are resolved once, before the decision, and none is followed
// afterwards, so that exactly the decided place is opened.
type Place struct {
	// Path is the path as the model gave it, absolute and clean.
	Path string
	// Real is Path with its links resolved; its last names need not exist yet. It is empty if Err says why it is
	// unknown.
	Real string
	Err  error
}

// Place resolves a path from a model. An error concerns the path alone, not what is there.
func (w *Workspace) Place(path string) (Place, error) {
	path, err := w.Abs(path)
	if err != nil {
		return Place{}, err
	}
	p := Place{Path: path}
	p.Real, p.Err = resolved(path)
	return p, nil
}

// maxLinks bounds the chain of links that lead to nothing.
const maxLinks = 16

// resolved returns a path with its links resolved. Its last names need not exist yet, nor does what a link leads to.
func resolved(path string) (string, error) {
	for range maxLinks {
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

// Leads returns the real location of a place if links lead elsewhere, otherwise "". The user who is asked has to know
// it.
func (w *Workspace) Leads(p Place) string {
	if p.Path == "" || p.Err != nil {
		return ""
	}
	plain := p.Path
	if root, err := filepath.EvalSymlinks(w.Dir); err == nil {
		if rel, err := filepath.Rel(w.Dir, p.Path); err == nil && filepath.IsLocal(rel) {
			plain = filepath.Join(root, rel)
		}
	}
	if p.Real == plain {
		return ""
	}
	if _, err := os.Readlink(p.Path); err == nil {
		if _, err := os.Lstat(p.Real); errors.Is(err, fs.ErrNotExist) {
			return w.Short(p.Path) + " is a link to " + p.Real + ", which does not exist."
		}
	}
	return w.Short(p.Path) + " leads to " + p.Real + "."
}

// Folder opens the directory of the place, and returns the name of the place within it.
func (p Place) Folder() (*os.Root, string, error) {
	if p.Err != nil {
		return nil, "", p.Err
	}
	root, err := safefs.OpenFolder(filepath.Dir(p.Real))
	return root, p.Name(), err
}

// Name returns the name of the place in its folder, "." for the root directory.
func (p Place) Name() string {
	if filepath.Dir(p.Real) == p.Real {
		return "."
	}
	return filepath.Base(p.Real)
}

// ReadIn returns the content of a regular file in a folder, at most MaxFile bytes.
func ReadIn(ctx context.Context, in *os.Root, name string) ([]byte, fs.FileInfo, error) {
	f, info, err := safefs.OpenFileIn(in, name, safefs.NoLinks)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if info.Size() > MaxFile {
		return nil, info, safefs.ErrTooLarge
	}
	content, err := safefs.Read(ctx, f, MaxFile)
	return content, info, err
}

// MaxFile bounds what a tool reads of a file at once, in bytes.
const MaxFile = 10 << 20

// Read returns the content of a regular file. Errors are for the model.
func (w *Workspace) Read(ctx context.Context, p Place) ([]byte, fs.FileInfo, error) {
	f, info, err := w.Open(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	content, err := w.ReadOpen(ctx, p, f, info, MaxFile)
	return content, info, err
}

// ReadOpen returns the content of a file of [Workspace.Open], at most most bytes. Errors are for the model.
func (w *Workspace) ReadOpen(ctx context.Context, p Place, f *os.File, info fs.FileInfo, most int64) ([]byte, error) {
	err := safefs.ErrTooLarge
	var content []byte
	if info.Size() <= most {
		content, err = safefs.Read(ctx, f, most)
	}
	switch {
	case err == nil:
		return content, nil
	case errors.Is(err, safefs.ErrTooLarge):
		return nil, Errorf("%s is too large: it has more than %d MB. Use Grep, or Bash to look at a part of it.", w.Short(p.Path), most>>20)
	}
	return nil, w.unreadable(p, err)
}

// Open opens a regular file for reading; the caller closes it. Errors are for the model.
func (w *Workspace) Open(ctx context.Context, p Place) (*os.File, fs.FileInfo, error) {
	in, name, err := p.Folder()
	if errors.Is(err, fs.ErrNotExist) && w.Holds(p) {
		return nil, nil, Errorf("%s does not exist. Neither does its directory.", w.Short(p.Path))
	}
	if err != nil {
		return nil, nil, w.unreadable(p, err)
	}
	defer in.Close()
	f, info, err := safefs.OpenFileIn(in, name, safefs.NoLinks)
	switch {
	case err == nil:
		return f, info, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, Errorf("%s does not exist.%s", w.Short(p.Path), w.similar(ctx, p, in))
	case errors.Is(err, safefs.ErrNotRegular):
		return nil, nil, w.irregular(p, in, name)
	}
	return nil, nil, w.unreadable(p, err)
}

func (w *Workspace) unreadable(p Place, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return Errorf("%s does not exist.", w.Short(p.Path))
	}
	return Errorf("%s cannot be read: %v", w.Short(p.Path), Cause(err))
}

// irregular returns an error that names what is in the place of a file.
func (w *Workspace) irregular(p Place, in *os.Root, name string) error {
	info, err := in.Lstat(name)
	switch {
	case err == nil && info.IsDir():
		return Errorf("%s is a directory.", w.Short(p.Path))
	case err == nil && info.Mode()&fs.ModeSymlink != 0:
		return w.unreadable(p, safefs.ErrLink)
	}
	return Errorf("%s is not a regular file.", w.Short(p.Path))
}

// Holds reports whether the place is in the directories of the session, where names of other files are not secret.
func (w *Workspace) Holds(p Place) bool {
	for _, dir := range w.Tops() {
		if root, err := filepath.EvalSymlinks(dir); err == nil && p.Err == nil {
			if rel, err := filepath.Rel(root, p.Real); err == nil && filepath.IsLocal(rel) {
				return true
			}
		}
	}
	return false
}

// maxNeighbours bounds the names of a directory that are compared to suggest one.
const maxNeighbours = 1000

// similar suggests a file in the same folder with the same name in another case or with another extension.
func (w *Workspace) similar(ctx context.Context, p Place, in *os.Root) string {
	if !w.Holds(p) {
		return ""
	}
	f, err := in.Open(".")
	if err != nil {
		return ""
	}
	defer f.Close()
	names, _ := f.Readdirnames(maxNeighbours) // an error leaves no suggestion
	dir := Place{Path: filepath.Dir(p.Path), Real: filepath.Dir(p.Real)}
	search := w.Search(ctx, dir)
	base := strings.ToLower(filepath.Base(p.Path))
	stem := strings.TrimSuffix(base, filepath.Ext(base))
	for _, name := range names {
		low := strings.ToLower(name)
		if search.Hide(filepath.Join(dir.Path, name)) {
			continue
		}
		if name == filepath.Base(p.Path) { // a link to nothing
			return " It is a link to something that does not exist."
		}
		if low == base || stem != "" && strings.TrimSuffix(low, filepath.Ext(low)) == stem {
			return fmt.Sprintf(" Did you mean %s?", w.Short(filepath.Join(filepath.Dir(p.Path), name)))
		}
	}
	return ""
}

// Missing reports whether nothing is at the place, so that a file can be created.
func (p Place) Missing() bool {
	in, name, err := p.Folder()
	if err == nil {
		defer in.Close()
		_, err = in.Lstat(name)
	}
	return errors.Is(err, fs.ErrNotExist)
}
