package skill

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"parley/internal/safefs"
	"parley/session"
)

// Options configures a [Finder]. A directory that is empty has no files.
type Options struct {
	// Home is the user's home directory. What lies directly in it is the user's, not a repository's.
	Home string
	// ConfigDir is parley's directory of configuration, CopilotDir that of the Copilot runtime, ClaudeDir that of Claude Code.
	ConfigDir, CopilotDir, ClaudeDir string
	// Plugins returns the plugins whose skills are used; nil: there are none.
	Plugins func(ctx context.Context) []Plugin
	// Reserved are commands that mean something else when the user types them.
	Reserved []string
	// Off returns what finds the word that settings have for a skill, and the file that has it: "off", "name-only", "user-invocable-only", ""
	// for none. Nil: there are none.
	Off func(ctx context.Context, dir string, trusted bool) func(name, file string) (word, settings string)
	// Trusted reports whether the user agreed to what the repository of a directory brings. Nil: to none.
	Trusted func(dir string) bool
}

// Plugin is a folder with skills and commands whose names begin with that of the plugin and a colon.
type Plugin struct {
	Name, Dir string
	// Skills and Commands are further folders and files in Dir, relative, besides skills/ and commands/.
	Skills, Commands []string
}

// Finder finds skills. It reads a file again only once it has changed, and is safe for concurrent use.
type Finder struct {
	o Options

	mu   sync.Mutex
	seen map[string]read // by path
}

// read is a file as it was read.
type read struct {
	size  int64
	at    time.Time
	skill Skill
}

// New returns a finder without touching the disk.
func New(o Options) *Finder {
	if o.Trusted == nil {
		o.Trusted = func(string) bool { return false }
	}
	return &Finder{o: o, seen: map[string]read{}}
}

// notAgreed is why the skills of a repository are not used.
const notAgreed = "you have not agreed to what this project brings: /trust shows it and asks"

// Find returns all skills and commands for sessions in dir, those that are not used among them. It reads the names of all files,
// and what has changed.
func (f *Finder) Find(ctx context.Context, dir string) []Skill {
	var all []Skill
	taken := map[string]*Skill{}
	var off func(name, file string) (word, settings string)
	if f.o.Off != nil {
		off = f.o.Off(ctx, dir, f.o.Trusted(dir))
	}
	take := func(places []place, why string) {
		for _, p := range places {
			for _, s := range f.read(ctx, p) {
				if off != nil {
					s.switched(off(s.Name, s.Path))
				}
				f.take(&all, taken, s, why)
			}
		}
	}
	take(f.own(), "")
	if repository := f.repository(dir); len(repository) > 0 {
		why := ""
		if !f.o.Trusted(dir) {
			why = notAgreed
		}
		take(repository, why)
	}
	take(f.plugins(ctx), "")
	return all
}

// switched applies the word that settings have for a skill.
func (s *Skill) switched(word, settings string) {
	switch word {
	case "off":
		s.Why = cmp.Or(s.Why, "switched off in "+settings)
	case "name-only":
		s.About = ""
	case "user-invocable-only":
		s.Hidden = true
	}
}

// take adds a skill. One whose name is taken stays in the list with the reason; the same file again does not.
func (f *Finder) take(all *[]Skill, taken map[string]*Skill, s Skill, why string) {
	if poses := Poses(s.Name); poses != "" && s.Why == "" && s.Origin != session.CustomUser {
		s.Notes = append(slices.Clone(s.Notes), "its name sounds as if "+poses+" had made it; it is of "+map[bool]string{true: "this project", false: "a plugin"}[s.Origin == session.CustomRepository])
	}
	if slices.Contains(f.o.Reserved, s.Name) {
		s.Unlisted = true
		s.Notes = append(slices.Clone(s.Notes), "/"+s.Name+" is a command of parley; only the model uses the skill")
	}
	s.Why = cmp.Or(s.Why, why)
	name := strings.ToLower(s.Name)
	if before := taken[name]; s.Why == "" && before != nil {
		if real(before.Path) == real(s.Path) {
			return
		}
		s.Why, s.Over = "replaced by the one in "+before.Path, before.Path
	} else if s.Why == "" {
		one := s
		taken[name] = &one
	}
	*all = append(*all, s)
}

