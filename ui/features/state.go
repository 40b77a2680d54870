package features

import (
	"context"
	"slices"

	"parley/session"
	"parley/session/extensions/inventory"
	"parley/session/live"
	"parley/session/spending"
	trees "parley/session/worktree"
	"parley/ui/agents"
	"parley/ui/background"
	"parley/ui/changes"
	"parley/ui/config"
	"parley/ui/core"
	"parley/ui/delegate"
	"parley/ui/dirs"
	"parley/ui/extensions"
	"parley/ui/install"
	"parley/ui/keymap"
	"parley/ui/limit"
	"parley/ui/list"
	"parley/ui/models"
	"parley/ui/notice"
	"parley/ui/overview"
	"parley/ui/panel"
	"parley/ui/rewind"
	"parley/ui/rules"
	"parley/ui/sessions"
	"parley/ui/style"
	"parley/ui/subagents"
	"parley/ui/tabs"
	"parley/ui/usage"
)

// State is what features look at, as it is when one is run or offered. Its functions answer at once. Only the event loop of its
// face uses it.
type State struct {
	core.Current
	Look    *style.Look
	Keys    *keymap.Map
	Manager core.Manager

	// Agents are those that a new session can have, Models what the login can use. Both are loaded again by a command of the
	// chat, nil if there is nothing to load.
	Agents                 []session.AgentInfo
	Models                 models.Known
	LoadAgents, LoadModels panel.Cmd
	// Problem returns why the session's agent cannot work in a mode, visible; "" if it can.
	Problem func(session.Mode) string
	// Usage returns what the session cost and what is left of the plan: names with their figures.
	Usage func() [][2]string
	// Spent reads what all sessions cost; see [core.Options].
	Spent func(ctx context.Context) (spending.Report, error)
	// Steered are the queued prompts that the running turn takes at its next step.
	Steered     map[session.PromptID]bool
	HasChildren bool
	Children    func() []subagents.Child
	Notices     func() []notice.Said
	// Untrusted means that the directory has something the user has not decided about.
	Untrusted bool

	// Outlives means that sessions go on without the chat.
	Outlives bool

	// Version is that of parley, AgentVersion that of the agent's runtime, "" for none. Setup knows the login, nil: nothing does.
	Version, AgentVersion string
	Setup                 core.Setup

	// File are the settings of the configuration file, nil where there is none.
	File core.Settings

	// Extensions reads what extends an agent in a directory, nil where only the session knows; see [core.Options].
	Extensions inventory.Keeper

	Rules    *rules.Command
	Custom   *agents.Command
	Delegate *delegate.Command
	Rewind   *rewind.Command
	Tabs     *tabs.Set
	Trees    *trees.Trees
	Install  *install.Model
	// HasChanges means that there is a record of changes. Changes returns what opens it, at the first file that a call changed or
	// at the newest turn; At returns the call that the user looks at.
	HasChanges bool
	Changes    func(session.CallID) changes.Options
	At         func() session.CallID
}

// dirs returns the command on the session's directories.
func (s *State) dirs() dirs.Command {
	c := dirs.Command{Look: s.Look, Dir: s.Dir, Dirs: s.Meta.Dirs}
	if s.Session != nil {
		c.Dirs = s.Session.Meta().Dirs
	}
	return c
}

// hasSettings reports whether there are settings to change.
func (s *State) hasSettings() bool { return s.File != nil }

// extends reports whether the session's agent can be extended.
func (s *State) extends() bool {
	if s.Extensions == nil {
		return s.Manager == nil || s.Manager.Remote(s.Agent) == nil
	}
	return s.Extensions.Reads(s.Agent).Any()
}

// extensions returns the commands on what extends the session's agent.
func (s *State) extensions() extensions.Command {
	c := extensions.Command{Look: s.Look, Keeper: s.Extensions, Agent: s.Agent, Dir: s.Dir, Live: live.ExtensionsOf(s.Session)}
	if s.Session != nil {
		c.Session = s.Session.Meta().ID
	}
	return c
}

