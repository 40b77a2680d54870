package hooks

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"parley/internal/safefs"
	"parley/session/trust"
)

// Places are where hooks are described. An empty place has none.
type Places struct {
	// Home is the user's home directory.
	Home string
	// Claude and Copilot are the user's directories of the two runtimes.
	Claude, Copilot string
	// Managed are files, and directories of them, that an administrator has written for Claude Code; ManagedCopilot for the Copilot
	// runtime.
	Managed, ManagedCopilot []string
	// Plugins returns the plugins whose hooks are used; nil: there are none.
	Plugins func(ctx context.Context) []Plugin
}

// Plugin is a folder that brings hooks. They get its path, and that of a folder for what they keep, as variables.
type Plugin struct {
	Name, Dir, Data string
	// Files are its files of hooks, by their absolute paths.
	Files []PluginFile
}

// PluginFile is a file of hooks as it was read.
type PluginFile struct {
	Path string
	Data []byte
}

// SystemPlaces returns where administrators put settings of Claude Code and the Copilot runtime on this system.
func SystemPlaces() (claude, copilot []string) {
	dir := "/etc/claude-code"
	switch runtime.GOOS {
	case "darwin":
		dir = "/Library/Application Support/ClaudeCode"
	case "windows":
		dir = `C:\Program Files\ClaudeCode`
	}
	claude = []string{filepath.Join(dir, "managed-settings.json"), filepath.Join(dir, "managed-settings.d")}
	if runtime.GOOS != "windows" {
		copilot = []string{"/etc/github-copilot/policy.d"}
	}
	return claude, copilot
}

// The bounds of reading a folder of hooks, in files, and one file, in bytes.
const (
	maxFiles = 100
	maxFile  = 1 << 20
)

// Set is what was found for a directory.
type Set struct {
	Hooks []Hook
	// Faults are sentences about what cannot be used.
	Faults []string
}

// disagreed says why hooks of a project do not run.
const disagreed = "off until you agree to this project's hooks: /trust shows them"

// Find returns the hooks for a directory: those of the administrator, of the user and of the project. permitted reports whether what the
// directory brings may be used, and is asked only where there are hooks. Where it may not, the project's hooks are off, and the others
// run in the home directory, so that nothing in the directory is found by what they start.
func (p Places) Find(ctx context.Context, dir string, permitted func() bool) Set {
	dir = filepath.Clean(dir)
	var files []file
	for _, at := range p.Managed {
		files = append(files, p.read(ctx, at, file{scope: Managed, root: dir})...)
	}
	for _, at := range p.ManagedCopilot {
		files = append(files, p.read(ctx, at, file{scope: Managed, root: dir, copilot: true})...)
	}
	if p.Claude != "" {
		files = append(files, p.read(ctx, filepath.Join(p.Claude, "settings.json"), file{scope: User, root: dir})...)
	}
	if p.Copilot != "" {
		for _, name := range []string{"hooks", "settings.json"} {
			files = append(files, p.read(ctx, filepath.Join(p.Copilot, name), file{scope: User, root: dir, copilot: true})...)
		}
	}
	if p.Plugins != nil {
		for _, of := range p.Plugins(ctx) {
			for _, f := range of.Files {
				files = append(files, file{path: f.Path, root: dir, scope: OfPlugin, copilot: true, data: f.Data, plugin: &of})
			}
		}
	}
	own := len(files)
	for _, f := range trust.HookFiles(ctx, dir, p.Home) {
		files = append(files, file{path: f.Path, root: f.Dir, scope: Project, copilot: f.Copilot, data: f.Data, why: f.Why})
	}
	if len(files) == 0 || permitted() {
		return join(files)
	}
	for i := own; i < len(files); i++ {
		if files[i].why == "" {
			files[i].why, files[i].blocked = disagreed, true
		}
	}
	set := join(files)
	for i := range set.Hooks {
		if set.Hooks[i].Scope != Project {
			set.Hooks[i].Dir = cmp.Or(p.Home, string(filepath.Separator))
		}
	}
	return set
}

// read returns a file, or the files of a folder whose names end in .json.
func (p Places) read(ctx context.Context, at string, as file) []file {
	info, err := os.Stat(at)
	if errors.Is(err, fs.ErrNotExist) || err != nil && ctx.Err() != nil {
		return nil
	}
	as.path = at
	if err == nil && info.IsDir() {
		entries, err := os.ReadDir(at)
		if err != nil {
			as.why = "it cannot be read"
			return []file{as}
		}
		var out []file
		for _, e := range entries[:min(len(entries), maxFiles)] {
			if filepath.Ext(e.Name()) == ".json" && !e.IsDir() {
				out = append(out, p.read(ctx, filepath.Join(at, e.Name()), as)...)
			}
		}
		return out
	}
	if as.data, err = safefs.ReadFile(ctx, at, maxFile, safefs.FollowLinks); err != nil {
		as.why = "it cannot be read, or is larger than 1 MB"
	}
	return []file{as}
}

// join puts the hooks of files together. A file that switches hooks off does so for its scope and those below, one of the Copilot
// runtime for those of its scope: a project cannot switch off what its user or an administrator wants to run.
func join(files []file) Set {
	var set Set
	all := make([]parsed, len(files))
	for i, f := range files {
		all[i] = parse(f)
	}
	for i, p := range all {
		set.Faults = append(set.Faults, p.faults...)
		for _, h := range p.hooks {
			for at, other := range all {
				by := files[at]
				switch {
				case h.Why != "" || by.blocked:
				case other.onlyManaged && h.Scope != Managed:
					h.Why = "only managed hooks run, by " + by.path
				case other.off && (by.copilot && files[i].copilot && by.scope == h.Scope && by.scope != Managed || !by.copilot && rank(by.scope) <= rank(h.Scope)):
					h.Why = "hooks are switched off in " + by.path
				}
			}
			set.Hooks = append(set.Hooks, h)
		}
	}
	return set
}

// rank orders the scopes: what is managed comes first.
func rank(s Scope) int { return slices.Index([]Scope{Managed, User, OfPlugin, Project}, s) }

// selected returns the hooks that run at an event, each once.
func (s Set) selected(e Event) []Hook {
	var out []Hook
	seen := map[string]bool{}
	for _, h := range s.Hooks {
		if h.covers(e) && !seen[h.key()] {
			seen[h.key()] = true
			out = append(out, h)
		}
	}
	return out
}
