package worktree

import (
	"context"
	"path/filepath"
	"strings"

	"parley/internal/git"
	"parley/internal/safefs"
)

// converts finds the files that git may store in another form than that of the work tree: with a filter, with expanded ids,
// in another encoding. Conversions of line ends are not among them: what is left of a content tells them. It errs on the side
// of conversion: attributes that are taken back later count too.
type converts struct {
	paths git.Ignores // attributes have the patterns of ignore files
	// macros are names that stand for attributes that convert.
	macros []string
}

// convertsAbove reads the attributes that apply in a directory and are not in a file there.
func convertsAbove(ctx context.Context, r git.Repository, dir, userFile string) converts {
	var c converts
	read := func(file, prefix string, links safefs.Links) {
		if text, err := safefs.ReadFile(ctx, file, git.MaxIgnoreFile, links); err == nil {
			c = c.with("", prefix, string(text))
		}
	}
	read("/etc/gitattributes", "", safefs.FollowLinks)
	if userFile != "" {
		read(userFile, "", safefs.FollowLinks)
	}
	read(filepath.Join(r.Common, "info", "attributes"), "", safefs.FollowLinks)
	rel, err := filepath.Rel(r.Dir, dir)
	if err != nil || rel == "." {
		return c
	}
	// Above the directory, patterns are not matched from where they stand, but anywhere below.
	at := r.Dir
	for _, name := range strings.Split(rel, string(filepath.Separator)) {
		read(filepath.Join(at, ".gitattributes"), "**", safefs.NoLinks)
		at = filepath.Join(at, name)
	}
	return c
}

// with returns the files with those of a text added. base is the directory of the text's file, relative to where the walk
// begins. With a prefix, all patterns stand for all files.
func (c converts) with(base, prefix, text string) converts {
	var patterns strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		fields := strings.Fields(line)
		if len(fields) < 2 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if !c.anyOf(fields[1:]) {
			continue
		}
		if name, ok := strings.CutPrefix(fields[0], "[attr]"); ok {
			c.macros = append(c.macros[:len(c.macros):len(c.macros)], name)
			continue
		}
		pattern := fields[0]
		if prefix != "" || strings.HasPrefix(pattern, `"`) || strings.HasPrefix(pattern, "!") {
			pattern = "*"
		}
		patterns.WriteString(pattern + "\n")
	}
	if patterns.Len() > 0 {
		c.paths = c.paths.With(base, patterns.String())
	}
	return c
}

// anyOf reports whether one of the attributes converts.
func (c converts) anyOf(attributes []string) bool {
	for _, a := range attributes {
		name, _, _ := strings.Cut(a, "=")
		switch name {
		case "filter", "ident", "working-tree-encoding":
			return true
		}
		for _, m := range c.macros {
			if name == m {
				return true
			}
		}
	}
	return false
}
