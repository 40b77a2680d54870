package lsp

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"parley/session/builtin/tool"
)

// Custom adds a server, or changes or disables one that is known, from the configuration of the user.
type Custom struct {
	// Name is the name of a known server, or that of a new one.
	Name string
	// Off disables the server.
	Off bool
	// Command is the program with its arguments; empty: that of the known server.
	Command []string
	// Extensions are file extensions with the dot; empty: those of the known server.
	Extensions []string
	// Roots are names of files that mark a root; empty: those of the known server.
	Roots []string
}

// withCustom returns the known servers with the user's changes. New servers come first, because they were chosen.
func withCustom(known []Server, custom []Custom) []Server {
	out := slices.Clone(known)
	var added []Server
	for _, c := range custom {
		i := slices.IndexFunc(out, func(s Server) bool { return s.Name == c.Name })
		s := Server{Name: c.Name}
		if i >= 0 {
			s = out[i]
			out = slices.Delete(out, i, i+1)
		}
		if c.Off {
			continue
		}
		if len(c.Command) > 0 {
			s.Argv = c.Command
		}
		if len(c.Extensions) > 0 {
			languages := map[string]string{}
			for _, e := range c.Extensions {
				id := s.Languages[e]
				if id == "" {
					id = strings.TrimPrefix(e, ".")
				}
				languages[e] = id
			}
			s.Languages = languages
		}
		if len(c.Roots) > 0 {
			s.Roots = c.Roots
		}
		if len(s.Argv) > 0 && len(s.Languages) > 0 {
			s.Chosen = true
			added = append(added, s)
		}
	}
	return append(added, out...)
}

// finder finds programs.
type finder struct {
	path  []string        // directories
	not   []string        // directories with links resolved, in which no program counts
	exts  []string        // of programs, Windows only
	trust map[string]bool // by directory of the session, its links resolved: what it contains may run
}

// newFinder returns what finds programs for the directories of a workspace. Nil trusts none; an added one is trusted by itself.
func newFinder(w *tool.Workspace, trusted func(dir string) bool) *finder {
	f := &finder{trust: map[string]bool{}}
	for _, v := range w.Environ {
		name, value, _ := strings.Cut(v, "=")
		switch {
		case name == "PATH" || runtime.GOOS == "windows" && strings.EqualFold(name, "Path"):
			f.path = filepath.SplitList(value)
		case runtime.GOOS == "windows" && strings.EqualFold(name, "PATHEXT"):
			f.exts = strings.Split(value, ";")
		}
	}
	for _, dir := range w.Tops() {
		f.trust[realPath(dir)] = trusted != nil && trusted(w.Dir) && trusted(dir)
		f.not = append(f.not, dir)
		if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
			f.not = append(f.not, real)
		}
	}
	return f
}

// find returns the program of a server for a root in a directory of the session, whose links are resolved; "" if it is not installed or may not be started.
func (f *finder) find(s *Server, top, root string) string {
	if s.RunsProject && !f.trust[top] && !s.Chosen {
		return ""
	}
	name := s.Argv[0]
	if filepath.IsAbs(name) {
		if s.Chosen && f.isProgram(name) {
			return name
		}
		return ""
	}
	if strings.ContainsAny(name, `/\`) {
		return "" // relative to a directory that a repository chooses
	}
	for _, dir := range f.path {
		if !filepath.IsAbs(dir) {
			continue
		}
		for _, path := range f.names(filepath.Join(dir, name)) {
			if f.isProgram(path) && !f.inside(path) && (f.trust[top] || s.Chosen || s.Safe == nil || s.Safe(path)) {
				return path
			}
		}
	}
	if s.Node && f.trust[top] && root != "" {
		for _, path := range f.names(filepath.Join(root, "node_modules", ".bin", name)) {
			if f.isProgram(path) {
				return path
			}
		}
	}
	return ""
}

// names returns the files that a program may have.
func (f *finder) names(path string) []string {
	if runtime.GOOS != "windows" {
		return []string{path}
	}
	exts := f.exts
	if len(exts) == 0 {
		exts = []string{".exe", ".cmd", ".bat"}
	}
	names := make([]string, 0, len(exts))
	for _, e := range exts {
		names = append(names, path+e)
	}
	return names
}

func (f *finder) isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0)
}

// inside reports whether a program is within the session's directories, as it is named or where its links lead.
func (f *finder) inside(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return true
	}
	for _, dir := range f.not {
		if within(dir, path) || within(dir, real) {
			return true
		}
	}
	return false
}

// within reports whether a path is dir or below it.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// rootOf returns the root for a file: the nearest directory with the most telling marker, not above top; else top.
func rootOf(s *Server, top, path string) string {
	for _, marker := range s.Roots {
		for dir := filepath.Dir(path); within(top, dir); dir = filepath.Dir(dir) {
			if info, err := os.Lstat(filepath.Join(dir, marker)); err == nil && info.Mode().IsRegular() {
				return dir
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return top
}
