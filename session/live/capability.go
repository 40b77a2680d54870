package live

import (
	"context"
	"errors"
	"slices"
	"sync"

	"parley/internal/crash"
	"parley/session"
)

// Agents describes the agents of new sessions, in order. It may search the disk for runtimes.
func (m *Manager) Agents() []session.AgentInfo {
	all := make([]session.AgentInfo, 0, len(m.d.Agents))
	for _, a := range m.d.Agents {
		if session.Foreign(a.Name()) {
			continue
		}
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
	if _, own := a.(session.Replayer); !own || session.Foreign(agent) {
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

// KeepsLimits reports whether the conversations of an agent keep to their limits; see [local.Bound].
func (m *Manager) KeepsLimits(agent string) bool {
	l, ok := m.agent(agent).(session.LimitKeeper)
	return ok && l.KeepsLimits()
}

// ModeProblem returns why a session of an agent cannot have a mode, because of the agent or the administrator; "" if it can.
func (m *Manager) ModeProblem(agent string, mode session.Mode) string {
	return m.d.problem(m.agent(agent), mode)
}

// Truster returns the store of decisions about the directories of an agent's sessions, nil for an agent that loads nothing
// from directories. A decision discards what was prepared for a prompt in its directory.
func (m *Manager) Truster(agent string) session.RepositoryTruster {
	if t, ok := m.agent(agent).(session.RepositoryTruster); ok {
		return truster{t, m, agent}
	}
	return nil
}

// truster stores decisions about directories of an agent's sessions.
type truster struct {
	session.RepositoryTruster
	m     *Manager
	agent string
}

// Trust records a decision, and returns when nothing is left that was prepared without it.
func (t truster) Trust(ctx context.Context, dir string, items []session.RepositoryItem, yes bool) error {
	err := t.RepositoryTruster.Trust(ctx, dir, items, yes)
	if err == nil {
		Renew(ctx, t.m, t.agent, dir)
	}
	return err
}

// Renew discards what conversations of an agent in a directory prepared, because a decision about the directory is stored, and returns
// when nothing is left of it or ctx ends.
func Renew(ctx context.Context, m *Manager, agent, dir string) {
	for _, s := range m.open() {
		if meta := s.Meta(); meta.Agent != agent || meta.Dir != dir {
			continue
		}
		if done := s.runtime.warmup.renew(); done != nil {
			select {
			case <-done:
			case <-ctx.Done():
				return
			}
		}
	}
}

// Commands returns the known slash commands of an agent in a directory, and the custom prompts there.
func (m *Manager) Commands(agent, dir string) []session.SlashCommand {
	all := m.agentCommands(agent, dir)
	for _, p := range m.promptsOf(agent, dir) {
		if !slices.ContainsFunc(all, func(c session.SlashCommand) bool { return c.Name == p.Name }) {
			all = append(slices.Clip(all), p)
		}
	}
	return all
}

// agentCommands returns the known slash commands of an agent itself.
func (m *Manager) agentCommands(agent, dir string) []session.SlashCommand {
	if c, ok := m.agent(agent).(session.Commander); ok {
		return c.Commands(dir)
	}
	return nil
}

// AwaitCommands returns a function that waits until [Manager.Commands] returns the commands of an agent in a directory. It is
// nil if the commands are known, or never will be.
func (m *Manager) AwaitCommands(agent, dir string) func(ctx context.Context) error {
	var waits []func(ctx context.Context) error
	if l, ok := m.agent(agent).(session.CustomsLister); ok {
		if _, read := m.customs.get(l, customsKey{agent, dir}); !read {
			waits = append(waits, func(ctx context.Context) error { return m.customs.await(ctx, l, customsKey{agent, dir}) })
		}
	}
	if w, ok := m.agent(agent).(session.CommandWaiter); ok && m.agentCommands(agent, dir) == nil {
		waits = append(waits, func(ctx context.Context) error { return w.AwaitCommands(ctx, dir) })
	}
	if len(waits) == 0 {
		return nil
	}
	return func(ctx context.Context) error {
		for _, wait := range waits {
			if err := wait(ctx); err != nil {
				return err
			}
		}
		return nil
	}
}

// Remote returns the agent of that name if it works at a service, else nil.
func (m *Manager) Remote(agent string) session.RemoteAgent {
	r, _ := m.agent(agent).(session.RemoteAgent)
	return r
}

// RemoteName returns the name of the first agent that works at a service, "" if there is none that can be used.
func (m *Manager) RemoteName() string {
	name, _ := m.remote()
	return name
}

// RemoteMissing returns why no agent that works at a service can be used, "" if one can.
func (m *Manager) RemoteMissing() string {
	_, missing := m.remote()
	return missing
}

// remote returns the name of the first agent at a service that can be used, or why there is none.
func (m *Manager) remote() (name, missing string) {
	missing = "The cloud agent isn't available"
	for _, a := range m.d.Agents {
		if _, ok := a.(session.RemoteAgent); !ok {
			continue
		}
		if i, ok := a.(session.Informer); ok && i.Info().Missing != "" {
			missing = session.AgentTitle(a.Name()) + ": " + i.Info().Missing
			continue
		}
		return a.Name(), ""
	}
	return "", missing
}

// Refresh asks the services of all [session.SessionLister]s for their sessions, which [Manager.Listing] returns from then on.
func (m *Manager) Refresh(ctx context.Context) error {
	var wg sync.WaitGroup
	errs := make([]error, len(m.d.Agents))
	for i, a := range m.d.Agents {
		if l, ok := a.(session.SessionLister); ok {
			wg.Go(crash.Guarded(func() { errs[i] = l.Refresh(ctx) }))
		}
	}
	wg.Wait()
	return errors.Join(errs...)
}
