package cli

import (
	"context"
	"errors"
	"log/slog"
	"os/signal"
	"syscall"
	"time"

	"parley/copilot"
	service "parley/copilot/cloud"
	"parley/copilot/title"
	"parley/internal/cli/limits"
	"parley/internal/crash"
	"parley/internal/endpoints"
	"parley/internal/git"
	"parley/proxy"
	"parley/proxy/repair"
	"parley/session"
	"parley/session/host"
	"parley/session/live"
	"parley/session/proc"
	"parley/session/scratch"
	"parley/session/store"
	"parley/ui/core"
	"parley/ui/editor"
)

// services are the parts of one run that holds conversations, wired. Nothing listens and nothing is sent before it is needed.
type services struct {
	agentParts
	manager *live.Manager
	hosts   *host.Manager // has the sessions of a screen that may leave them; nil where they end with this process
	drafts  *store.Drafts
	edits   fileChanges
	// desk has the files that agents want to show the user in an editor.
	desk *editor.Desk
	// stopSweep ends the sweep of changes; nil before it has begun. stopIndex ends the work at the index of sessions.
	stopSweep, stopIndex func()
	binDays              int
	scratch              string // the folder that --scratch made, "" without
	agents               []session.Agent
	capped               *limits.Sessions // of a run with a limit for each session, nil without one
	agent                chosenAgent      // of new sessions
	log                  *slog.Logger
	// check refuses settings that a session of an agent cannot have. ask allows it to ask the service.
	check func(ctx context.Context, agent string, v session.Settings, ask bool) error
}

// run is the kind of run that services are for.
type run struct {
	headless bool // without a screen
	answered bool // asks can be answered, also without a screen
}

// newServices wires what a conversation needs.
func newServices(ctx context.Context, a *app, client *copilot.Client, kind run) (*services, error) {
	rts := &heldRuntimes{Runtimes: a.runtimes(), by: "parley " + programVersion()}
	agent, err := chooseAgent(ctx, a, rts.Runtimes, kind.headless)
	if err != nil {
		return nil, err
	}
	var agents []session.Agent
	models := newCatalog(a, client, func(name string) []string { return aliasesOf(agents, name) })
	o := proxyOptions(a, client)
	o.Quota = models.Observe
	var s *services
	bounds := limits.Keeper(a.source, a.store(), binOf(a))
	o.Admit = func(id string) error { return bounds.Admit(session.ID(id)) }
	o.FellBack = func(f proxy.Fallback) { reportFallback(s.manager, f) }
	s = &services{binDays: a.cfg.Sessions.BinDays, desk: editor.NewDesk(), drafts: store.NewDrafts(a.paths.Composer()), agent: agent, log: a.log, agentParts: agentParts{
		catalog:    models,
		endpoints:  endpoints.New(o),
		processes:  proc.New(proc.Options{Dir: a.paths.Processes(), Log: a.log}),
		runtimes:   rts,
		token:      runtimeToken(a, client),
		unattended: kind.headless && !kind.answered,
		cloud:      newCloud(a, client.Credential, service.New(client)),
	}}
	if !kind.headless && a.demo == nil {
		s.instructions = a.instructed()
	}
	agents = newAgents(a, s.agentParts)
	s.agents = agents
	s.edits = newFileChanges(a, agents)
	s.check = func(ctx context.Context, agent string, v session.Settings, ask bool) error {
		return usageOf(a.cfg, s.catalog.Check(ctx, agent, v, ask))
	}
	onDisk := a.store()
	var journals session.Journals = onDisk
	if kind.headless {
		journals = store.Unsaved{Store: onDisk, Warn: func(err error) {
			a.complain("this run is not saved: " + session.ProblemOf(err, time.Now()).What)
		}}
	}
	tools, err := a.clientTools(s.unattended, s.edits, s.processes, s.desk, func() *live.Manager { return s.manager })
	if err != nil {
		return nil, err
	}
	s.manager = live.NewManager(live.Deps{
		Agents:     agents,
		Journals:   journals,
		Endpoints:  s.endpoints,
		Unattended: s.unattended,
		Titler:     titler(a, client, kind.headless),
		Branch:     func(dir string) string { return git.Branch(ctx, dir) },
		Rules:      a.rules(),
		Modes:      a.rules(),
		Tools:      tools,
		Files:      s.edits.keeper(),
		Index:      indexOf(a),
		Marks:      marksOf(a),
		Bin:        binOf(a),
		Belongings: belongings(a, s.edits),
		Scratch:    scratch.Folders{Root: a.paths.Scratch()},
		Caps:       bounds,
	})
	return s, nil
}

