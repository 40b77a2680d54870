package search

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"parley/internal/git"
	"parley/internal/safefs"
)

// ignores are the ignore files that apply in a folder. An .rgignore file at any level is stronger than an .ignore file, which
// is stronger than git's.
type ignores struct{ rg, plain, git git.Ignores }

func (i *ignores) match(rel string, dir bool) git.Verdict {
	for _, s := range [...]*git.Ignores{&i.rg, &i.plain, &i.git} {
		if v := s.Match(rel, dir); v != git.Undecided {
			return v
		}
	}
	return git.Undecided
}

// in returns the ignore files that apply in a folder whose names the worker has listed. They are read once for each folder.
func (i ignores) in(k *worker, here batch, depth int) ignores {
	for _, n := range k.names {
		if !strings.HasPrefix(n.Text, ".") {
			continue
		}
		switch {
		case n.Text == ".git" && depth > 1:
			i.git = git.NestedIgnores(k.ctx, here.dir, here.rel, k.choice.userFile)
		case n.Kind != safefs.File:
		case n.Text == ".ignore":
			i.plain = i.plain.With(here.rel, k.ignoreFile(here.in, n.Text))
		case n.Text == ".rgignore":
			i.rg = i.rg.With(here.rel, k.ignoreFile(here.in, n.Text))
		case n.Text == ".gitignore": // after .git in the order of names
			i.git = i.git.With(here.rel, k.ignoreFile(here.in, n.Text))
		}
	}
	return i
}

// maxIgnored bounds an ignore file in bytes, because its patterns are compared with every file found.
const maxIgnored = 64 << 10

// ignoreFile returns the lines of an ignore file up to the bound, "" if it cannot be read.
func (k *worker) ignoreFile(in *safefs.Descent, name string) string {
	data, err := in.ReadFile(name, maxIgnored, &k.Scratch)
	switch {
	case errors.Is(err, safefs.ErrTooLarge):
		data = data[:bytes.LastIndexByte(data, '\n')+1]
	case err != nil:
		return ""
	}
	return string(data)
}

// choice decides which files a walk looks at.
type choice struct {
	// userFile is the file with the patterns that the user ignores in all repositories; empty or missing: none.
	userFile string
	// globs are patterns of the call, types globs of the chosen types of files without their leading star.
	globs globs
	types *types
	// could, if set, reports whether a folder may have files that the caller wants.
	could func(rel string) bool
}

// above returns the ignore files outside of the top that apply in it.
func (c *choice) above(ctx context.Context, dir string) ignores {
	return ignores{rg: git.ParentIgnores(ctx, dir, ".rgignore"), plain: git.ParentIgnores(ctx, dir, ".ignore"),
		git: git.IgnoresAbove(ctx, dir, c.userFile)}
}

// verdict decides about a file.
type verdict uint8

const (
	left     verdict = iota // ignored
	unwanted                // not ignored, but the call does not ask for it
	wanted
	rescued // ignored, but a glob of the call names it
)

// file decides about a file by its path from the top and its name. As in ripgrep, a glob is stronger than ignore files and
// types.
func (c *choice) file(rel, name string, ignore ignores) verdict {
	ignored := ignore.match(rel, false) == git.Ignored
	switch named := c.globs.match(rel, false); {
	case named == git.Kept && ignored:
		return rescued
	case named == git.Kept:
		return wanted
	case ignored:
		return left
	case named == git.Ignored || !c.types.has(name):
		return unwanted
	}
	return wanted
}

// enters decides about a folder.
func (c *choice) enters(rel string, ignore ignores) bool {
	switch c.globs.match(rel, true) {
	case git.Kept:
		return true
	case git.Ignored:
		return false
	}
	return ignore.match(rel, true) != git.Ignored
}
