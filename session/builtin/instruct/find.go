package instruct

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"parley/internal/git"
	"parley/internal/safefs"
	"parley/session"
)

const (
	// MaxText bounds the instructions at the beginning of a session, in bytes.
	MaxText = 64 << 10
	// maxFile bounds one file that is read later, in bytes.
	maxFile = 16 << 10
	// maxFiles bounds the files of a folder of rules.
	maxFiles = 64
)

// Options says where to look.
type Options struct {
	// ConfigDir is parley's configuration directory, empty for none. Home is the user's home directory, empty if unknown.
	ConfigDir, Home string
	// Dir is the working directory, absolute.
	Dir string
	// Skip leaves out the files of the project, because the user has not agreed to them.
	Skip bool
}

// File is an instruction file.
type File struct {
	Path string
	Text string
	// Own reports that the file is the user's and not the project's.
	Own bool
	// By is the file that imports it, empty for none.
	By string
	// Globs are the files that it is about, relative to Base; empty for all.
	Globs []string
	Base  string
	// Cut reports that Text is not the whole file.
	Cut bool
}

// Left is a file that is left out.
type Left struct {
	Path, Why string
	// Warn reports whether the user expects the file to be used.
	Warn bool
}

// Found are the instructions of a working directory.
type Found struct {
	// Files are in force from the beginning, the most general first.
	Files []File
	// Later are in force once one of their files is touched.
	Later []File
	// Left are files that are left out.
	Left []Left
	// Top is the directory of the project.
	Top string
}

// outside is why a link is left out.
const outside = "it is a link to a file outside this project"

// finder collects files.
type finder struct {
	ctx   context.Context
	o     Options
	found Found
	seen  map[string]bool // contents and paths
	size  int
}

// Find reads the instructions for a working directory.
func Find(ctx context.Context, o Options) Found {
	dirs := dirsOf(ctx, o.Home, o.Dir)
	f := &finder{ctx: ctx, o: o, seen: map[string]bool{}, found: Found{Top: dirs[0]}}
	if o.ConfigDir != "" { // the user's own may be a link to anywhere
		f.add(File{Path: filepath.Join(o.ConfigDir, "AGENTS.md"), Own: true}, MaxText)
	}
	if o.Skip {
		return f.found
	}
	for i, dir := range dirs {
		f.directory(dir, i == 0)
	}
	return f.found
}

// names are the instruction files of a directory, in their order.
var names = []string{"AGENTS.md", "CLAUDE.md", ".claude/CLAUDE.md"}

// directory adds the files of a directory.
func (f *finder) directory(dir string, top bool) {
	for _, name := range names {
		f.add(File{Path: filepath.Join(dir, name)}, MaxText)
	}
	f.rules(filepath.Join(dir, ".claude", "rules"), ".md", dir, "paths", true)
	f.add(File{Path: filepath.Join(dir, "CLAUDE.local.md")}, MaxText)
	if top {
		f.add(File{Path: filepath.Join(dir, ".github", "copilot-instructions.md")}, MaxText)
		f.rules(filepath.Join(dir, ".github", "instructions"), ".instructions.md", dir, "applyTo", false)
	}
}

// rules adds the files of a folder. Those whose head has patterns under key are for such files only; without any, they are for
// all files or, unless always, for none.
func (f *finder) rules(folder, suffix, base, key string, always bool) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	if f.strays(folder) {
		f.leave(folder, outside)
		return
	}
	n := 0
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), suffix) || f.ctx.Err() != nil {
			continue
		}
		path := filepath.Join(folder, e.Name())
		if n++; n > maxFiles {
			f.leave(folder, "it has more files than parley reads")
			return
		}
		head, _ := safefs.ReadFile(f.ctx, path, 4<<10, safefs.FollowLinks)
		globs, ok := patterns(string(head), key)
		switch {
		case ok && !slices.Contains(globs, "**") && !slices.Contains(globs, "**/*"):
			f.later(File{Path: path, Globs: globs, Base: base})
		case ok || always:
			f.add(File{Path: path}, MaxText)
		default:
			f.leave(path, "it has no "+key+" and applies only where it is attached")
		}
	}
}

func (f *finder) leave(path, why string) {
	f.found.Left = append(f.found.Left, Left{path, why, why == outside})
}

func (f *finder) later(file File) {
	if f.strays(file.Path) {
		f.leave(file.Path, outside)
		return
	}
	f.found.Later = append(f.found.Later, file)
}

// add reads a file and what it imports, unless it is missing or has the content of one before it.
func (f *finder) add(file File, most int) {
	if f.ctx.Err() != nil {
		return
	}
	if !file.Own && f.strays(file.Path) {
		f.leave(file.Path, outside)
		return
	}
	f.include(file, most, 0)
}

