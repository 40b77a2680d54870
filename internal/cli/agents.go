package cli

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"parley/copilot"
	"parley/internal/endpoints"
	"parley/session"
	"parley/session/builtin"
	"parley/session/builtin/instruct"
	"parley/session/catalog"
	"parley/session/claude"
	"parley/session/cloud"
	copilotcli "parley/session/copilot"
	"parley/session/extensions"
	"parley/session/extensions/plugin"
	"parley/session/mcp/signin"
	"parley/session/proc"
	"parley/session/runtimes"
	"parley/session/trust"
)

// maxTemp bounds the path of the directory for a runtime's sockets, in bytes: a socket's own path may have about 100.
const maxTemp = 70

// chosenAgent is the agent of new sessions.
type chosenAgent struct {
	name    string
	notices []string // about the choice, for the user
	// missing is the reason why no agent with a runtime was chosen, if one was wanted; empty if one was.
	missing string
}

// chooseAgent returns the agent of new sessions: the configured one, else the first whose runtime is there, else the builtin
// one. A program that nothing but its name makes a runtime is asked for its version before it is preferred to another agent.
// Each notice about runtimes is reported once; `parley runtimes list` repeats them.
func chooseAgent(ctx context.Context, a *app, rts *runtimes.Runtimes, unattended bool) (chosenAgent, error) {
	want, builtin := a.cfg.Agent, chosenAgent{name: "builtin"}
	if want == builtin.name || a.demo != nil {
		return builtin, nil
	}
	if want == cloud.Name {
		return chosenAgent{name: want}, nil
	}
	paths := map[string]string{"claude": a.cfg.Claude.Path, "copilot": a.cfg.Copilot.Path}
	for _, name := range runtimes.Names() {
		if want != "auto" && want != name {
			continue
		}
		found, err := rts.Find(name)
		if err == nil && found.Version == "" && want == "auto" {
			found, err = rts.Resolve(ctx, name)
		}
		c := chosenAgent{name: name, notices: newNotices(rts, found.Notices, unattended)}
		title := runtimes.Title(name)
		switch {
		case err == nil:
			return c, nil
		case want == name || paths[name] != "":
			return chosenAgent{}, runtimeProblem("start "+title, err)
		}
		builtin.notices = append(builtin.notices, c.notices...)
		if builtin.missing == "" {
			builtin.missing = session.ProblemOf(runtimeProblem("find "+title, err), time.Now()).What
		}
	}
	return builtin, nil
}

// newNotices returns the texts of notices that the user has not seen.
func newNotices(rts *runtimes.Runtimes, all []runtimes.Notice, unattended bool) []string {
	audience := "chat"
	if unattended {
		audience = "headless"
	}
	var texts []string
	for _, n := range rts.NewNotices(audience, all) {
		texts = append(texts, n.Text)
	}
	return texts
}

// agentParts holds the parts that agents share with the rest of the program.
type agentParts struct {
	catalog   *catalog.Catalog
	endpoints *endpoints.Endpoints
	processes *proc.Group
	runtimes  *heldRuntimes
	// token returns the GitHub token for the Copilot runtime, which signs in by itself. Nil: its requests go through the proxy.
	token func(context.Context) (string, error)
	// unattended reports whether nobody answers.
	unattended bool
	// cloud is GitHub's cloud agent.
	cloud *cloud.Agent
	// instructions has the user's decisions about the instructions of projects. If it is nil, they are used without a question.
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
	own, decisions := a.decisions()
	trusted := a.trusted(decisions)
	agents := []session.Agent{newBuiltin(a, p, trusted)}
	if a.demo != nil {
		return agents
	}
	return append(append(append(agents, newClaude(a, p, own, decisions, trusted), newCopilot(a, p)), foreignOf(a)...), p.cloud)
}

// newBuiltin makes parley's own agent.
func newBuiltin(a *app, p agentParts, trusted func(dir string) bool) session.Agent {
	servers, ofAgent := a.servers(a.trusted(a.instructed()))
	return builtin.New(builtin.Options{
		Customs:    a.builtinCustoms(trusted),
		Repository: p.truster(),
		Trusted:    func(dir string) bool { return p.instructions == nil || trusted(dir) || p.instructions.Permits(dir) },
		LSP:        a.languageServers(trusted),
		Skills:     a.skills(a.trusted(a.instructed())),
		Styles:     a.styles(),
		Servers:    servers, AgentServers: ofAgent,
		SignIns:     &signin.Store{File: a.paths.SignIns()},
		Hooks:       a.hooks(a.instructed().Permits),
		Off:         here(a).Off,
		HooksPass:   a.cfg.Builtin.HookTimeout == "pass",
		Processes:   p.processes,
		Models:      p.catalog.Models,
		ConfigDir:   a.paths.Config,
		OutputDir:   a.paths.Outputs(),
		BashTimeout: a.cfg.Tools.BashTimeout,
		Environ:     a.environ,
		Terminals:   a.terminals,
		PassEnv:     a.cfg.Tools.PassEnv,
		MaxRounds:   a.cfg.Tools.MaxRounds,
		Home:        a.getenv("HOME"),
		Version:     programVersion(),
		Unattended:  p.unattended,
		Rules:       a.rulesFor,
	})
}

