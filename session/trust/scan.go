package trust

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/lazyregexp"
	"parley/session"
)

// scan lists what a directory would bring into a session of a runtime, nearest files first: all from it up to the root of its
// repository, then what the runtime loads from above, up to home, and the user's MCP servers in the file config that
// run something in the directory. The sum covers everything found, shown or not.
func scan(ctx context.Context, of Runtime, dir, home, config string) (items []session.RepositoryItem, sum string, err error) {
	l, err := listOf(ctx, of, dir, home, config)
	if err != nil {
		return nil, "", err
	}
	return l.bounded(), l.sum(), nil
}

// listOf lists what scan returns.
func listOf(ctx context.Context, of Runtime, dir, home, config string) (*list, error) {
	dir, err := realPath(dir)
	if err != nil {
		return nil, &session.Error{Op: "look at this project's hooks and settings", Kind: session.KindNotFound, Err: err}
	}
	if real, err := realPath(home); err == nil && home != "" {
		home = real
	}
	var l list
	root := repositoryRoot(dir, home)
	for at, inside := dir, true; at != home; at = filepath.Dir(at) {
		if err := ctx.Err(); err != nil {
			return nil, &session.Error{Op: "look at this project's hooks and settings", Kind: session.KindCancelled, Err: err}
		}
		base := at
		if inside {
			base = root
		}
		if err := l.directory(ctx, of, base, at, inside); err != nil && at == dir {
			return nil, &session.Error{Op: "look at this project's hooks and settings", Kind: session.KindNotFound, Err: err}
		}
		if at == root {
			inside = false
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	if of == ClaudeCode {
		l.own(config, dir, home)
	}
	return &l, nil
}

func realPath(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// repositoryRoot returns the nearest directory, from dir upwards and below home, that contains ".git", or dir if there
// is none.
func repositoryRoot(dir, home string) string {
	for at := dir; at != home; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	return dir
}

// directory lists one directory at or below base. The runtime reads all of it only inside the repository.
func (l *list) directory(ctx context.Context, of Runtime, base, at string, inside bool) error {
	r, err := openReader(base)
	if err != nil {
		return err
	}
	defer r.close()
	rel, err := filepath.Rel(base, at)
	if err != nil {
		return err
	}
	in := func(name string) string { return path.Join(filepath.ToSlash(rel), name) }
	if of == Copilot {
		l.copilot(ctx, r, in, inside)
		return nil
	}
	if inside {
		for _, name := range []string{".claude/settings.json", ".claude/settings.local.json"} {
			l.file(ctx, r, kindSettings, in(name), l.settings)
		}
	}
	l.file(ctx, r, kindServer, in(".mcp.json"), l.mcp)
	for _, name := range []string{"AGENTS.md", "CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md"} {
		l.file(ctx, r, kindInstructions, in(name), l.instructions)
	}
	if !inside {
		return nil
	}
	for _, f := range []struct{ kind, dir string }{
		{kindInstructions, ".claude/rules"}, {kindInstructions, ".claude/output-styles"},
		{kindAgent, ".claude/agents"}, {kindAgent, ".github/agents"}, {kindCommand, ".github/prompts"}, {kindSkill, ".claude/skills"}, {kindCommand, ".claude/commands"},
		{kindSkill, ".github/skills"}, {kindSkill, ".agents/skills"}, // parley hands them over
	} {
		l.folder(ctx, r, f.kind, in(f.dir))
	}
	return nil
}

// instructions lists a CLAUDE.md and the files elsewhere that it includes, which the runtime sends along.
func (l *list) instructions(path string, data []byte) {
	name := filepath.Base(path)
	l.add(kindInstructions, name, path, "")
	for _, found := range includes.FindAllSubmatch(data, -1) {
		l.add(kindInstructions, name+" includes "+string(found[1]), path, "")
	}
}

// includes matches references of a CLAUDE.md to files that may lie outside the repository: "@/etc/x", "@~/x", "@../x".
var includes = lazyregexp.New(`(?:^|[^\w@` + "`" + `])@((?:~|/|[^\s@]*\.\./)[^\s` + "`" + `]*)`)

// file reads a file, if it exists, and lists it.
func (l *list) file(ctx context.Context, r *reader, kind, name string, read func(path string, data []byte)) {
	data, err := r.read(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if u, ok := errors.AsType[*unread](err); ok {
		l.unreadable(kind, r.abs(name), path.Base(name)+" "+u.why, u.mark)
		return
	}
	read(r.abs(name), data)
}

// folder lists the markdown files of a folder: one item for each, and items for what their heads start.
func (l *list) folder(ctx context.Context, r *reader, kind, dir string) {
	names, odd, more := r.files(dir, ".md")
	for _, name := range names {
		label := strings.TrimSuffix(strings.TrimPrefix(name, dir+"/"), path.Ext(name))
		if kind == kindSkill {
			if path.Base(name) != "SKILL.md" {
				continue // a skill refers to it, and the runtime reads it when the skill is used
			}
			label = path.Base(path.Dir(name))
		}
		l.file(ctx, r, kind, name, func(path string, data []byte) {
			l.add(kind, label, path, "")
			l.frontmatter(path, label, data)
		})
	}
	for _, name := range slices.Sorted(maps.Keys(odd)) {
		l.unreadable(kind, r.abs(name), path.Base(name)+" "+odd[name].why, odd[name].mark)
	}
	if more {
		l.add(kind, "more files than parley looks at", r.abs(dir), "")
	}
}