// include adds a file at a depth of imports.
func (f *finder) include(file File, most, depth int) {
	if f.seen["path "+file.Path] {
		return
	}
	file, ok := read(f.ctx, file, most)
	if !ok || f.seen["text "+file.Text] {
		return
	}
	f.seen["path "+file.Path], f.seen["text "+file.Text] = true, true
	if left := MaxText - f.size; len(file.Text) > left {
		if left < 200 {
			f.leave(file.Path, "there are too many instructions")
			return
		}
		file.Text, file.Cut = head(file.Text, left), true
	}
	f.size += len(file.Text)
	f.found.Files = append(f.found.Files, file)
	f.imports(file, depth)
}

// read reads a file's text without its head, false if there is none.
func read(ctx context.Context, file File, most int) (File, bool) {
	content, err := safefs.ReadFile(ctx, file.Path, int64(most)+1, safefs.FollowLinks)
	if errors.Is(err, safefs.ErrTooLarge) {
		err, file.Cut = nil, true // the beginning is used
	}
	text := string(bytes.TrimSpace(bytes.ToValidUTF8(content, []byte("\uFFFD"))))
	if strings.Contains(file.Path, string(filepath.Separator)+".") {
		text = strings.TrimSpace(afterHead(text))
	}
	if err != nil || text == "" {
		return file, false
	}
	if len(text) > most {
		text, file.Cut = head(text, most), true
	}
	file.Text = text
	return file, true
}

// strays reports whether a path leads out of the project by a link, or into its git directory.
func (f *finder) strays(path string) bool { return strays(f.found.Top, path) }

func strays(top, path string) bool {
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false // there is nothing to send
	}
	root, rootErr := filepath.EvalSymlinks(top)
	rel, relErr := filepath.Rel(root, real)
	return err != nil || rootErr != nil || relErr != nil || !filepath.IsLocal(rel) ||
		slices.Contains(strings.Split(filepath.ToSlash(rel), "/"), ".git")
}

// Top returns the directory of the project around dir.
func Top(ctx context.Context, home, dir string) string { return dirsOf(ctx, home, dir)[0] }

// dirsOf returns the directories from the root of the repository down to dir. Outside of a repository they begin below the
// home directory; outside of both there is only dir.
func dirsOf(ctx context.Context, home, dir string) []string {
	repository, ok := git.Root(ctx, dir)
	top := repository.Dir
	if !ok {
		top = dir
		if home != "" && strings.HasPrefix(dir, filepath.Clean(home)+string(filepath.Separator)) {
			for filepath.Dir(top) != filepath.Clean(home) {
				top = filepath.Dir(top)
			}
		}
	}
	dirs := []string{dir}
	for d := dir; d != top && d != filepath.Dir(d); {
		d = filepath.Dir(d)
		dirs = append(dirs, d)
	}
	slices.Reverse(dirs)
	return dirs
}

// head returns at most n bytes of the beginning of s, whole characters.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// Names returns the files of a project that Find would read for dir, relative to top.
func Names(top, dir string) []string {
	var out []string
	for _, d := range between(top, dir) {
		all := append(slices.Clone(names), "CLAUDE.local.md", ".claude/rules")
		if d == top {
			all = append(all, ".github/copilot-instructions.md", ".github/instructions")
		}
		for _, name := range all {
			path := filepath.Join(d, filepath.FromSlash(name))
			if _, err := os.Lstat(path); err != nil {
				continue
			}
			if rel, err := filepath.Rel(top, path); err == nil {
				out = append(out, filepath.ToSlash(rel))
			}
		}
	}
	return out
}

// Lister returns a function that lists the instruction files of a project by their paths, for the user who is asked about
// them.
func Lister(home string) func(ctx context.Context, dir string) []session.RepositoryItem {
	return func(ctx context.Context, dir string) (items []session.RepositoryItem) {
		top := Top(ctx, home, dir)
		for _, name := range Names(top, dir) {
			items = append(items, session.RepositoryItem{Kind: "instructions", Name: name, Path: filepath.Join(top, filepath.FromSlash(name))})
		}
		return items
	}
}

// Unread returns the text of the AGENTS.md files that hold in a directory beside those of directories with a CLAUDE.md, "" for none:
// what an agent does not read that reads only CLAUDE.md.
func Unread(ctx context.Context, home, dir string) string {
	dirs := dirsOf(ctx, home, dir)
	f := &finder{ctx: ctx, seen: map[string]bool{}, found: Found{Top: dirs[0]}}
	for _, d := range dirs {
		_, here := os.Stat(filepath.Join(d, "CLAUDE.md"))
		_, below := os.Stat(filepath.Join(d, ".claude", "CLAUDE.md"))
		if here != nil && below != nil {
			f.add(File{Path: filepath.Join(d, "AGENTS.md")}, MaxText)
		}
	}
	text := f.found.Text()
	if text == "" {
		return ""
	}
	return "Instructions of this project, from its AGENTS.md. Follow them like those of a CLAUDE.md; the later ones are more specific and win.\n" + text
}
