package instruct

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"parley/internal/git"
	"parley/internal/human"
	"parley/internal/safefs"
)

const (
	// maxUntracked bounds the untracked files that are named.
	maxUntracked = 10
	// maxLooked bounds the names that the search for untracked files looks at, maxBelow its depth.
	maxLooked = 20_000
	maxBelow  = 50
)

// untracked returns the line about the files in the working directory that git does not know and does not ignore, "" if they are
// not known.
func (e Environment) untracked(ctx context.Context, r git.Repository) string {
	names, known := e.newFiles(ctx, r)
	if !known {
		return ""
	}
	var shown []string
	for _, name := range names {
		if len(shown) < maxUntracked && (e.Names == nil || e.Names(filepath.Join(e.Dir, filepath.FromSlash(name)))) {
			if quoted := strconv.Quote(name); quoted != `"`+name+`"` {
				name = quoted
			}
			shown = append(shown, name)
		}
	}
	line := "Untracked files here: " + human.Number(len(names))
	if len(shown) > 0 {
		line += " (" + strings.Join(shown, ", ")
		if rest := len(names) - len(shown); rest > 0 {
			line += fmt.Sprintf(" and %s more", human.Number(rest))
		}
		line += ")"
	}
	return line + "\n"
}

// newFiles returns the untracked files below the working directory by their path from there, a folder with nothing else as one
// with a slash at its end, and whether all were seen.
func (e Environment) newFiles(ctx context.Context, r git.Repository) ([]string, bool) {
	within, err := filepath.Rel(r.Dir, e.Dir)
	if err != nil || !filepath.IsLocal(within) {
		return nil, false
	}
	index, err := git.ReadIndex(ctx, r)
	switch {
	case errors.Is(err, fs.ErrNotExist): // nothing was added yet
		index = &git.Index{}
	case err != nil:
		return nil, false
	}
	root, err := os.OpenRoot(e.Dir)
	if err != nil {
		return nil, false
	}
	defer root.Close()
	w := newWalk{ctx: ctx, root: root, tracked: index.Entries, within: filepath.ToSlash(within), left: maxLooked}
	w.folder(".", git.IgnoresAbove(ctx, e.Dir, git.UserIgnoreFile(ctx, e.Home, e.variable("XDG_CONFIG_HOME"))), 0)
	return w.found, !w.cut
}

// newWalk looks for untracked files. It follows no link.
type newWalk struct {
	ctx     context.Context
	root    *os.Root
	tracked []git.Entry
	within  string // the root from the top of the repository
	left    int    // names to look at
	cut     bool
	found   []string
}

// list returns the names in a folder, with the rules of its ignore file.
func (w *newWalk) list(dir string, rules git.Ignores) ([]fs.DirEntry, git.Ignores) {
	f, err := w.root.Open(filepath.FromSlash(dir))
	if err != nil {
		return nil, rules // gone, or not ours to read: git sees nothing there, either
	}
	defer f.Close()
	names, err := f.ReadDir(w.left + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, rules
	}
	if w.left -= len(names); w.left < 0 || w.ctx.Err() != nil {
		w.cut = true
		return nil, rules
	}
	slices.SortFunc(names, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	file := filepath.FromSlash(path.Join(dir, ".gitignore"))
	if text, err := safefs.ReadFileIn(w.ctx, w.root, file, git.MaxIgnoreFile, safefs.NoLinks); err == nil {
		base := dir
		if base == "." {
			base = ""
		}
		rules = rules.With(base, string(text))
	}
	return names, rules
}

// folder adds what is untracked in a folder that has tracked files, or is the first.
func (w *newWalk) folder(dir string, rules git.Ignores, depth int) {
	names, rules := w.list(dir, rules)
	for _, n := range names {
		name := path.Join(dir, n.Name())
		known, below := w.knows(name)
		switch {
		case w.cut:
			return
		case known || n.Name() == ".git" || rules.Ignored(name, n.IsDir()):
		case !n.IsDir():
			if n.Type().IsRegular() || n.Type() == fs.ModeSymlink {
				w.found = append(w.found, name)
			}
		case depth >= maxBelow:
			w.cut = true
		case below:
			w.folder(name, rules, depth+1)
		case w.any(name, rules, depth+1):
			w.found = append(w.found, name+"/")
		}
	}
}

// any reports whether a folder without tracked files has a file that is not ignored. Another repository has.
func (w *newWalk) any(dir string, rules git.Ignores, depth int) bool {
	names, rules := w.list(dir, rules)
	if slices.ContainsFunc(names, func(n fs.DirEntry) bool { return n.Name() == ".git" }) {
		return true
	}
	for _, n := range names {
		name := path.Join(dir, n.Name())
		switch {
		case w.cut:
			return false
		case rules.Ignored(name, n.IsDir()):
		case !n.IsDir():
			if n.Type().IsRegular() || n.Type() == fs.ModeSymlink {
				return true
			}
		case depth >= maxBelow:
			w.cut = true
		case w.any(name, rules, depth+1):
			return true
		}
	}
	return false
}

// knows reports whether git's index has a path, and whether it has any below.
func (w *newWalk) knows(name string) (known, below bool) {
	name = path.Join(w.within, name)
	find := func(name string) int {
		i, _ := slices.BinarySearchFunc(w.tracked, name, func(e git.Entry, name string) int { return cmp.Compare(e.Path, name) })
		return i
	}
	i := find(name)
	known = i < len(w.tracked) && w.tracked[i].Path == name
	i = find(name + "/")
	return known, i < len(w.tracked) && strings.HasPrefix(w.tracked[i].Path, name+"/")
}
