package features

import (
	"maps"
	"strings"

	"parley/ui/background"
	"parley/ui/changes"
	"parley/ui/config"
	"parley/ui/core"
	"parley/ui/doctor"
	"parley/ui/help"
	"parley/ui/keymap"
	"parley/ui/list"
	"parley/ui/models"
	"parley/ui/notice"
	"parley/ui/panel"
	"parley/ui/queue"
	"parley/ui/sessions"
	"parley/ui/sidequestion"
	"parley/ui/signin"
	"parley/ui/subagents"
	"parley/ui/worktree"
)

// Feature is a slash command with what it does.
type Feature struct {
	keymap.Slash
	// Run does what the command does, with what is written after it.
	Run func(s *State, args string) panel.Effect
	// Key does what a key of the command does, if that is more: it begins at what the user looks at. nil: as Run.
	Key func(s *State) panel.Effect
	// Screen means that the command needs the screen, or has nothing to do in lines.
	Screen bool
	// When reports whether the command can do anything now; it is not offered otherwise. nil: always.
	When func(s *State) bool
}

// All are the features, in the order of the table of commands. It is filled by init because the palette lists them and is
// itself one.
var All []Feature

// Find finds a feature by the name of its command.
func Find(name string) (Feature, bool) {
	for _, f := range All {
		if f.Name == name {
			return f, true
		}
	}
	return Feature{}, false
}

// Offered returns the commands that can do something now.
func Offered(s *State) []keymap.Slash {
	var all []keymap.Slash
	for _, f := range All {
		if f.When == nil || f.When(s) {
			all = append(all, f.Slash)
		}
	}
	return all
}

func init() {
	table := ofSessions()
	maps.Copy(table, ofTheRest())
	for _, c := range keymap.Commands {
		f := table[c.Name]
		f.Slash = c
		All = append(All, f)
	}
}

// ofSessions are the features that choose a session, and what one works with.
func ofSessions() map[string]Feature {
	return map[string]Feature{
		"help": {Run: func(s *State, args string) panel.Effect {
			return panel.Push{Panel: help.New(s.Look, s.Keys, s.agentCommands(), args), Of: "help"}
		}},
		"model": {Run: func(s *State, args string) panel.Effect { return models.Run(s.Look, s.Models, args, s.LoadModels) }},
		"effort": {Run: func(s *State, args string) panel.Effect {
			return models.RunEffort(s.Look, s.Models, args, s.LoadModels)
		}},
		"mode": {Run: func(s *State, args string) panel.Effect { return models.RunMode(s.Look, s.mode(), s.Problem, args) }},
		"permissions": {Run: func(s *State, args string) panel.Effect { return s.Rules.Run(args) },
			When: func(s *State) bool { return s.Rules.Store != nil }},
		"changes": {Run: func(s *State, _ string) panel.Effect { return changes.Run(s.Changes("")) },
			Key: func(s *State) panel.Effect { return changes.Run(s.Changes(s.At())) }, When: func(s *State) bool { return s.HasChanges }},
		"resume": {Run: func(s *State, args string) panel.Effect { return sessions.Run(s.Look, s.Manager, s.Current, args) }},
		"rename": {Run: rename},
		"fork":   {Run: func(s *State, _ string) panel.Effect { return s.Fork("") }, When: func(s *State) bool { return len(s.Transcript.Turns) > 0 && s.Manager.CanFork(s.Agent) }},
		"rewind": {Run: func(s *State, args string) panel.Effect { return s.Rewind.Run(s.Current, args) },
			When: func(s *State) bool { return s.Rewind.Offered(s.Current) }},
		"tabs": {Run: func(s *State, args string) panel.Effect { return s.Tabs.Run(args) },
			Key: func(s *State) panel.Effect { return s.Tabs.Next() }, When: func(s *State) bool { return s.Tabs.Any() || s.Tabs.Left() > 0 }},
		"worktree": {Run: func(s *State, args string) panel.Effect {
			return worktree.Command{Look: s.Look, Trees: s.Trees, Dir: s.Dir, Others: s.Tabs.Dirs()}.Run(args)
		}, When: func(s *State) bool { return s.Trees != nil }},
		"add-dir": {Run: func(s *State, args string) panel.Effect { return s.dirs().Run(args) }, When: func(s *State) bool {
			return s.Session != nil && (s.Manager == nil || s.Manager.Remote(s.Agent) == nil)
		}},
		"new": {Run: func(s *State, _ string) panel.Effect { return panel.Begin{} }},
		// Not left to the agent: Claude Code would continue under another id in another transcript, and this session
		// would be listed as two.
		"clear": {Run: func(s *State, _ string) panel.Effect { return panel.Begin{} }},
		"agent": {Run: func(s *State, args string) panel.Effect {
			return sessions.RunAgent(s.Look, s.Agents, s.Agent, args, s.LoadAgents)
		},
			When: func(s *State) bool { return len(s.Agents) > 1 }},
		"agents": {Run: func(s *State, args string) panel.Effect { return s.Custom.Run(args) },
			When: func(s *State) bool { return s.Manager != nil && s.Manager.TakesCustoms(s.Agent) }},
		"extensions": {Run: func(s *State, args string) panel.Effect { return s.extensions().Run(args) }, When: (*State).extends},
		"mcp":        {Run: func(s *State, args string) panel.Effect { return s.extensions().Servers(args) }, When: (*State).extends},
		"skills":     {Run: func(s *State, args string) panel.Effect { return s.extensions().Skills(args) }, When: (*State).extends},
		"hooks":      {Run: func(s *State, args string) panel.Effect { return s.extensions().Hooks(args) }, When: (*State).extends},
	}
}