// config runs a command on settings, if there are any.
func (s *State) config(run func(config.Command) panel.Effect) panel.Effect {
	if s.File == nil {
		return panel.Notice{Text: "Settings can't be stored here", Warn: true}
	}
	return run(config.Command{Look: s.Look, Settings: s.File, Models: s.Models.All})
}

// status opens what the session works with.
func (s *State) status() panel.Effect {
	f := overview.Facts{Current: s.Current, Look: s.Look, Version: s.Version, AgentVersion: s.AgentVersion, Setup: s.Setup, File: s.File,
		Servers: live.ExtensionsOf(s.Session).Servers, Usage: s.Usage(), Context: core.ContextOf(s.Transcript, s.Models.All),
		Memory: slices.ContainsFunc(s.agentCommands(), func(c session.SlashCommand) bool { return c.Name == "memory" })}
	f.Current.Settings = s.Models.Now
	if m := session.FindModel(s.Models.All, ""); m != nil && f.Current.Settings.Model == "" && f.Meta.Model == "" && s.Transcript.Remote == nil {
		f.Current.Settings.Model = m.ID // as the header says
	}
	return overview.Run(f)
}

// usage opens what the session and all others cost.
func (s *State) usage() panel.Effect {
	c := usage.Command{Look: s.Look, Lines: s.Usage(), Report: s.Spent}
	if s.Session != nil {
		c.Events = func() []session.Event {
			events, detach := s.Session.Attach(func(session.Event) {})
			detach()
			return events
		}
	}
	return c.Run()
}

// later lets the prompt that a limit of the service stopped wait for its end. It waits in the queue, where it is seen and taken back.
func (s *State) later() panel.Effect {
	if s.Session == nil {
		return nil
	}
	p := core.Later(s.Transcript, s.Look.Now())
	if p == nil {
		return panel.Notice{Text: "No limit of the service with a known end has stopped this session", Warn: true}
	}
	if _, err := s.Session.Send(*p); err != nil {
		return panel.Notice{Text: style.VisibleLine(session.ProblemOf(err, s.Look.Now()).What), Warn: true}
	}
	return panel.Notice{Text: "Goes on " + core.ResetWords(p.After, s.Look.Now()) + " by itself. /queue changes that"}
}

// limit shows or sets how many credits may be used.
func (s *State) limit(args string) panel.Effect {
	if s.Session == nil {
		return nil
	}
	return limit.Command{Look: s.Look, Session: live.CapsOf(s.Session)}.Run(args)
}

// open opens a list.
func (s *State) open(l list.Source) panel.Effect { return panel.Push{Panel: list.Open(s.Look, l, "")} }

// agentCommands returns the slash commands that the agent adds.
func (s *State) agentCommands() []session.SlashCommand {
	if s.Manager == nil {
		return nil
	}
	return s.Manager.Commands(s.Agent, s.Dir)
}

// mode returns the permission mode of the session.
func (s *State) mode() session.Mode {
	if s.Settings.Mode != "" {
		return s.Settings.Mode
	}
	return session.ModeDefault
}

// background returns what the panel of what runs in the background works with.
func (s *State) background() background.Options {
	t := s.Transcript
	o := background.Options{Look: s.Look, Keys: s.Keys, Transcript: func() *session.Transcript { return t }, Dir: s.Dir}
	if s.Session != nil {
		o.Session = s.Session
	}
	return o
}

// ToBackground sends what runs in the turn to the background.
func (s *State) ToBackground() panel.Effect {
	if s.Session == nil {
		return nil
	}
	return background.Send(s.Session, s.Transcript, s.Dir)
}

// Fork opens the list of the turns that a copy of the session can end with, at a turn or the newest.
func (s *State) Fork(at session.TurnID) panel.Effect {
	switch {
	case !s.Manager.CanFork(s.Agent):
		return panel.Notice{Text: "Sessions of " + core.AgentTitle(s.Agent) + " can't be forked", Warn: true}
	}
	return sessions.Fork(s.Look, s.Transcript, at)
}
