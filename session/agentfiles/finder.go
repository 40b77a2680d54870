package agentfiles

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/nearest"
	"parley/internal/safefs"
	"parley/session"
	"parley/session/agentfiles/head"
)

// Options configures a [Finder]. A directory that is empty has no files.
type Options struct {
	// Home is the user's home directory. What lies directly in it is the user's, not a repository's.
	Home string
	// ConfigDir is parley's directory of configuration, CopilotDir that of the Copilot runtime, ClaudeDir that of Claude Code.
	ConfigDir, CopilotDir, ClaudeDir string
	// Plugins returns the plugins whose agents are used; nil: there are none.
	Plugins func(ctx context.Context) []Plugin
	// Trusted reports whether the user trusts what the repository of a directory brings. Nil: none is trusted.
	Trusted func(dir string) bool
	// Refuses reports whether the MCP servers of an agent's file are left out in a directory; nil: whoever uses the agent says so.
	Refuses func(dir string, a session.CustomAgent) bool
}

// Plugin is a folder with agents, whose names begin with that of the plugin and a colon.
type Plugin struct {
	Name, Dir string
	// Agents are further folders and files in Dir, relative, besides agents/.
	Agents []string
}

// Finder finds custom agents and prompts: in parley's folders, in those of Copilot and Claude Code, in a repository, in
// plugins. It is safe for concurrent use.
type Finder struct{ o Options }

var _ session.CustomFinder = (*Finder)(nil)

// New returns a finder without touching the disk.
func New(o Options) *Finder {
	if o.Trusted == nil {
		o.Trusted = func(string) bool { return false }
	}
	return &Finder{o}
}

// Customs returns the custom agents and prompts for sessions in dir.
func (f *Finder) Customs(ctx context.Context, dir string) session.Customs {
	var c session.Customs
	t := taker{into: &c, agents: map[string]string{}, prompts: map[string]string{}}
	t.take(ctx, f.own())
	repository := f.repository(dir)
	if len(repository) > 0 {
		if f.o.Trusted(dir) {
			t.take(ctx, repository)
		} else {
			for _, e := range readAll(ctx, repository) {
				if e.agent != nil || e.prompt != nil {
					c.Untrusted++
				}
			}
		}
	}
	t.take(ctx, f.plugins(ctx))
	for i := range c.Agents {
		f.strip(dir, &c.Agents[i])
	}
	slices.SortStableFunc(c.Agents, func(a, b session.CustomAgent) int {
		return cmp.Or(cmp.Compare(rank(a.Origin), rank(b.Origin)), strings.Compare(a.Name, b.Name))
	})
	slices.SortStableFunc(c.Prompts, func(a, b session.CustomPrompt) int {
		return cmp.Or(cmp.Compare(rank(a.Origin), rank(b.Origin)), strings.Compare(a.Name, b.Name))
	})
	return c
}

// strip leaves out the servers of an agent that are refused.
func (f *Finder) strip(dir string, a *session.CustomAgent) {
	if f.o.Refuses != nil && len(a.Servers) > 0 && f.o.Refuses(dir, *a) {
		a.Servers = nil
	}
}

func rank(o session.CustomOrigin) int {
	return slices.Index([]session.CustomOrigin{session.CustomGiven, session.CustomUser, session.CustomRepository, session.CustomPlugin}, o)
}

// Chosen returns the agent that a name or the absolute path of a file means for a session in dir.
func (f *Finder) Chosen(ctx context.Context, dir, custom string) (*session.CustomAgent, error) {
	const op = "use the custom agent"
	switch {
	case custom == "":
		return nil, nil
	case filepath.IsAbs(custom):
		a, err := File(ctx, custom)
		if err == nil {
			f.strip(dir, a)
		}
		return a, err
	}
	c := f.Customs(ctx, dir)
	if a := c.Named(custom); a != nil {
		return a, nil
	}
	for _, p := range c.Problems { // the file that it probably was in
		if p.Unused && strings.EqualFold(agentName(filepath.Base(p.Path)), custom) {
			return nil, &session.Error{Op: op, Kind: session.KindInvalid, Err: errors.New(p.Text())}
		}
	}
	var names []string
	for _, a := range c.Agents {
		names = append(names, a.Name)
	}
	what := fmt.Sprintf("there is no custom agent %q", custom)
	switch near := nearest.Of(custom, names); {
	case near != "":
		what += fmt.Sprintf("; did you mean %q?", near)
	case c.Untrusted > 0:
		what += "; those of this project are used once you trust it (/trust)"
	default:
		what += "; /agents lists them, and /agents none goes on without"
	}
	return nil, &session.Error{Op: op, Kind: session.KindNotFound, Err: errors.New(what)}
}

