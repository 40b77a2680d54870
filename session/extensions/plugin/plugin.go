package plugin

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parley/session"
	"parley/session/agentfiles"
	"parley/session/extensions"
	"parley/session/extensions/skill"
	"parley/session/hooks"
)

// Owner is the program that installed a plugin.
type Owner string

// The owners.
const (
	Parley  Owner = "parley"
	Claude  Owner = "claude"
	Copilot Owner = "copilot"
)

// Kind is what a part of a plugin is.
type Kind string

// The kinds of parts.
const (
	Skill       Kind = "skill"
	Command     Kind = "command"
	Agent       Kind = "agent"
	Hook        Kind = "hook"
	Server      Kind = "mcp server"
	Language    Kind = "language server"
	Script      Kind = "script"
	Unsupported Kind = "unsupported"
)

// Part is one thing that a plugin brings.
type Part struct {
	Kind Kind
	// Name is what it is called: that of a skill begins with the plugin's, a hook has that of its event.
	Name string
	// Path is its file, absolute.
	Path string
	// Runs is what would run, empty for a text.
	Runs string
	// Why says why parley's own agent does not use it, empty for one that it uses while the plugin is on.
	Why string
}

// Plugin is an installed plugin, on or off.
type Plugin struct {
	Name, Version, About, Author string
	// Market is the marketplace that it comes from, empty for none.
	Market string
	Owner  Owner
	// Scope is "user", "project", "local" or "managed"; Project is the directory of the second and third.
	Scope, Project string
	// Source is where it comes from, as a person types it.
	Source string
	// Commit is that of a git repository, Hash that of the content that parley installed; each may be empty.
	Commit, Hash string
	// Dir is its folder, absolute.
	Dir string
	// Enabled reports whether its owner has it switched on.
	Enabled bool
	// Why says why nothing of it can be used, empty if that can be.
	Why string
	// Notes are sentences about it.
	Notes []string
	Parts []Part
}

// ID returns the name by which commands know the plugin, unique among those of its owner and project.
func (p Plugin) ID() string {
	if p.Market == "" || p.Owner == Parley {
		return p.Name
	}
	return p.Name + "@" + p.Market
}

// Runs returns the parts that would run something.
func (p Plugin) Runs() []Part {
	return slices.DeleteFunc(slices.Clone(p.Parts), func(part Part) bool { return part.Runs == "" })
}

// foreign says why hooks and servers of a plugin of another program are not used.
var foreign = map[Owner]string{Claude: "it runs in Claude Code only", Copilot: "it runs in the Copilot CLI only"}

// filled returns a plugin with all that its folder says.
func (s *Store) filled(ctx context.Context, p Plugin) Plugin {
	if !isName(p.Name) {
		p.Why = wrongName
		return p
	}
	c := read(ctx, p.Dir, p.Owner == Parley)
	if p.Version == "" {
		p.Version = c.version
	}
	p.About, p.Author, p.Why = c.about, c.author, c.why
	p.Notes = append(p.Notes, c.notes...)
	if by := skill.Poses(p.Name); by != "" {
		p.Notes = append(p.Notes, fmt.Sprintf("its name sounds as if %s had made it; it is from %s", by, p.Source))
	}
	if p.Why != "" {
		return p
	}
	p.Parts = append(p.Parts, texts(ctx, p, c)...)
	for _, part := range append(s.running(ctx, &p, c), c.rest...) {
		if why := foreign[p.Owner]; why != "" && part.Why == "" {
			part.Why = why
		}
		p.Parts = append(p.Parts, part)
	}
	return p
}

// texts returns the skills, commands and agents of a plugin.
func texts(ctx context.Context, p Plugin, c content) (parts []Part) {
	for _, s := range skill.New(skill.Options{Plugins: func(context.Context) []skill.Plugin { return []skill.Plugin{c.skillsOf(p)} }}).Find(ctx, "") {
		parts = append(parts, Part{Kind: Kind(s.Kind), Name: s.Name, Path: s.Path, Runs: strings.Join(s.Runs, "; "), Why: s.Why})
	}
	found := agentfiles.New(agentfiles.Options{Plugins: func(context.Context) []agentfiles.Plugin { return []agentfiles.Plugin{c.agentsOf(p)} }}).Customs(ctx, "")
	for _, a := range found.Agents {
		parts = append(parts, Part{Kind: Agent, Name: a.Name, Path: a.Path, Runs: strings.TrimSpace(string(a.Servers))})
	}
	for _, bad := range found.Problems {
		if bad.Unused {
			parts = append(parts, Part{Kind: Agent, Name: p.Name, Path: bad.Path, Why: bad.What})
		}
	}
	return parts
}

// running returns the hooks and servers of a plugin, and adds notes about what is wrong with them.
func (s *Store) running(ctx context.Context, p *Plugin, c content) (parts []Part) {
	set := hooks.Places{Plugins: func(context.Context) []hooks.Plugin { return []hooks.Plugin{c.hooksOf(*p, s.data(p.Name))} }}.Find(ctx, p.Dir, func() bool { return true })
	for _, h := range set.Hooks {
		if h.Plugin == nil {
			continue
		}
		shown := h.Shown()
		name := shown.Event
		if shown.Matcher != "" {
			name += ":" + shown.Matcher
		}
		parts = append(parts, Part{Kind: Hook, Name: name, Path: shown.From, Runs: shown.Runs, Why: shown.Why})
	}
	p.Notes = append(p.Notes, set.Faults...)
	places := extensions.Places{Environ: s.o.Environ(), Plugins: func(context.Context) []extensions.Plugin { return []extensions.Plugin{c.serversOf(*p, s.data(p.Name))} }}
	for _, server := range places.Servers(ctx, p.Dir, false) {
		if server.Project {
			continue
		}
		runs := server.URL
		if len(server.Command) > 0 {
			runs = strings.Join(server.Command, " ")
		}
		parts = append(parts, Part{Kind: Server, Name: server.Name, Path: server.From, Runs: runs, Why: server.Why})
	}
	return parts
}

func (c content) skillsOf(p Plugin) skill.Plugin {
	return skill.Plugin{Name: p.Name, Dir: p.Dir, Skills: c.skills, Commands: c.commands}
}

func (c content) agentsOf(p Plugin) agentfiles.Plugin {
	return agentfiles.Plugin{Name: p.Name, Dir: p.Dir, Agents: c.agents}
}

func (c content) hooksOf(p Plugin, data string) hooks.Plugin {
	return hooks.Plugin{Name: p.Name, Dir: p.Dir, Data: data, Files: c.hooks}
}

func (c content) serversOf(p Plugin, data string) extensions.Plugin {
	return extensions.Plugin{Name: p.Name, Dir: p.Dir, Data: data, Files: c.servers}
}

// fail returns an error of this room.
func fail(op string, kind session.Kind, format string, args ...any) error {
	return &session.Error{Op: op, Kind: kind, Err: fmt.Errorf(format, args...)}
}
