package skill

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"parley/internal/safefs"
	"parley/session"
	"parley/session/agentfiles/head"
)

// The bounds of reading.
const (
	maxFile    = 256 << 10 // bytes of one file
	maxEntries = 2000      // files and directories in one place
	maxDepth   = 4         // directories below a place of commands
)

// place is a directory with skills or commands.
type place struct {
	// dir is absolute. With base, which is above it, no link leads out of base.
	dir, base string
	kind      Kind
	origin    session.CustomOrigin
	prefix    string
}

// Own returns the folders with skills of the user, whether they exist or not.
func (f *Finder) Own() (dirs []string) {
	for _, p := range f.own() {
		if p.kind == Folder {
			dirs = append(dirs, p.dir)
		}
	}
	return dirs
}

// own returns the places of the user.
func (f *Finder) own() (all []place) {
	for _, dir := range []string{f.o.ConfigDir, f.o.ClaudeDir, f.o.CopilotDir, below(f.o.Home, ".agents")} {
		if dir != "" {
			all = append(all, place{dir: filepath.Join(dir, "skills"), kind: Folder, origin: session.CustomUser})
		}
	}
	for _, dir := range []string{f.o.ConfigDir, f.o.ClaudeDir} {
		if dir != "" {
			all = append(all, place{dir: filepath.Join(dir, "commands"), kind: Command, origin: session.CustomUser})
		}
	}
	return all
}

func below(dir, name string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, name)
}

// repository returns the places of the repository of dir: in dir and above, up to the repository's root.
func (f *Finder) repository(dir string) (all []place) {
	dir, home := real(dir), real(f.o.Home)
	if dir == "" {
		return nil
	}
	root := dir
	for at := dir; at != home; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			root = at
			break
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	var commands []place
	for at := dir; at != home; at = filepath.Dir(at) {
		for _, name := range []string{".github/skills", ".agents/skills", ".claude/skills"} {
			all = append(all, place{dir: filepath.Join(at, filepath.FromSlash(name)), base: root, kind: Folder, origin: session.CustomRepository})
		}
		commands = append(commands, place{dir: filepath.Join(at, ".claude", "commands"), base: root, kind: Command, origin: session.CustomRepository})
		if at == root {
			break
		}
	}
	return append(all, commands...)
}

// plugins returns the places of plugins.
func (f *Finder) plugins(ctx context.Context) (all []place) {
	if f.o.Plugins == nil {
		return nil
	}
	for _, p := range f.o.Plugins(ctx) {
		for _, kind := range []Kind{Folder, Command} {
			places := append([]string{"skills"}, p.Skills...)
			if kind == Command {
				places = append([]string{"commands"}, p.Commands...)
			}
			for _, at := range places {
				all = append(all, place{dir: filepath.Join(p.Dir, filepath.FromSlash(at)), base: p.Dir, kind: kind, origin: session.CustomPlugin, prefix: p.Name + ":"})
			}
		}
	}
	return all
}

// real returns a path without links, "" if it does not exist.
func real(dir string) string {
	if dir == "" {
		return ""
	}
	p, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return ""
	}
	return p
}

// body returns the text behind the head of a file.
func body(data []byte) string {
	_, text := head.Read(data)
	return strings.TrimSpace(text)
}

// folder reads below one directory: whatever links say, or, with a root, only below that.
type folder struct {
	root *os.Root
	dir  string
}

// folderOf opens the folder of a place, and returns the path of the place in it.
func folderOf(p place) (in folder, rel string, err error) {
	if p.base == "" {
		_, err := os.Stat(p.dir)
		return folder{dir: p.dir}, "", err
	}
	if rel, err = filepath.Rel(p.base, p.dir); err != nil {
		return folder{}, "", err
	}
	root, err := os.OpenRoot(p.base)
	if err != nil {
		return folder{}, "", err
	}
	if _, err := root.Stat(rel); err != nil {
		root.Close()
		return folder{}, "", err
	}
	return folder{root, p.base}, rel, nil
}

func (in folder) close() {
	if in.root != nil {
		in.root.Close()
	}
}

func (in folder) abs(name string) string { return filepath.Join(in.dir, name) }

func (in folder) stat(name string) (fs.FileInfo, error) {
	if in.root != nil {
		return in.root.Stat(name)
	}
	return os.Stat(in.abs(name))
}

func (in folder) read(ctx context.Context, name string) ([]byte, error) {
	if in.root != nil {
		return safefs.ReadFileIn(ctx, in.root, name, maxFile, safefs.FollowLinks)
	}
	return safefs.ReadFile(ctx, in.abs(name), maxFile, safefs.FollowLinks)
}

// entries returns the names in a directory, at most n.
func (in folder) entries(name string, n int) []fs.DirEntry {
	if name == "" {
		name = "."
	}
	if info, err := in.stat(name); err != nil || !info.IsDir() {
		return nil
	}
	var dir *os.File
	var err error
	if in.root != nil {
		dir, err = in.root.Open(name)
	} else {
		dir, err = os.Open(in.abs(name))
	}
	if err != nil {
		return nil
	}
	defer dir.Close()
	all, _ := dir.ReadDir(n)
	return all
}

// files returns the files of skills in a directory, or those of commands also below it. more reports whether there were too many.
func (in folder) files(dir string, kind Kind, depth int, left *int) (names []string, more bool) {
	for _, e := range in.entries(dir, *left+1) {
		if *left--; *left < 0 {
			return names, true
		}
		name := filepath.Join(dir, e.Name())
		switch {
		case kind == Folder:
			if one := filepath.Join(name, "SKILL.md"); in.has(one) {
				names = append(names, one)
			}
		case strings.EqualFold(filepath.Ext(name), ".md") && !e.IsDir() && !strings.EqualFold(e.Name(), "README.md"):
			names = append(names, name)
		case e.IsDir() && depth == maxDepth: // not a link to a directory, which may lead round in circles
			more = true
		case e.IsDir():
			inner, too := in.files(name, kind, depth+1, left)
			names, more = append(names, inner...), more || too
		}
	}
	return names, more
}

// has reports whether there is a file, if only as a link that leads nowhere.
func (in folder) has(name string) bool {
	if in.root != nil {
		_, err := in.root.Lstat(name)
		return err == nil || strings.Contains(err.Error(), "escapes")
	}
	_, err := os.Lstat(in.abs(name))
	return err == nil
}