// File returns the agent that a file describes, which the user has named. Errors are of kind [session.KindNotFound], or of
// [session.KindInvalid] with the file and the line.
func File(ctx context.Context, path string) (*session.CustomAgent, error) {
	const op = "read the agent file"
	data, err := safefs.ReadFile(ctx, path, maxFile, safefs.FollowLinks)
	if err != nil {
		kind, what := session.KindInvalid, unreadable(err)
		if _, missing := os.Stat(path); missing != nil {
			kind, what = session.KindNotFound, "there is no such file"
		}
		return nil, &session.Error{Op: op, Kind: kind, Err: fmt.Errorf("%s: %s", path, what)}
	}
	name := cmp.Or(agentName(filepath.Base(path)), strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
	a, faults := agentOf(data, name)
	if a == nil && len(faults) == 0 {
		faults = []head.Fault{{Line: 1, What: `the head is missing: begin the file with a line of ---, a line such as "description: …" and another ---`, Deadly: true}}
	}
	if a == nil {
		i := slices.IndexFunc(faults, func(f head.Fault) bool { return f.Deadly })
		return nil, &session.Error{Op: op, Kind: session.KindInvalid, Err: errors.New(problem(path, faults[i]).Text())}
	}
	a.Path, a.Origin = path, session.CustomGiven
	return a, nil
}

// Items lists the agents and prompts that a repository would bring into a session in dir, for the user who is asked about
// them.
func (f *Finder) Items(ctx context.Context, dir string) []session.RepositoryItem {
	var items []session.RepositoryItem
	for _, e := range readAll(ctx, f.repository(dir)) {
		switch {
		case e.agent != nil:
			items = append(items, session.RepositoryItem{Kind: "agent", Name: e.agent.Name, Path: e.path})
		case e.prompt != nil:
			items = append(items, session.RepositoryItem{Kind: "command", Name: e.prompt.Name, Path: e.path})
		}
	}
	return items
}

// Brought returns the agents that the repository of a directory has, whether the user trusts it or not, one for each file.
func (f *Finder) Brought(ctx context.Context, dir string) (all []session.CustomAgent) {
	for _, e := range readAll(ctx, f.repository(dir)) {
		if e.agent != nil {
			all = append(all, *e.agent)
		}
	}
	return all
}

// own returns the folders of the user.
func (f *Finder) own() (all []place) {
	if f.o.ConfigDir != "" {
		all = append(all, place{dir: filepath.Join(f.o.ConfigDir, "agents"), agents: true},
			place{dir: filepath.Join(f.o.ConfigDir, "prompts"), prompts: true})
	}
	if f.o.CopilotDir != "" {
		all = append(all, place{dir: filepath.Join(f.o.CopilotDir, "agents"), agents: true},
			place{dir: filepath.Join(f.o.CopilotDir, "prompts"), prompts: true})
	}
	if f.o.ClaudeDir != "" {
		all = append(all, place{dir: filepath.Join(f.o.ClaudeDir, "agents"), agents: true})
	}
	for i := range all {
		all[i].origin = session.CustomUser
	}
	return all
}

// repository returns the folders of the repository of dir: in dir and above, up to the repository's root.
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
	for at := dir; at != home; at = filepath.Dir(at) {
		for _, p := range []place{{dir: ".github/agents", agents: true}, {dir: ".claude/agents", agents: true}, {dir: ".github/prompts", prompts: true}} {
			p.dir, p.base, p.origin = filepath.Join(at, filepath.FromSlash(p.dir)), root, session.CustomRepository
			all = append(all, p)
		}
		if at == root {
			break
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

func readAll(ctx context.Context, places []place) (all []entry) {
	for _, p := range places {
		all = append(all, p.read(ctx)...)
	}
	return all
}

// taker takes entries in the order in which they count: a name that is taken stays with its first file.
type taker struct {
	into            *session.Customs
	agents, prompts map[string]string // the file of a name, in lower case
}

func (t taker) take(ctx context.Context, places []place) {
	for _, e := range readAll(ctx, places) {
		for _, f := range e.faults {
			fault := problem(e.path, f)
			fault.Origin = e.origin
			t.into.Problems = append(t.into.Problems, fault)
		}
		switch {
		case e.agent != nil && t.first(t.agents, e.agent.Name, e):
			t.into.Agents = append(t.into.Agents, *e.agent)
		case e.prompt != nil && t.first(t.prompts, e.prompt.Name, e):
			t.into.Prompts = append(t.into.Prompts, *e.prompt)
		}
	}
}

// first reports whether no file before has the name. If one has, that is a fault, unless it is the same file.
func (t taker) first(taken map[string]string, name string, e entry) bool {
	before, is := taken[strings.ToLower(name)]
	if !is {
		taken[strings.ToLower(name)] = e.path
		return true
	}
	if real(before) != real(e.path) {
		t.into.Problems = append(t.into.Problems, session.CustomProblem{Path: e.path, Origin: e.origin, Unused: true, Over: before,
			What: fmt.Sprintf("the name %s is taken by %s", name, before)})
	}
	return false
}

func problem(path string, f head.Fault) session.CustomProblem {
	return session.CustomProblem{Path: path, Line: f.Line, What: f.What, Unused: f.Deadly}
}

// plugins returns the folders of agents of plugins.
func (f *Finder) plugins(ctx context.Context) (all []place) {
	if f.o.Plugins == nil {
		return nil
	}
	for _, p := range f.o.Plugins(ctx) {
		for _, at := range append([]string{"agents"}, p.Agents...) {
			all = append(all, place{dir: filepath.Join(p.Dir, filepath.FromSlash(at)), base: p.Dir, origin: session.CustomPlugin, agents: true, prefix: p.Name + ":"})
		}
	}
	return all
}
