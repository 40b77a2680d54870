package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"parley/session"
	"parley/session/builtin"
	"parley/session/claude"
	"parley/session/proc"
	"parley/session/runtimes"
	"parley/session/trust"
	"parley/ui/chat"
)

// longestTemp is how long the path of the directory for a runtime's sockets may be, whose own paths may have about 100
// bytes.
const longestTemp = 70

// chosenAgent is the agent of new sessions.
type chosenAgent struct {
	name    string
	notices []string // what the user should hear about how it was chosen
	// missing says why Claude Code, which was not asked for by name, is not it; empty if it is, or was not wanted.
	missing string
}

// chooseAgent says which agent a new session gets: the one that was asked for, else Claude Code if its runtime is there,
// else the builtin one. No process is started for that. What there
// is to say about runtimes is said once, and by `parley runtimes list` at any time.
func (a *app) chooseAgent(rts *runtimes.Runtimes, unattended bool) (chosenAgent, error) {
	want := a.cfg.Agent
	switch {
	case want == "builtin" || a.demoToken != "":
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
	for _, n := range rts.Untold(audience, found.Notices) {
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

// runtimeProblem is an error about a runtime as the session domain knows it.
func runtimeProblem(op string, err error) error {
	if errors.Is(err, context.Canceled) {
		return &session.Error{Op: op, Kind: session.KindCancelled, Err: err}
	}
	return &session.Error{Op: op, Kind: session.KindRuntime, Err: err}
}

// newAgents makes all agents that sessions can have. Those whose runtime is not there can still list and show theirs. The
// demo has only the builtin one, because the sessions of the others are the user's.
func (a *app) newAgents(s *services, unattended bool) []session.Agent {
	s.processes = proc.New(proc.Options{Dir: filepath.Join(a.paths.State, "processes"), Log: a.log})
	agents := []session.Agent{builtin.New(builtin.Options{
		Processes:   s.processes,
		Models:      s.catalog.Models,
		ConfigDir:   a.paths.Config,
		OutputDir:   filepath.Join(a.paths.Cache, "outputs"),
		BashTimeout: a.cfg.Tools.BashTimeout,
		Environ:     a.environ,
		PassEnv:     a.cfg.Tools.PassEnv,
		MaxRounds:   a.cfg.Tools.MaxRounds,
		Home:        a.getenv("HOME"),
		Version:     programVersion(),
	})}
	if a.demoToken != "" {
		return agents
	}
	temp := filepath.Join(a.paths.State, "tmp")
	if len(temp) > longestTemp {
		temp = ""
	}
	home := a.getenv("HOME")
	own := func() string {
		return trust.UserConfig(cmp.Or(a.cfg.Claude.ConfigDir, a.getenv("CLAUDE_CONFIG_DIR")), home)
	}
	decisions := trust.New(trust.Options{Dir: filepath.Join(a.paths.Data, "trust"), Home: home, UserConfig: own})
	return append(agents, claude.New(claude.Options{
		Repository: decisions,
		OwnServers: func(dir string) json.RawMessage { return trust.OwnServers(own(), dir, home) },
		Trusted: func(dir string) bool {
			yes, err := decisions.Trusted(dir)
			if err != nil {
				a.log.Warn("look whether a directory is trusted", "dir", dir, "error", err)
			}
			return yes && err == nil
		},
		Runtime: s.claudeRuntime,
		Found: func() (string, error) {
			found, err := s.runtimes.Find("claude")
			return found.Version, err
		},
		Models:     s.catalog.Models,
		ConfigDir:  a.cfg.Claude.ConfigDir,
		Home:       a.getenv("HOME"),
		TempDir:    temp,
		Environ:    a.environ,
		PassEnv:    a.cfg.Tools.PassEnv,
		HookEvents: a.cfg.Claude.HookEvents,
		Titles:     !unattended,
		Spent:      s.endpoints.spent,
		Processes:  s.processes,
		Log:        a.log,
	}))
}

// claudeRuntime finds the Claude Code runtime that a process is started with, and keeps it from being removed.
func (s *services) claudeRuntime(ctx context.Context) (claude.Program, error) {
	const op = "start Claude Code"
	found, err := s.runtimes.Resolve(ctx, "claude")
	if err != nil {
		return claude.Program{}, runtimeProblem(op, err)
	}
	if err := s.hold(ctx, found.Runtime); err != nil {
		return claude.Program{}, runtimeProblem(op, err)
	}
	return claude.Program{Argv: found.Argv, Version: found.Version}, nil
}

// hold keeps a runtime from being removed as long as this program runs. It may have to wait for another parley, so no lock
// is held meanwhile: two that come at once may both hold it, which does no harm.
func (s *services) hold(ctx context.Context, rt runtimes.Runtime) error {
	s.mu.Lock()
	held := s.held == rt.Path
	s.mu.Unlock()
	if held {
		return nil
	}
	release, err := s.runtimes.Hold(ctx, rt, fmt.Sprintf("parley %s", programVersion()))
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held = rt.Path
	s.release = append(s.release, release)
	return nil
}

// offer is what the screen can install: Claude Code, if nobody has chosen to do without.
func (s *services) offer() *chat.RuntimeOffer {
	if s.agent.missing == "" {
		return nil
	}
	const name = "claude"
	return &chat.RuntimeOffer{Name: name, Title: "Claude Code", Bytes: s.runtimes.DownloadSize(name, ""),
		Install: func(ctx context.Context, progress func(chat.InstallProgress)) error {
			return s.install(ctx, name, progress)
		}}
}

// installStages says in words what an installation is doing.
var installStages = map[runtimes.Stage]string{
	runtimes.StageWaiting:     "waiting for another parley",
	runtimes.StageAsking:      "asking npm",
	runtimes.StageDownloading: "downloading",
	runtimes.StageUnpacking:   "unpacking",
	runtimes.StageDone:        "checking",
}

// install installs a runtime for the screen.
func (s *services) install(ctx context.Context, name string, progress func(chat.InstallProgress)) error {
	_, err := s.runtimes.Install(ctx, name, "", func(p runtimes.Progress) {
		progress(chat.InstallProgress{Stage: installStages[p.Stage], Done: p.Done, Total: p.Total, PerSecond: p.PerSecond, Left: p.Left})
	})
	if err != nil {
		return runtimeProblem("install "+name, err)
	}
	return nil
}

// noticeLine joins what the user should hear at the start.
func noticeLine(texts ...string) string {
	var out []string
	for _, t := range texts {
		if t != "" {
			out = append(out, strings.TrimSuffix(t, ".")+".")
		}
	}
	return strings.Join(out, " ")
}
