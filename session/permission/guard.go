package permission

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// Guarded says why an edit of path is always asked about, "" if it is not: another program runs by itself what such a file
// says. It looks at the names on the path and at those where its links lead, below the session's directories.
func (p Policy) Guarded(path string) string {
	path = filepath.Clean(path)
	who := p.runBy(path, p.Dirs)
	if real, ok := p.real(path); ok && who == "" && real != path {
		var dirs []string
		for _, dir := range p.Dirs {
			if root, ok := p.real(dir); ok {
				dirs = append(dirs, root)
			}
		}
		who = p.runBy(real, dirs)
	}
	if who == "" {
		return ""
	}
	return "Always asked: " + who + " can run what this file says."
}

// runBy returns who runs by itself what stands at a path, "" for no program.
func (p Policy) runBy(path string, dirs []string) string {
	names := p.namesBelow(path, dirs)
	for i, name := range names {
		file := i == len(names)-1
		if who := runByName(name, file); who != "" {
			return who
		}
		if i > 0 {
			if who := runByPair[names[i-1]+"/"+name]; who != "" {
				return who
			}
		}
		if p.inGitDirectory(path, names, i) {
			return byGit
		}
	}
	return ""
}

// namesBelow returns the names of a path below the deepest of dirs that holds it, of the whole path if none does, in the
// spelling in which a disk may compare them. Directories above say nothing of the files in them, but for one that has a
// dot at its begin.
func (p Policy) namesBelow(path string, dirs []string) []string {
	below := filepath.ToSlash(path)
	for _, dir := range dirs {
		rel, ok := p.below(path, dir)
		if base := filepath.Base(dir); ok && strings.HasPrefix(base, ".") {
			rel = filepath.Join(base, rel)
		}
		if rel = filepath.ToSlash(rel); ok && len(rel) < len(below) {
			below = rel
		}
	}
	names := strings.FieldsFunc(below, isSeparator)
	for i, name := range names {
		names[i] = foldName(name)
	}
	return names
}

// gitParts are the directories within a git directory. Only the first two are needed to make one, and a HEAD, which is
// always asked about: so in a directory without a HEAD it is only names as git has them that count, which have no dot.
var gitParts = []string{"objects", "refs", "hooks", "info", "logs", "modules", "worktrees"}

// inGitDirectory reports whether the file belongs to a directory named like one within a git directory, at names[i].
func (p Policy) inGitDirectory(path string, names []string, i int) bool {
	last := len(names) - 1
	if !slices.Contains(gitParts, names[i]) || i == last {
		return false
	}
	if !strings.Contains(names[last], ".") {
		return true
	}
	above := path
	for range last - i + 1 {
		above = filepath.Dir(above)
	}
	return p.Exists == nil || p.Exists(filepath.Join(above, "HEAD"))
}

// runByName returns who runs what a file or anything in a directory of that name says.
func runByName(name string, file bool) string {
	if isGit(name) || strings.HasPrefix(name, ".git") && !slices.Contains([]string{".gitignore", ".gitkeep", ".github"}, name) {
		return "git, or a service that hosts the repository,"
	}
	if isShortName(name) {
		return "some program (the short name hides which)"
	}
	if who := runByFolder[name]; who != "" {
		return who
	}
	if !file {
		return ""
	}
	if who := runByFile[name]; who != "" {
		return who
	}
	switch {
	case slices.Contains(gitHooks, strings.TrimSuffix(name, ".exe")):
		return byGit
	case strings.HasSuffix(name, ".code-workspace"):
		return byEditor
	case strings.HasSuffix(name, ".pth"):
		return "Python"
	case strings.HasPrefix(strings.TrimPrefix(name, "."), "lefthook"), strings.HasPrefix(name, ".lintstagedrc"),
		strings.HasPrefix(name, "lint-staged."):
		return byHook
	case strings.HasPrefix(strings.TrimPrefix(name, "."), "mise.") && strings.HasSuffix(name, ".toml"):
		return "mise, when a shell enters the directory,"
	}
	return ""
}

// isShortName reports whether a disk of Windows may take the name for a longer one.
func isShortName(name string) bool {
	_, number, ok := strings.Cut(name, "~")
	return ok && number != "" && number[0] >= '0' && number[0] <= '9'
}

// foldName spells a name as the disk that tells least apart does: without case, without signs that have no width, dots and
// spaces at the end, and streams after a colon.
func foldName(name string) string {
	name, _, _ = strings.Cut(name, ":")
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) {
			return -1
		}
		for folded := unicode.SimpleFold(r); folded != r; folded = unicode.SimpleFold(folded) {
			if folded < unicode.MaxASCII { // such as the sign for kelvin
				return folded
			}
		}
		return r
	}, name)
	name = ligatures.Replace(strings.ToLower(name))
	if trimmed := strings.TrimRight(name, ". "); trimmed != "" {
		return trimmed
	}
	return name
}

// ligatures are signs that some disks take for several letters.
var ligatures = strings.NewReplacer("ß", "ss", "ẞ", "ss", "ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st")