// ofTheRest are the features that show what goes on, and those of parley itself.
func ofTheRest() map[string]Feature {
	return map[string]Feature{
		"subagents": {Screen: true, Run: func(s *State, _ string) panel.Effect { return s.open(subagents.List{All: s.Children()}) },
			When: func(s *State) bool { return s.HasChildren }},
		"background": {Run: func(s *State, _ string) panel.Effect { return background.Run(s.background()) },
			When: func(s *State) bool { return s.Session != nil && background.Offered(s.Transcript) }},
		"queue": {Run: func(s *State, _ string) panel.Effect {
			return s.open(queue.List{Prompts: s.Transcript.Queue, Steered: s.Steered})
		},
			When: func(s *State) bool { return len(s.Transcript.Queue) > 0 }},
		"btw": {Run: func(s *State, args string) panel.Effect { return sidequestion.Run(s.Look, s.Session.AskAside, args) },
			When: func(s *State) bool { return len(s.Transcript.Turns) > 0 }},
		"delegate": {Run: func(s *State, args string) panel.Effect { return s.Delegate.Run(args) }, When: func(s *State) bool { return s.Delegate.Offered() }},
		"browse":   {Run: func(s *State, _ string) panel.Effect { return s.Delegate.Browse() }, When: func(s *State) bool { return s.Transcript.Remote != nil }},
		"tasks":    {Run: tasks, When: func(s *State) bool { return len(s.Transcript.Todos) > 0 }},
		"trust":    {Run: func(s *State, _ string) panel.Effect { return panel.Trust{} }, When: func(s *State) bool { return s.Untrusted }},
		"install":  {Screen: true, Run: func(s *State, args string) panel.Effect { return s.Install.Run(args) }, When: func(s *State) bool { return s.Install.Offered() }},
		"notices":  {Screen: true, Run: func(s *State, _ string) panel.Effect { return s.open(notice.List{All: s.Notices(), At: s.Look.Now()}) }},
		// Not left to the agent: Claude Code counts in dollars and knows nothing of the plan.
		"usage": {Run: func(s *State, _ string) panel.Effect { return s.usage() }},
		"later": {Run: func(s *State, _ string) panel.Effect { return s.later() },
			When: func(s *State) bool { return s.Session != nil && core.Later(s.Transcript, s.Look.Now()) != nil }},
		"limit":  {Run: (*State).limit, When: func(s *State) bool { return s.Session != nil }},
		"status": {Run: func(s *State, _ string) panel.Effect { return s.status() }},
		"doctor": {Run: func(s *State, _ string) panel.Effect { return doctor.Run(s.Look, s.Setup) },
			When: func(s *State) bool { return s.Setup != nil }},
		"login": {Run: func(s *State, args string) panel.Effect { return signin.Run(s.Look, s.Setup, args) },
			When: func(s *State) bool { return s.Setup != nil }},
		"palette": {Screen: true, Run: func(s *State, _ string) panel.Effect {
			return panel.Push{Panel: list.Open(s.Look, help.Palette{Keys: s.Keys, Commands: Offered(s)}, ""), Of: "palette"}
		}},
		"config": {Run: func(s *State, args string) panel.Effect {
			return s.config(func(c config.Command) panel.Effect { return c.Run(args) })
		}, When: (*State).hasSettings},
		"theme": {Run: func(s *State, args string) panel.Effect {
			return s.config(func(c config.Command) panel.Effect { return c.Theme(args) })
		}, When: (*State).hasSettings},
		"vim": {Run: func(s *State, args string) panel.Effect {
			return s.config(func(c config.Command) panel.Effect { return c.Vim(args) })
		}, When: (*State).hasSettings},
		"export": {Run: func(s *State, args string) panel.Effect { return panel.Export{Args: args} }},
		"quit":   {Run: func(s *State, _ string) panel.Effect { return panel.Quit{} }},
		"detach": {Screen: true, Run: detach, When: func(s *State) bool { return s.Outlives }},
	}
}

// detach leaves the sessions, which go on, where they can.
func detach(s *State, _ string) panel.Effect {
	if !s.Outlives {
		return panel.Notice{Text: "This session ends with its window; sessions.outlive changes that", Warn: true}
	}
	return panel.Detach{}
}

// tasks opens or folds the list of tasks.
func tasks(s *State, _ string) panel.Effect {
	if len(s.Transcript.Todos) == 0 {
		return panel.Notice{Text: "No tasks yet. The agent lists them here when it plans longer work"}
	}
	return panel.Tasks{}
}

// rename gives the session a title.
func rename(_ *State, title string) panel.Effect {
	if strings.TrimSpace(title) == "" {
		return panel.Notice{Text: "Type the title after the command: /rename Why the upload test flakes", Warn: true}
	}
	return panel.Rename{Title: title}
}
