package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"parley/internal/safefs"
	"parley/session"
	"parley/session/agentfiles"
	"parley/session/extensions"
	"parley/session/extensions/skill"
	"parley/session/hooks"
)

// Options configures a [Store]. A directory that is empty has no plugins.
type Options struct {
	// Dir is where parley keeps its plugins.
	Dir string
	// Home is the user's home directory, Claude and Copilot are the user's directories of the two programs.
	Home, Claude, Copilot string
	// Environ returns the user's environment, which servers of plugins may name. Nil: it is empty.
	Environ func() []string
	// Git runs git in a directory, without hooks, and returns what it prints. Nil: only folders can be installed.
	Git func(ctx context.Context, dir string, args ...string) (string, error)
}

// Store is the plugins of the user. It reads the disk with each call, and is safe for concurrent use, in several processes too.
type Store struct{ o Options }

// New returns a store without touching the disk.
func New(o Options) *Store {
	if o.Environ == nil {
		o.Environ = func() []string { return nil }
	}
	return &Store{o}
}

// record is a plugin or a marketplace as parley's file has it.
type record struct {
	Name   string `json:"name"`
	Source string `json:"source"`
	Commit string `json:"commit,omitempty"`
	// Folder is the name of its folder in that of all; empty for a marketplace in a folder of the user.
	Folder string `json:"folder"`
}

// kept is a plugin as parley's file has it.
type kept struct {
	record
	Market  string `json:"market,omitempty"`
	Version string `json:"version,omitempty"`
	Hash    string `json:"hash"`
	Enabled bool   `json:"enabled"`
}

// book is parley's file of plugins.
type book struct {
	Version int      `json:"version"`
	Plugins []kept   `json:"plugins"`
	Markets []record `json:"marketplaces,omitempty"`
}

// maxBook bounds that file, in bytes.
const maxBook = 4 << 20

func (s *Store) file() string              { return filepath.Join(s.o.Dir, "plugins.json") }
func (s *Store) folder(name string) string { return filepath.Join(s.o.Dir, "installed", name) }

// marketFolder returns the folder of a marketplace that was fetched.
func (s *Store) marketFolder(name string) string { return filepath.Join(s.o.Dir, "marketplaces", name) }

// data returns the folder for what a plugin keeps.
func (s *Store) data(name string) string { return filepath.Join(s.o.Dir, "data", name) }

// open reads parley's file. One that is missing is empty.
func (s *Store) open(ctx context.Context) (b book, err error) {
	const op = "read the list of plugins"
	if s.o.Dir == "" {
		return b, nil
	}
	data, err := safefs.ReadFile(ctx, s.file(), maxBook, safefs.FollowLinks)
	if errors.Is(err, fs.ErrNotExist) {
		return b, nil
	}
	if err != nil {
		return b, fail(op, session.KindDisk, "%s: %w", s.file(), err)
	}
	if err := json.Unmarshal(data, &b); err != nil {
		return b, fail(op, session.KindCorrupt, "%s is not JSON: %w", s.file(), err)
	}
	b.Plugins = slices.DeleteFunc(b.Plugins, func(k kept) bool { return !isName(k.Name) || !isName(k.Folder) })
	return b, nil
}

// shown returns a plugin of parley's without what its folder says.
func (s *Store) shown(k kept) Plugin {
	return Plugin{Name: k.Name, Market: k.Market, Version: k.Version, Owner: Parley, Scope: "user", Source: k.Source, Commit: k.Commit, Hash: k.Hash,
		Dir: s.folder(k.Folder), Enabled: k.Enabled}
}

// List returns all plugins: parley's, Claude Code's and the Copilot CLI's, each by their names. It reads files and runs nothing.
func (s *Store) List(ctx context.Context) (all []Plugin) {
	b, err := s.open(ctx)
	if err != nil {
		all = append(all, Plugin{Name: "plugins.json", Owner: Parley, Scope: "user", Source: s.file(), Dir: s.o.Dir, Why: err.Error()})
	}
	for _, p := range append(s.own(b), append(s.claude(ctx), s.copilot(ctx)...)...) {
		if p.Dir != "" {
			p = s.filled(ctx, p)
		}
		if p.Hash != "" && p.Why == "" {
			if now, err := sum(ctx, p.Dir); err != nil || now != p.Hash {
				p.Notes = append(p.Notes, "its files are not those that were installed any more")
			}
		}
		all = append(all, p)
	}
	return all
}

func (s *Store) own(b book) (all []Plugin) {
	for _, k := range b.Plugins {
		all = append(all, s.shown(k))
	}
	slices.SortStableFunc(all, byName)
	return all
}

// used is a plugin that is on, with what its folder says.
type used struct {
	Plugin
	content
}

// on returns the plugins that are on: parley's first, then with others those of the other programs for all directories.
func (s *Store) on(ctx context.Context, others bool) (all []used) {
	b, _ := s.open(ctx)
	list := s.own(b)
	if others {
		list = append(list, append(s.claude(ctx), s.copilot(ctx)...)...)
	}
	for _, p := range list {
		if !p.Enabled || p.Project != "" || p.Why != "" || !isName(p.Name) {
			continue
		}
		if c := read(ctx, p.Dir, p.Owner == Parley); c.why == "" {
			all = append(all, used{p, c})
		}
	}
	return all
}

// Dirs returns the folders of parley's and Claude Code's plugins that are on, in any directory. Those of the Copilot CLI are in one folder.
func Dirs(ctx context.Context, s *Store) (dirs []string) {
	b, _ := s.open(ctx)
	for _, p := range append(s.own(b), s.claude(ctx)...) {
		if p.Enabled && p.Dir != "" {
			dirs = append(dirs, p.Dir)
		}
	}
	return dirs
}

// Skills returns the plugins that are on, for their skills and commands.
func (s *Store) Skills(ctx context.Context) (all []skill.Plugin) {
	for _, u := range s.on(ctx, true) {
		all = append(all, u.skillsOf(u.Plugin))
	}
	return all
}

// Agents returns the plugins that are on, for their agents.
func (s *Store) Agents(ctx context.Context) (all []agentfiles.Plugin) {
	for _, u := range s.on(ctx, true) {
		all = append(all, u.agentsOf(u.Plugin))
	}
	return all
}

// Hooks returns parley's plugins that are on, for their hooks.
func (s *Store) Hooks(ctx context.Context) (all []hooks.Plugin) {
	for _, u := range s.on(ctx, false) {
		if len(u.hooks) > 0 {
			all = append(all, u.hooksOf(u.Plugin, s.data(u.Name)))
		}
	}
	return all
}

// Servers returns parley's plugins that are on, for their MCP servers.
func (s *Store) Servers(ctx context.Context) (all []extensions.Plugin) {
	for _, u := range s.on(ctx, false) {
		if len(u.servers) > 0 {
			all = append(all, u.serversOf(u.Plugin, s.data(u.Name)))
		}
	}
	return all
}
