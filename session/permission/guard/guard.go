package guard

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"parley/session/permission/disk"
)

// Guard knows which files other programs run or obey by themselves. It is a value.
type Guard struct {
	Disk disk.Disk
	// Dirs are the directories of the session, absolute.
	Dirs []string
}

// Texts about what parley does not know.
const (
	newDotFile   = "Always asked: parley does not know this new file, and programs run or obey many whose name begins with a dot."
	newDotFolder = "Always asked: parley does not know this new folder, and programs run or obey what is in many whose name begins with a dot."
)

// runByFolder, runByFile and runByPair are who runs what stands under a name, as the tables list them.
var runByFolder, runByFile, runByPair = whoRuns(guardedFolders), whoRuns(guardedFiles), whoRuns(guardedPairs)

func whoRuns(table []runBy) map[string]string {
	who := map[string]string{}
	for _, r := range table {
		for _, name := range strings.Fields(r.names) {
			who[name] = r.who
		}
	}
	return who
}

// knownFiles and knownFolders are the harmless names of the tables.
var knownFiles, knownFolders = namesOf(harmlessFiles), namesOf(harmlessFolders)

func namesOf(table []harmless) map[string]bool {
	names := map[string]bool{}
	for _, h := range table {
		for _, name := range strings.Fields(h.names) {
			names[name] = true
		}
	}
	return names
}

// Why returns why an edit of path is always asked about, "" if it is not: another program runs by itself what such a file
// says, or the edit would make a name that parley does not know, that begins with a dot, directly in one of the session's
// directories. It looks at the names on the path and at those where its links lead, below the session's directories.
func (g Guard) Why(path string) string {
	if why := g.Runs(path); why != "" {
		return why
	}
	path = filepath.Clean(path)
	real, ok := g.Disk.Real(path)
	why := ""
	if hasDotName(path) {
		why = g.newDotName(path, g.Dirs)
	}
	if why == "" && ok && hasDotName(real) {
		why = g.newDotName(real, g.realDirs())
	}
	return why
}

// Runs returns why an edit of a file is asked about that another program runs by itself, "" for any other file.
func (g Guard) Runs(path string) string {
	path = filepath.Clean(path)
	who := g.runBy(path, g.Dirs)
	if real, ok := g.Disk.Real(path); who == "" && ok && real != path {
		who = g.runBy(real, g.realDirs())
	}
	if who == "" {
		return ""
	}
	return "Always asked: " + who + " can run what this file says."
}

// hasDotName reports whether a disk may take a name of the path for one that begins with a single dot.
func hasDotName(path string) bool {
	for i := range len(path) {
		begins := path[i] == '.' && i > 0 && disk.IsSeparator(rune(path[i-1]))
		if path[i] >= unicode.MaxASCII || begins && !strings.HasPrefix(path[i+1:], ".") {
			return true
		}
	}
	return false
}

// realDirs returns where the session's directories really are.
func (g Guard) realDirs() []string {
	var dirs []string
	for _, dir := range g.Dirs {
		if root, ok := g.Disk.Real(dir); ok {
			dirs = append(dirs, root)
		}
	}
	return dirs
}

// newDotName returns why a path is asked about whose first name below the deepest of dirs begins with a dot, is not there yet
// and is not known, "" for any other path. Nothing has a name that begins with two dots: ranges of git are written so.
func (g Guard) newDotName(path string, dirs []string) string {
	root, below := "", ""
	for _, dir := range dirs {
		if rel, ok := g.Disk.Below(path, dir); ok && (below == "" || len(rel) < len(below)) {
			root, below = dir, rel
		}
	}
	first, _, inFolder := strings.Cut(filepath.ToSlash(below), "/")
	name := disk.FoldName(first)
	switch {
	case below == "", below == ".", !strings.HasPrefix(name, "."), strings.HasPrefix(name, ".."):
		return ""
	case knownFolders[name], !inFolder && isKnownFile(name):
		return ""
	case g.Disk.Exists != nil && g.Disk.Exists(filepath.Join(root, first)):
		return ""
	case inFolder:
		return newDotFolder
	}
	return newDotFile
}

// isKnownFile reports whether a name is that of a harmless file, or a list of such, as arguments of commands have.
func isKnownFile(name string) bool {
	for part := range strings.SplitSeq(name, ",") {
		if !knownFiles[part] {
			return false
		}
	}
	return true
}

// runBy returns who runs by itself what stands at a path, "" for no program.
func (g Guard) runBy(path string, dirs []string) string {
	names := g.namesBelow(path, dirs)
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
		if g.inGitDirectory(path, names, i) {
			return byGit
		}
	}
	return ""
}

// namesBelow returns the names of a path below the deepest of dirs that holds it, of the whole path if none does, in the
// spelling in which a disk may compare them. Directories above say nothing of the files in them, but for one that has a
// dot at its begin.
func (g Guard) namesBelow(path string, dirs []string) []string {
	below := filepath.ToSlash(path)
	for _, dir := range dirs {
		rel, ok := g.Disk.Below(path, dir)
		if base := filepath.Base(dir); ok && strings.HasPrefix(base, ".") {
			rel = filepath.Join(base, rel)
		}
		if rel = filepath.ToSlash(rel); ok && len(rel) < len(below) {
			below = rel
		}
	}
	names := strings.FieldsFunc(below, disk.IsSeparator)
	for i, name := range names {
		names[i] = disk.FoldName(name)
	}
	return names
}

// gitParts are the directories within a git directory. Only the first two are needed to make one, and a HEAD, which is
// always asked about: so in a directory without a HEAD it is only names as git has them that count, which have no dot.
var gitParts = []string{"objects", "refs", "hooks", "info", "logs", "modules", "worktrees"}

// inGitDirectory reports whether the file belongs to a directory named like one within a git directory, at names[i].
func (g Guard) inGitDirectory(path string, names []string, i int) bool {
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
	return g.Disk.Exists == nil || g.Disk.Exists(filepath.Join(above, "HEAD"))
}

// runByName returns who runs what a file or anything in a directory of that name says.
func runByName(name string, file bool) string {
	if disk.IsGit(name) || strings.HasPrefix(name, ".git") && !slices.Contains([]string{".gitignore", ".gitkeep", ".github"}, name) {
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
		strings.HasPrefix(name, "lint-staged."), strings.HasPrefix(name, ".huskyrc."),
		strings.HasPrefix(strings.TrimPrefix(name, "."), "simple-git-hooks."):
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
