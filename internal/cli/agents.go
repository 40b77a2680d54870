package cli

import (
	"encoding/json"
	"time"

	"parley/internal/endpoints"
	"parley/session"
	"parley/session/builtin"
	"parley/session/catalog"
	"parley/session/claude"
	"parley/session/proc"
	"parley/session/runtimes"
	"parley/session/trust"
)

// longestTemp bounds the path of the directory for a runtime's sockets, in bytes: a socket's own path may have about 100.
const longestTemp = 70

// chosenAgent is the agent of new sessions.
type chosenAgent struct {
	name    string
	notices []string // about the choice, for the user
	// missing is why Claude Code, which was not asked for by name, was not chosen; empty if it was, or was not wanted.
	missing string
}

// chooseAgent returns the agent of new sessions: the configured one, else Claude Code if its runtime is there, else the builtin
// one. It starts no process. Each notice about runtimes is reported once; `parley runtimes list` repeats them.
func chooseAgent(a *app, rts *runtimes.Runtimes, unattended bool) (chosenAgent, error) {
	want := a.cfg.Agent
	switch {
	case want == "builtin" || a.demo != nil:
		return chosenAgent{name: "builtin"}, nil
	case want != "auto" && want != "claude":
		return chosenAgent{}, usagef("the agent %s is not part of this version yet; use --agent builtin or --agent claude", want)
	}
	found, err := rts.Find("claude")
	c := chosenAgent{name: "claude"}
	audience := "chat"
	if unattended {
		audience = "headless"
	}
	for _, n := range rts.NewNotices(audience, found.Notices) {
		c.notices = append(c.notices, n.Text)
	}
	switch {
	case err == nil:
		return c, nil
	case want == "claude" || a.cfg.Claude.Path != "":
		return chosenAgent{}, runtimeProblem("start Claude Code", err)
	}
	c.name, c.missing = "builtin", session.ProblemOf(runtimeProblem("find Claude Code", err), time.Now()).What
	return c, nil
}

// agentParts are what agents share with the rest of the program.
type agentParts struct {
	catalog   *catalog.Catalog
	endpoints *endpoints.Endpoints
	processes *proc.Group
	runtimes  *heldRuntimes
	// instructions is what the user said about instructions of projects. Nil: nobody can be asked, and they are used.
	instructions *trust.Store
}

// truster returns the store of instructions as builtin takes it: a nil pointer in an interface is not nil.
func (p agentParts) truster() session.RepositoryTruster {
	if p.instructions == nil {
		return nil
	}
	return p.instructions
}

// newAgents makes all agents that sessions can have. Those whose runtime is missing can still list and show theirs. The demo
// has only the builtin one, because the sessions of the others are the user's.
func newAgents(a *app, p agentParts) []session.Agent {
	home := a.getenv("HOME")
	own, decisions := a.decisions()
	trusted := a.trusted(decisions)
	agents := []session.Agent{builtin.New(builtin.Options{
		Repository:  p.truster(),
		Trusted:     func(dir string) bool { return p.instructions == nil || trusted(dir) || p.instructions.Permits(dir) },
		LSP:         a.languageServers(trusted),
		Processes:   p.processes,
		Models:      p.catalog.Models,
		ConfigDir:   a.paths.Config,
		OutputDir:   a.paths.Outputs(),
		BashTimeout: a.cfg.Tools.BashTimeout,
		Environ:     a.environ,
		PassEnv:     a.cfg.Tools.PassEnv,
		MaxRounds:   a.cfg.Tools.MaxRounds,
		Home:        home,
		Version:     programVersion(),
		Rules:       a.rulesFor,
	})}
	if a.demo != nil {
		return agents
	}
	temp := a.paths.Temp()
	if len(temp) > longestTemp {
		temp = ""
	}
	return append(agents, claude.New(claude.Options{
		Repository: decisions,
		OwnServers: func(dir string) json.RawMessage { return trust.OwnServers(own(), dir, home) },
		Trusted:    trusted,
		Runtime:    p.runtimes.claude,
		Found: func() (string, error) {
			found, err := p.runtimes.Find("claude")
			return found.Version, err
		},
		Models:     p.catalog.Models,
		ConfigDir:  a.cfg.Claude.ConfigDir,
		Home:       home,
		TempDir:    temp,
		Environ:    a.environ,
		PassEnv:    a.cfg.Tools.PassEnv,
		HookEvents: a.cfg.Claude.HookEvents,
		Spent:      p.endpoints.Spent,
		Processes:  p.processes,
		Log:        a.log,
		Rules:      a.rulesFor,
	}))
}
