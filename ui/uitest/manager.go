package uitest

import (
	"context"

	"parley/session"
	"parley/session/live"
	"parley/ui"
)

// Manager is the manager of a screen, with answers that tests replace: each function that is not nil. Without Forks no
// session can be copied, without Infos no agent is listed.
type Manager struct {
	*live.Manager
	Forks    func(ctx context.Context, id session.ID, upTo session.TurnID) (*live.Session, error)
	Infos    func() []session.AgentInfo
	Modes    func(agent string, m session.Mode) string
	Trusters func(agent string) session.RepositoryTruster
	Slashes  func(agent, dir string) []session.SlashCommand
	Awaits   func(agent, dir string) func(ctx context.Context) error
	Custom   func(ctx context.Context, agent, dir string) session.Customs
	Past     func(ctx context.Context, yield func([]session.PastPrompt) bool) error
	Steering bool
}

// managerOf returns the manager of a screen that is about to start.
func managerOf(o *ui.Options) *Manager { return o.Manager.(*Manager) }

// CanFork reports whether Forks is set.
func (m *Manager) CanFork(string) bool { return m.Forks != nil }

// Fork calls Forks.
func (m *Manager) Fork(ctx context.Context, id session.ID, upTo session.TurnID) (*live.Session, error) {
	return m.Forks(ctx, id, upTo)
}

// Prompts calls Past.
func (m *Manager) Prompts(ctx context.Context, dir string, yield func([]session.PastPrompt) bool) error {
	if m.Past == nil {
		return m.Manager.Prompts(ctx, dir, yield)
	}
	return m.Past(ctx, yield)
}

// Steers returns Steering.
func (m *Manager) Steers(string) bool { return m.Steering }

// Agents calls Infos.
func (m *Manager) Agents() []session.AgentInfo {
	if m.Infos == nil {
		return nil
	}
	return m.Infos()
}

// ModeProblem calls Modes.
func (m *Manager) ModeProblem(agent string, mode session.Mode) string {
	if m.Modes == nil {
		return m.Manager.ModeProblem(agent, mode)
	}
	return m.Modes(agent, mode)
}

// Truster calls Trusters.
func (m *Manager) Truster(agent string) session.RepositoryTruster {
	if m.Trusters == nil {
		return m.Manager.Truster(agent)
	}
	return m.Trusters(agent)
}

// TakesCustoms reports whether Custom is set.
func (m *Manager) TakesCustoms(agent string) bool {
	return m.Custom != nil || m.Manager.TakesCustoms(agent)
}

// Customs calls Custom.
func (m *Manager) Customs(ctx context.Context, agent, dir string) session.Customs {
	if m.Custom == nil {
		return m.Manager.Customs(ctx, agent, dir)
	}
	return m.Custom(ctx, agent, dir)
}

// Commands calls Slashes.
func (m *Manager) Commands(agent, dir string) []session.SlashCommand {
	if m.Slashes == nil {
		return m.Manager.Commands(agent, dir)
	}
	return m.Slashes(agent, dir)
}

// AwaitCommands calls Awaits.
func (m *Manager) AwaitCommands(agent, dir string) func(ctx context.Context) error {
	if m.Awaits == nil {
		return m.Manager.AwaitCommands(agent, dir)
	}
	return m.Awaits(agent, dir)
}

// Keeper keeps every rule, and forgets it.
type Keeper struct{}

// KeepRule keeps the rule of an answer.
func (Keeper) KeepRule(string, *session.PermissionAsk, session.Answer) error { return nil }
