package instruct

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
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
	real, err := filepath.EvalSymlinks(e.Dir)
	if err != nil {
		return nil, false
	}
	in, err := safefs.Descend(real)
	if err != nil {
		return nil, false
	}
	defer in.Release()
	w := newWalk{ctx: ctx, tracked: index.Entries, within: filepath.ToSlash(within), left: maxLooked}
	w.folder(in, "", git.IgnoresAbove(ctx, e.Dir, git.UserIgnoreFile(ctx, e.Home, e.variable("XDG_CONFIG_HOME"))), 0)
	return w.found, !w.cut
}

// newWalk looks for untracked files. It follows no link.
type newWalk struct {
	ctx     context.Context
	scratch safefs.Scratch
	tracked []git.Entry
	within  string // the root from the top of the repository
	left    int    // names to look at
	cut     bool
	found   []string
}

// list returns the names in a folder, with the rules of its ignore file.
func (w *newWalk) list(in *safefs.Descent, dir string, rules git.Ignores) ([]safefs.Name, git.Ignores) {
	names, err := in.List(nil, w.left, &w.scratch)
	if w.left -= len(names); w.left < 0 || w.ctx.Err() != nil {
		w.cut = true
		return nil, rules
	}
	if err != nil {
		return nil, rules // gone, or not ours to read: git sees nothing there, either
	}
	slices.SortFunc(names, func(a, b safefs.Name) int { return strings.Compare(a.Text, b.Text) })
	if text, err := in.ReadFile(".gitignore", git.MaxIgnoreFile, &w.scratch); err == nil {
		rules = rules.With(dir, string(text))
	}
	return names, rules
}

// folder adds what is untracked in a folder that has tracked files, or is the first.
func (w *newWalk) folder(in *safefs.Descent, dir string, rules git.Ignores, depth int) {
	names, rules := w.list(in, dir, rules)
	for _, n := range names {
		name := path.Join(dir, n.Text)
		known, below := w.knows(name)
		switch {
		case w.cut:
			return
		case known || n.Text == ".git" || rules.Ignored(name, n.Kind == safefs.Dir):
		case n.Kind != safefs.Dir:
			if n.Kind != safefs.Other {
				w.found = append(w.found, name)
			}
		case depth >= maxBelow:
			w.cut = true
		default:
			w.enter(in, n.Text, func(sub *safefs.Descent) {
				if below {
					w.folder(sub, name, rules, depth+1)
				} else if w.any(sub, name, rules, depth+1) {
					w.found = append(w.found, name+"/")
				}
			})
		}
	}
}

// enter calls visit with a folder in another, unless it cannot be opened.
func (w *newWalk) enter(in *safefs.Descent, name string, visit func(sub *safefs.Descent)) {
	if sub, err := in.Sub(name, &w.scratch); err == nil {
		defer sub.Release()
		visit(sub)
	}
}

// any reports whether a folder without tracked files has a file that is not ignored. Another repository has.
func (w *newWalk) any(in *safefs.Descent, dir string, rules git.Ignores, depth int) (has bool) {
	names, rules := w.list(in, dir, rules)
	if slices.ContainsFunc(names, func(n safefs.Name) bool { return n.Text == ".git" }) {
		return true
	}
	for _, n := range names {
		name := path.Join(dir, n.Text)
		switch {
		case has || w.cut:
			return has
		case rules.Ignored(name, n.Kind == safefs.Dir):
		case n.Kind != safefs.Dir:
			has = n.Kind != safefs.Other
		case depth >= maxBelow:
			w.cut = true
		default:
			w.enter(in, n.Text, func(sub *safefs.Descent) { has = w.any(sub, name, rules, depth+1) })
		}
	}
	return has
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
