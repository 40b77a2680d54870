package extensions

import (
	"context"
	"slices"
	"strings"

	"parley/session"
	"parley/session/extensions/inventory"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// Command is /extensions, /mcp, /skills and /hooks for one session.
type Command struct {
	Look *style.Look
	// Keeper finds and changes what extends an agent in a directory; nil: only what Live shows is listed.
	Keeper     inventory.Keeper
	Agent, Dir string
	// Session is the session whose switches are shown.
	Session session.ID
	// Live shows the extensions of the session, which has newer facts about those that it has.
	Live session.Extensions
}

// kinds are the kinds that a word behind /extensions means.
var kinds = map[string][]inventory.Kind{"instructions": {inventory.Instructions}, "agents": {inventory.Agent}, "skills": {inventory.Skill, inventory.Command},
	"commands": {inventory.Command}, "hooks": {inventory.Hook}, "mcp": {inventory.Server}, "plugins": {inventory.Plugin}}

// Run lists everything, the items of one kind, or those that words find. "add SOURCE" installs a plugin.
func (c Command) Run(args string) panel.Effect {
	word := strings.ToLower(strings.TrimSpace(args))
	if source, is := strings.CutPrefix(strings.TrimSpace(args), "add "); is && c.Keeper != nil {
		return c.install(strings.TrimSpace(source))
	}
	if of := kinds[word]; of != nil {
		return c.list(listing{kinds: of}, "extensions "+word, "")
	}
	return c.list(listing{}, "extensions", args)
}

// Skills lists skills and commands.
func (c Command) Skills(args string) panel.Effect {
	return c.list(listing{title: "Skills and commands", kinds: kinds["skills"]}, "skills", args)
}

// Hooks lists the hooks with their last runs and the events, or only a part: "log", "events".
func (c Command) Hooks(args string) panel.Effect {
	part := strings.TrimSpace(args)
	if !slices.Contains([]string{"", "log", "events"}, part) {
		return panel.Notice{Text: "Write /hooks, /hooks log for the last runs, or /hooks events for what hooks can run at", Warn: true}
	}
	return c.list(listing{title: "Hooks", kinds: kinds["hooks"], hooks: true, part: part}, "hooks", "")
}

// Servers lists the MCP servers, or switches the one that is named after the command: "github on", "github off", "github signout".
func (c Command) Servers(args string) panel.Effect {
	if args == "" {
		return c.list(listing{title: "MCP servers", kinds: kinds["mcp"]}, "mcp", "")
	}
	return c.serve(args)
}

// list opens a list. words filter it.
func (c Command) list(l listing, of, words string) panel.Effect {
	l.Command = c
	push := panel.Push{Of: of}
	if l.part != "events" {
		l.loading, push.Start = true, l.find(false)
		if c.Keeper != nil {
			l.next = c.Keeper.Follow(c.Dir)
			push.Start = panel.Batch(push.Start, l.follow)
		}
	}
	push.Panel = list.Open(c.Look, &l, words)
	return push
}

// found is what was read for a list.
type found struct {
	items   []inventory.Item
	servers []session.Server
	runs    []session.HookRun
}

// reads returns which files the agent reads. Where nothing but the session knows its extensions, it is parley's own agent.
func (c Command) reads() inventory.Reads {
	if c.Keeper == nil {
		return inventory.Reads{All: true}
	}
	return c.Keeper.Reads(c.Agent)
}

// read reads what is listed. With settled it waits until no server is starting.
func (c Command) read(ctx context.Context, settled bool) (out found) {
	var f inventory.Found
	if c.Keeper != nil {
		f = c.Keeper.Find(ctx, c.Agent, c.Dir)
	} else {
		f.Reads.All = true
	}
	var reported []inventory.Kind
	if c.Live.Servers != nil {
		reported = append(reported, inventory.Server)
		out.servers = c.Live.Servers.Servers(ctx, settled)
		f.Servers = out.servers
	}
	if c.Live.Hooks != nil {
		f.Hooks = c.Live.Hooks.Hooks(ctx)
		out.runs = f.Hooks.Runs
	}
	if c.Live.Skills != nil {
		f.Skills = c.Live.Skills.Skills(ctx)
	}
	out.items = f.Items(reported...)
	if c.Keeper != nil {
		c.Keeper.OffIn(c.Session).Mark(out.items)
	}
	return out
}
