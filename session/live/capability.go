package live

import (
	"context"

	"parley/session"
)

// Agents describes the agents of new sessions, in order. It may search the disk for runtimes.
func (m *Manager) Agents() []session.AgentInfo {
	all := make([]session.AgentInfo, 0, len(m.d.Agents))
	for _, a := range m.d.Agents {
		var info session.AgentInfo
		if i, ok := a.(session.Informer); ok {
			info = i.Info()
		}
		info.Name = a.Name()
		all = append(all, info)
	}
	return all
}

// CanFork reports whether [Manager.Fork] can copy sessions of an agent.
func (m *Manager) CanFork(agent string) bool {
	a := m.agent(agent)
	if _, own := a.(session.Replayer); !own {
		return a != nil
	}
	_, ok := a.(session.Forker)
	return ok
}

// Steers reports whether an agent takes prompts into a running turn.
func (m *Manager) Steers(agent string) bool {
	s, ok := m.agent(agent).(session.TurnSteerer)
	return ok && s.Steers()
}

// KeepsLimits reports whether the conversations of an agent keep to their limits; see [Session.Bound].
func (m *Manager) KeepsLimits(agent string) bool {
	l, ok := m.agent(agent).(session.LimitKeeper)
	return ok && l.KeepsLimits()
}

// ModeProblem returns why a session of an agent cannot have a mode, because of the agent or the administrator; "" if it can.
func (m *Manager) ModeProblem(agent string, mode session.Mode) string {
	return m.d.problem(m.agent(agent), mode)
}

// Truster returns the store of decisions about the directories of an agent's sessions, nil for an agent that loads nothing
// from directories.
func (m *Manager) Truster(agent string) session.RepositoryTruster {
	t, _ := m.agent(agent).(session.RepositoryTruster)
	return t
}

// Commands returns the known slash commands of an agent in a directory.
func (m *Manager) Commands(agent, dir string) []session.SlashCommand {
	if c, ok := m.agent(agent).(session.Commander); ok {
		return c.Commands(dir)
	}
	return nil
}

// AwaitCommands returns a function that waits until [Manager.Commands] returns the commands of an agent in a directory. It is
// nil if the commands are known, or never will be.
func (m *Manager) AwaitCommands(agent, dir string) func(ctx context.Context) error {
	w, ok := m.agent(agent).(session.CommandWaiter)
	if !ok || m.Commands(agent, dir) != nil {
		return nil
	}
	return func(ctx context.Context) error { return w.AwaitCommands(ctx, dir) }
}
