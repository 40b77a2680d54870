package inventory

import (
	"path/filepath"
	"slices"
	"strings"

	"parley/session"
)

// Found is what the rooms that find extensions report for one directory.
type Found struct {
	// Customs are the custom agents and prompts; Theirs are those of a repository that the user has not agreed to.
	Customs session.Customs
	Theirs  []session.RepositoryItem
	Skills  []session.Skill
	Hooks   session.HookReport
	Servers []session.Server
	Texts   []Text
	Plugins []Folder
	// Reads says which files of hooks and MCP servers the agent reads.
	Reads Reads
}

// Reads says which files of hooks and MCP servers an agent reads: all, or those whose paths have one of these parts. It reads those of
// plugins and of an administrator in any case.
type Reads struct {
	All            bool
	Hooks, Servers map[Scope][]string
}

// Any reports whether the agent reads files at all.
func (r Reads) Any() bool { return r.All || len(r.Hooks)+len(r.Servers) > 0 }

// file reports whether the file of an item is one of them. Skills and custom agents reach every agent.
func (r Reads) file(i Item) bool {
	parts := map[Kind]map[Scope][]string{Hook: r.Hooks, Server: r.Servers}[i.Kind][i.Scope]
	return r.All || i.Kind != Hook && i.Kind != Server || i.Scope == OfPlugin || i.Fixed() ||
		slices.ContainsFunc(parts, func(part string) bool {
			return part != "" && strings.Contains(filepath.ToSlash(i.From), filepath.ToSlash(part))
		})
}

// Text is an instruction file.
type Text struct {
	Path string
	Size int // in bytes
	// Own means that it is the user's. Later means that it is read once one of the files that it is about is touched.
	Own, Later bool
	// Why says why it is left out, By is the file that imports it.
	Why, By string
}

// Folder is a plugin: a folder that brings several extensions, whose names begin with its own.
type Folder struct {
	Name, Dir, About string
	// Why says why it is off, empty for one that is on; Notes what is wrong with it.
	Why   string
	Notes []string
	// Runs is what it would start, empty for a plugin of texts.
	Runs string
	// Project means that it is installed for the directory only. Switch is the settings file in which its owner switches it by Key, empty
	// for a plugin of parley's.
	Project     bool
	Switch, Key string
}

// NotAgreed is why the files of a repository are not used.
const NotAgreed = "you have not agreed to what this project brings: /trust shows it and asks"

// notRead says why an item is off that another program's agent uses.
const notRead = "this agent does not read that file; parley's own does"

// Items returns all items as the agent has them, ordered by kind and in the order in which their names hold. Those of the kinds that the
// agent itself reported reach it.
func (f Found) Items(reported ...Kind) []Item {
	var all []Item
	for _, t := range f.Texts {
		all = append(all, t.item())
	}
	all = append(all, f.agents()...)
	for _, s := range f.Skills {
		all = append(all, skillItem(s))
	}
	for _, h := range f.Hooks.Hooks {
		when := strings.TrimSpace(h.Event + " " + strings.TrimPrefix(h.Matcher, "*"))
		all = append(all, Item{Kind: Hook, Name: when, About: h.Kind, Scope: Scope(h.Scope), From: h.From, On: h.Why == "", Why: h.Why, Runs: h.Runs})
	}
	for _, fault := range f.Hooks.Faults {
		path, why, _ := strings.Cut(fault, ": ")
		all = append(all, Item{Kind: Hook, Name: filepath.Base(path), Scope: Project, From: path, Why: why})
	}
	for _, s := range f.Servers {
		i := Item{Kind: Server, Name: s.Name, About: string(s.State), Scope: User, From: s.From, On: s.State != session.ServerOff, Why: s.Why, Over: s.Over, Runs: s.About, Agents: s.Of}
		switch {
		case s.Project:
			i.Scope = Project
		case slices.ContainsFunc(f.Plugins, func(p Folder) bool { return strings.HasPrefix(s.From, p.Dir+string(filepath.Separator)) }):
			i.Scope = OfPlugin
		}
		all = append(all, i)
	}
	for at := range all {
		i := &all[at]
		if i.On && !slices.Contains(reported, i.Kind) && !f.Reads.file(*i) {
			i.On, i.Why = false, notRead
		}
		if !i.On {
			i.Start = 0
		}
	}
	for _, p := range f.Plugins {
		all = append(all, p.item(all))
	}
	slices.SortStableFunc(all, func(a, b Item) int { return slices.Index(Kinds, a.Kind) - slices.Index(Kinds, b.Kind) })
	return all
}

