package trust

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
)

// HookFile is a file of a repository that may describe hooks.
type HookFile struct {
	Path string // absolute
	// Dir is the directory that the file is for, such as the one with .claude.
	Dir string
	// Copilot means that the file has the form of the Copilot runtime.
	Copilot bool
	Data    []byte
	// Why says why an existing file was not read, empty for one that was.
	Why string
}

// HookFiles returns the files in which the repository of a directory may describe hooks, nearest first: Claude Code's settings and
// the hooks and settings of the Copilot runtime. An option of [Store] lists the same files.
func HookFiles(ctx context.Context, dir, home string) []HookFile {
	var out []HookFile
	visitHooks(ctx, dir, home, func(f HookFile, _ string) { out = append(out, f) })
	return out
}

// visitHooks calls do for every file that may describe hooks. mark changes with a file that was not read.
func visitHooks(ctx context.Context, dir, home string, do func(f HookFile, mark string)) {
	dir, err := realPath(dir)
	if err != nil {
		return
	}
	if real, err := realPath(home); err == nil && home != "" {
		home = real
	}
	root := repositoryRoot(dir, home)
	r, err := openReader(root)
	if err != nil || dir == home {
		return
	}
	defer r.close()
	visit := func(name, at string, copilot bool) {
		data, err := r.read(ctx, name)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		f, mark := HookFile{Path: r.abs(name), Dir: at, Copilot: copilot, Data: data}, ""
		if u, ok := errors.AsType[*unread](err); ok {
			f.Why, mark = u.why, u.mark
		}
		do(f, mark)
	}
	for at := dir; ctx.Err() == nil; at = filepath.Dir(at) {
		rel, err := filepath.Rel(root, at)
		if err != nil {
			return
		}
		in := func(name string) string { return filepath.ToSlash(filepath.Join(rel, name)) }
		for _, name := range []string{".claude/settings.json", ".claude/settings.local.json"} {
			visit(in(name), at, false)
		}
		for _, name := range []string{".github/copilot/settings.json", ".github/copilot/settings.local.json"} {
			visit(in(name), at, true)
		}
		names, odd, more := r.files(in(".github/hooks"), ".json")
		for _, name := range names {
			visit(name, at, true)
		}
		for _, name := range slices.Sorted(maps.Keys(odd)) {
			do(HookFile{Path: r.abs(name), Dir: at, Copilot: true, Why: odd[name].why}, odd[name].mark)
		}
		if more {
			do(HookFile{Path: r.abs(in(".github/hooks")), Dir: at, Copilot: true, Why: "has more files than parley looks at"}, "")
		}
		if at == root {
			return
		}
	}
}

// repositoryHooks lists the hooks that the builtin agent would run for a directory.
func (l *list) repositoryHooks(ctx context.Context, dir, home string) {
	visitHooks(ctx, dir, home, func(f HookFile, mark string) {
		if f.Why != "" {
			l.unreadable(kindHook, f.Path, filepath.Base(f.Path)+" "+f.Why, mark)
			return
		}
		if len(bytes.TrimSpace(f.Data)) == 0 {
			return
		}
		o, err := parse(f.Data)
		if err != nil {
			l.unreadable(kindHook, f.Path, "cannot be read as JSON: "+err.Error(), string(f.Data))
			return
		}
		raw, ok := o["hooks"]
		switch {
		case !ok:
		case f.Copilot:
			l.copilotHooks(f.Path, raw)
		default:
			l.hooks(f.Path, raw, "")
		}
	})
}