// sessions returns what holds the sessions of this run.
func (s *services) sessions() core.Manager {
	var all core.Manager = s.manager
	if s.hosts != nil {
		all = s.hosts
	}
	if s.capped == nil {
		return all
	}
	s.capped.Manager = all
	return s.capped
}

// titler returns what names sessions, nil for nothing: a run without a screen ends before a title comes.
func titler(a *app, client *copilot.Client, headless bool) session.Titler {
	if headless || !a.cfg.UI.SessionTitles {
		return nil
	}
	return title.New(client)
}

// proxyOptions returns the options of every proxy this program starts.
func proxyOptions(a *app, client *copilot.Client) proxy.Options {
	o := proxy.Options{
		Upstream:  client,
		Log:       a.log,
		UserAgent: userAgent(),
		MaxBody:   int64(a.cfg.Proxy.MaxBodyMiB) << 20,
		Coalesce:  a.cfg.Proxy.Coalesce,
		Fallback:  a.cfg.FallbackModels,
		Repair: repair.Options{
			Off: a.cfg.Proxy.RepairOff, Betas: a.cfg.Proxy.Betas,
			SystemRole: repair.Mode(a.cfg.Proxy.SystemMessages), ImageURL: repair.Mode(a.cfg.Proxy.ImageURLs),
		},
	}
	if o.Coalesce == 0 {
		o.Coalesce = -1 // where 0 stands for the default
	}
	return o
}

// sweep ends in the background what an earlier parley left running when it was killed, and removes copies of files that are
// not needed any more, after a delay.
func (s *services) sweep(ctx context.Context, delay time.Duration) {
	crash.Go(func() {
		if killed, err := s.processes.Sweep(ctx); err != nil || killed > 0 {
			s.log.Info("processes of an earlier run", "ended", killed, "error", err)
		}
	})
	s.stopSweep = s.edits.sweepDaily(ctx, delay, s.manager, s.log)
	s.stopIndex = indexSessions(ctx, s.manager, s.binDays, s.log)
}

// closeTime is the time that sessions have to end before the program exits anyway.
const closeTime = 10 * time.Second

// close ends sessions first, what is left of their processes next, and the proxy after them. It is bounded and ignores that
// ctx has ended. A second signal ends the program at once.
func (s *services) close(ctx context.Context) {
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	end, stop := signal.NotifyContext(end, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if s.stopSweep != nil {
		s.stopSweep()
	}
	if s.stopIndex != nil {
		s.stopIndex()
	}
	closing := s.manager.Close
	if s.hosts != nil {
		closing = s.hosts.Close // and what it reads stored sessions with
	}
	err := closing(end)
	if s.scratch != "" {
		s.manager.Forsake(end, s.scratch)
	}
	for _, agent := range s.agents {
		if c, ok := agent.(interface{ Close(context.Context) error }); ok { // it has a process for all its sessions
			err = errors.Join(err, c.Close(end))
		}
	}
	err = errors.Join(err, s.processes.Close())
	s.runtimes.release()
	if err := errors.Join(err, s.endpoints.Shutdown(end), s.drafts.Close()); err != nil {
		s.log.Warn("closing took too long or failed", "error", err)
	}
}
