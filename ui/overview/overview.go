package overview

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/human"
	"parley/session"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// Facts are what is known at once, and what is asked for the rest.
type Facts struct {
	core.Current
	Look *style.Look
	// Version is that of parley, AgentVersion that of the agent's runtime, "" for none.
	Version, AgentVersion string
	Context               session.ContextState
	// Usage is what the session cost and what is left of the plan.
	Usage [][2]string
	// Memory means that the agent lists the instructions in force with /memory.
	Memory bool
	// Servers and Setup are asked in the background, File names the file of the settings; each may be nil.
	Servers session.ServerKeeper
	Setup   core.Setup
	File    core.Settings
}

// Run opens the list.
func Run(f Facts) panel.Effect {
	return panel.Push{Panel: list.Open(f.Look, page{facts: f, waiting: f.Setup != nil || f.Servers != nil}, ""), Start: f.ask(), Of: "status"}
}

// page is the list of what is known.
type page struct {
	facts   Facts
	asked   asked
	waiting bool
}

// asked is what was asked for: the account or why it is not known, and the servers.
type asked struct {
	account          core.Account
	trouble, servers string
}

// ask returns the command that asks for the account and the servers, nil for nothing.
func (f Facts) ask() panel.Cmd {
	setup, servers := f.Setup, f.Servers
	if setup == nil && servers == nil {
		return nil
	}
	return func(ctx context.Context) tea.Msg {
		var a asked
		if setup != nil {
			var err error
			if a.account, err = setup.Account(ctx); err != nil {
				a.trouble = strings.TrimSuffix(session.ProblemOf(err, f.Look.Now()).What, ".") + " · see /login"
			}
		}
		if servers != nil {
			a.servers = serverWords(servers.Servers(ctx, false))
		}
		return a
	}
}

// serverWords counts servers by their states.
func serverWords(all []session.Server) string {
	if len(all) == 0 {
		return "none"
	}
	var words []string
	for _, state := range []session.ServerState{session.ServerConnected, session.ServerStarting, session.ServerWaiting, session.ServerFailed, session.ServerOff} {
		n := 0
		for _, s := range all {
			if s.State == state {
				n++
			}
		}
		if n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, state))
		}
	}
	return strings.Join(words, ", ") + " · /mcp lists them"
}

// Update takes what was asked for.
func (l page) Update(p *list.Panel, msg tea.Msg) (panel.Effect, panel.Cmd) {
	a, is := msg.(asked)
	if !is {
		return panel.Pass{}, nil
	}
	l.asked, l.waiting = a, false
	p.Set(l)
	return nil, nil
}

// More reports whether something is still asked.
func (l page) More() bool { return l.waiting }

// Options returns the texts of the list.
func (l page) Options() list.Options {
	o := list.Options{Title: "Status", Keys: "↑↓ scroll · esc back", Plain: true, Prose: 1}
	if l.waiting {
		o.Right = "asking GitHub…"
	}
	return o
}

// Rows returns what is known.
func (l page) Rows() (rows []list.Row) {
	f := l.facts
	add := func(name, text string) {
		if text != "" {
			rows = append(rows, list.Row{ID: human.Number(len(rows)), Cells: []string{style.VisibleLine(name), style.VisibleLine(text)}})
		}
	}
	short := func(path string) string { return style.ShortPath(path, f.Look.Home) }
	add("parley", f.Version)
	add("Agent", strings.TrimSpace(core.AgentTitle(f.Agent)+" "+f.AgentVersion))
	add("Custom agent", session.CustomName(f.Current.Settings.Custom))
	add("Model", cmp.Or(f.Current.Settings.Model, f.Meta.Model, "the agent's default"))
	add("Effort", cmp.Or(f.Current.Settings.Effort, "the model's default"))
	mode := cmp.Or(f.Current.Settings.Mode, session.ModeDefault)
	add("Permissions", strings.TrimSuffix(core.ModeName(mode)+": "+core.ModeAbout(mode), ": "))
	add("Directory", short(f.Dir))
	for _, dir := range f.Meta.Dirs {
		add("Also works in", short(dir))
	}
	add("Branch", f.Meta.Branch)
	if f.Meta.ID != "" {
		add("Session", strings.TrimSuffix(string(f.Meta.ID)+" · "+f.Meta.Title, " · "))
		if f.Setup != nil {
			add("Session file", short(f.Setup.SessionFile(f.Meta.ID)))
		}
	}
	if c := f.Context; c.Window > 0 {
		add("Context", fmt.Sprintf("%s of %s tokens (%d %%)", human.Tokens(c.Used), human.Tokens(c.Window), min(100, c.Used*100/c.Window)))
	}
	if f.Memory {
		add("Instructions", "/memory lists those in force")
	}
	add("MCP servers", l.asked.servers)
	add("Account", cmp.Or(l.asked.trouble, l.asked.account.Who))
	add("Token", l.asked.account.Token)
	add("Subscription", l.asked.account.Plan)
	for _, u := range f.Usage {
		add(u[0], u[1])
	}
	if f.File != nil {
		add("Settings", short(f.File.Path())+" · /config changes them")
	}
	return rows
}

// Choose does nothing.
func (l page) Choose(string) panel.Effect { return nil }