func (t Text) item() Item {
	i := Item{Kind: Instructions, Name: filepath.Base(t.Path), Scope: Project, From: t.Path, On: t.Why == "", Why: t.Why, Start: tokens(t.Size)}
	if t.Own {
		i.Scope = User
	}
	switch {
	case t.Later:
		i.Start, i.Used, i.About = 0, tokens(t.Size), "read once a file that it is about is touched"
	case t.By != "":
		i.About = "imported by " + filepath.Base(t.By)
	}
	return i
}

// scopes are the scopes of custom files by where they were found.
var scopes = map[session.CustomOrigin]Scope{session.CustomGiven: User, session.CustomUser: User, session.CustomRepository: Project, session.CustomPlugin: OfPlugin}

// agents returns the custom agents and prompts, then the files that cannot be used or that the user has not agreed to.
func (f Found) agents() (all []Item) {
	for _, a := range f.Customs.Agents {
		i := Item{Kind: Agent, Name: a.Name, About: a.About, Scope: scopes[a.Origin], From: a.Path, On: true, Used: tokens(len(a.Prompt))}
		if !a.Hidden { // agents are offered it by its line
			i.Start = tokens(len(a.Name) + len(a.About) + len("- : \n"))
		}
		all = append(all, i)
	}
	for _, p := range f.Customs.Prompts {
		all = append(all, Item{Kind: Command, Name: p.Name, About: p.About, Scope: scopes[p.Origin], From: p.Path, On: true, Typed: true, Used: tokens(len(p.Text))})
	}
	for _, p := range f.Customs.Problems {
		what := session.CustomProblem{Line: p.Line, What: p.What}.Text()
		what = strings.TrimPrefix(strings.TrimPrefix(what, ":"), " ")
		at := slices.IndexFunc(all, func(i Item) bool { return i.From == p.Path })
		if !p.Unused && at >= 0 {
			all[at].Notes = append(all[at].Notes, what)
			continue
		}
		all = append(all, Item{Kind: kindOf(p.Path), Name: named(p.Path), Scope: scopes[p.Origin], From: p.Path, Why: what, Over: p.Over})
	}
	for _, t := range f.Theirs {
		all = append(all, Item{Kind: Kind(t.Kind), Name: t.Name, Scope: Project, From: t.Path, Why: NotAgreed, Runs: t.Runs})
	}
	return all
}

// named returns the name that a file that cannot be read gives its agent or prompt.
func named(path string) string {
	name := filepath.Base(path)
	for _, ending := range []string{".agent.md", ".prompt.md", ".md"} {
		if short, is := strings.CutSuffix(name, ending); is && short != "" {
			return short
		}
	}
	return name
}

func kindOf(path string) Kind {
	if strings.HasSuffix(path, ".prompt.md") {
		return Command
	}
	return Agent
}

func skillItem(s session.Skill) Item {
	i := Item{Kind: Kind(s.Kind), Name: s.Name, About: s.About, Scope: scopes[s.Origin], From: s.Path, On: s.Why == "", Why: s.Why, Over: s.Over, Notes: s.Notes, Typed: s.Typed, Used: s.Tokens}
	if s.Offered {
		i.Start = tokens(len(s.Name) + len(s.About) + len("- : \n"))
	}
	return i
}

// item returns the item of a plugin, which costs what its parts cost.
func (p Folder) item(all []Item) Item {
	i := Item{Kind: Plugin, Name: p.Name, About: p.About, Scope: User, From: p.Dir, On: p.Why == "", Why: p.Why, Notes: p.Notes, Runs: p.Runs, Switch: p.Switch, Key: p.Key}
	if p.Project {
		i.Scope = Project
	}
	for _, part := range all {
		if part.Scope == OfPlugin && strings.HasPrefix(part.Name, p.Name+":") {
			i.Start += part.Start
		}
	}
	return i
}