// newClaude makes the agent that drives Claude Code. own finds the user's file of servers.
func newClaude(a *app, p agentParts, own func() string, decisions *trust.Store, trusted func(dir string) bool) session.Agent {
	home, temp, found := a.getenv("HOME"), a.paths.Temp(), plugins(a, nil)
	links := temp
	if len(temp) > maxTemp {
		temp = ""
	}
	return claude.New(claude.Options{
		Repository: decisions,
		OwnServers: func(dir string) json.RawMessage {
			return trust.OwnServers(own(), dir, home, found.FolderServers(context.Background(), plugin.Claude))
		},
		Described:    describedServers(extensions.Places{Home: home, Claude: own, Environ: a.environ, Plugins: found.Servers}, trusted, ".mcp.json"),
		Trusted:      trusted,
		Customs:      a.runtimeCustoms(trusted),
		Skills:       a.skills(trusted),
		Plugins:      func(ctx context.Context) []string { return found.Folders(ctx, plugin.Claude) },
		Extends:      extends(a, "claude"),
		Off:          here(a).Off,
		Instructions: func(ctx context.Context, dir string) string { return instruct.Unread(ctx, home, dir) },
		Runtime:      p.runtimes.claude,
		Found: func() (string, error) {
			found, err := p.runtimes.Find("claude")
			return found.Version, err
		},
		Models:     p.catalog.Models,
		ConfigDir:  a.cfg.Claude.ConfigDir,
		Home:       home,
		TempDir:    temp,
		LinkDir:    links,
		Environ:    a.environ,
		Terminals:  a.terminals,
		PassEnv:    a.cfg.Tools.PassEnv,
		HookEvents: a.cfg.Claude.HookEvents,
		Spent:      p.endpoints.Spent,
		Settle:     p.endpoints.Settle,
		Processes:  p.processes,
		Log:        a.log,
		Rules:      a.rulesFor,
	})
}

// newCopilot makes the agent that drives the Copilot runtime.
func newCopilot(a *app, p agentParts) session.Agent {
	servers, copilotDecisions := a.copilotDecisions()
	_, home := a.runtimeHomes()
	found := plugins(a, nil)
	return copilotcli.New(copilotcli.Options{
		Repository: copilotDecisions,
		Trusted:    a.trusted(copilotDecisions),
		Servers:    servers,
		Described: describedServers(extensions.Places{Home: a.getenv("HOME"), Copilot: home, Environ: a.environ, Plugins: found.Servers},
			a.trusted(copilotDecisions), ""),
		Customs:   a.runtimeCustoms(a.trusted(copilotDecisions)),
		SkillDirs: a.skills(nil).Own(),
		Plugins:   func(ctx context.Context) []string { return found.Folders(ctx, plugin.Copilot) },
		Extends:   extends(a, "copilot"),
		Off:       here(a).Off,
		Runtime:   p.runtimes.copilot,
		Found: func() (string, error) {
			found, err := p.runtimes.Find("copilot")
			return found.Version, err
		},
		Models:    p.catalog.Models,
		Token:     p.token,
		APIURL:    a.cfg.CopilotAPIURL,
		GitHubURL: a.cfg.GitHubAPIURL,
		Home:      a.cfg.Copilot.Home,
		UserHome:  a.getenv("HOME"),
		Environ:   copilotEnviron(a),
		Terminals: a.terminals,
		PassEnv:   a.cfg.Tools.PassEnv,
		Spent:     p.endpoints.Spent,
		Settle:    p.endpoints.Settle,
		Processes: p.processes,
		Log:       a.log,
		Rules:     a.rulesFor,
	})
}

// runtimeToken returns what gives the Copilot runtime the GitHub token of the login, nil if the configuration sends its requests
// through the proxy.
func runtimeToken(a *app, client *copilot.Client) func(context.Context) (string, error) {
	if a.cfg.Copilot.Traffic != "direct" {
		return nil
	}
	return func(context.Context) (string, error) { return client.Credential().Token.Reveal(), nil }
}

// copilotEnviron returns the environment of the Copilot runtime: the user's, with the host whose token it gets, and the configured
// certificate authorities. Without the first, GH_HOST would choose another host for that token.
func copilotEnviron(a *app) []string {
	environ := append(slices.Clone(a.environ), "COPILOT_GH_HOST="+a.cfg.GitHubHost)
	if a.cfg.API.CAFile != "" && a.getenv("NODE_EXTRA_CA_CERTS") == "" {
		environ = append(environ, "NODE_EXTRA_CA_CERTS="+a.cfg.API.CAFile)
	}
	return environ
}