// Load returns the text of a skill as it is now.
func (f *Finder) Load(ctx context.Context, s Skill) (string, error) {
	const op = "read the skill"
	where, rel, err := folderOf(place{base: s.Base, dir: s.Dir})
	if err != nil {
		return "", &session.Error{Op: op, Kind: session.KindNotFound, Err: err}
	}
	defer where.close()
	data, err := where.read(ctx, filepath.Join(rel, filepath.Base(s.Path)))
	if err != nil {
		return "", &session.Error{Op: op, Kind: session.KindNotFound, Err: errors.New(s.Path + ": " + unreadable(err))}
	}
	now := parse(data, Skill{Name: s.Name, Kind: s.Kind})
	if now.Why != "" {
		return "", &session.Error{Op: op, Kind: session.KindInvalid, Err: errors.New(s.Path + ":" + now.Why)}
	}
	if !slices.Equal(now.Runs, s.Runs) || !slices.Equal(now.Tools, s.Tools) {
		return "", &session.Error{Op: op, Kind: session.KindInvalid, Err: errors.New(s.Path + " has changed meanwhile; use it again")}
	}
	return body(data), nil
}

// Items lists what a repository would bring into a session in dir, for the user who is asked about it. What a skill runs when it is
// used, and what it would like to be allowed, is a part of its item: when that changes, the user is asked again.
func (f *Finder) Items(ctx context.Context, dir string) (items []session.RepositoryItem) {
	for _, p := range f.repository(dir) {
		for _, s := range f.read(ctx, p) {
			i := session.RepositoryItem{Kind: string(s.Kind), Name: s.Name, Path: s.Path, Runs: strings.Join(s.Runs, "; ")}
			if len(s.Tools) > 0 {
				i.Name += ", asks for " + strings.Join(s.Tools, ", ")
			}
			items = append(items, i)
		}
	}
	return items
}

// read returns the skills and commands of a place, in the order of their names.
func (f *Finder) read(ctx context.Context, p place) (out []Skill) {
	in, rel, err := folderOf(p)
	if err != nil {
		return nil
	}
	defer in.close()
	left := maxEntries
	found, more := []string{rel}, false
	switch one := filepath.Join(rel, "SKILL.md"); {
	case p.kind == Folder && in.has(one):
		found[0] = one
	case p.kind == Folder || !strings.EqualFold(filepath.Ext(rel), ".md"):
		found, more = in.files(rel, p.kind, 0, &left)
	}
	slices.Sort(found)
	for _, name := range found {
		if ctx.Err() != nil {
			return out
		}
		short := strings.TrimPrefix(filepath.ToSlash(strings.TrimPrefix(name, rel)), "/")
		if short == "" || short == "SKILL.md" { // the place is a skill or a command itself
			short = filepath.ToSlash(name)
			if p.kind == Command {
				short = filepath.Base(name)
			}
		}
		out = append(out, f.file(ctx, in, p, name, short))
	}
	if more {
		out = append(out, Skill{Name: filepath.Base(p.dir), Kind: p.kind, Path: p.dir, Dir: p.dir, Origin: p.origin,
			Why: "there are more files here than are read"})
	}
	return out
}

// file returns one skill. short is its path in the place, with slashes.
func (f *Finder) file(ctx context.Context, in folder, p place, name, short string) Skill {
	path := in.abs(name)
	s := Skill{Kind: p.kind, Path: path, Dir: filepath.Dir(path), Base: p.base, Origin: p.origin, Name: p.prefix + nameOf(p.kind, short)}
	info, err := in.stat(name)
	if err != nil {
		s.Why = unreadable(err)
		return s
	}
	f.mu.Lock()
	known, is := f.seen[path]
	f.mu.Unlock()
	if is && known.size == info.Size() && known.at.Equal(info.ModTime()) && known.skill.Origin == s.Origin && known.skill.Base == s.Base {
		return known.skill
	}
	data, err := in.read(ctx, name)
	if err != nil {
		s.Why = unreadable(err)
		return s
	}
	s = parse(data, s)
	f.mu.Lock()
	f.seen[path] = read{info.Size(), info.ModTime(), s}
	f.mu.Unlock()
	return s
}

// nameOf returns the name that a path in a place gives: a/b/SKILL.md is "b", a/b.md as a command "a:b".
func nameOf(kind Kind, short string) string {
	if kind == Folder {
		return filepath.Base(filepath.Dir(filepath.FromSlash(short)))
	}
	return strings.ReplaceAll(strings.TrimSuffix(short, filepath.Ext(short)), "/", ":")
}

// unreadable returns why a file could not be read.
func unreadable(err error) string {
	switch {
	case errors.Is(err, safefs.ErrNotRegular):
		return "it is not a regular file"
	case errors.Is(err, safefs.ErrTooLarge):
		return "it is too large: at most 256 KiB are read"
	case errors.Is(err, fs.ErrPermission):
		return "it may not be read"
	case errors.Is(err, fs.ErrNotExist):
		return "it is a link to a file that is not there"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "it cannot be read"
	}
	if pe, ok := errors.AsType[*os.PathError](err); ok && strings.Contains(pe.Err.Error(), "escapes") {
		return "it is a link that leads elsewhere"
	}
	return "it cannot be read"
}
