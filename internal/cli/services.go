package cli

import (
	"context"
	"errors"
	"log/slog"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"parley/copilot"
	"parley/copilot/login"
	"parley/internal/gitdir"
	"parley/proxy"
	"parley/proxy/repair"
	"parley/session"
	"parley/session/live"
	"parley/session/proc"
	"parley/session/runtimes"
	"parley/session/store"
)

// services are the parts of one run, wired. Nothing is listened on and nothing is sent before it is needed.
type services struct {
	client    *copilot.Client
	endpoints *endpoints
	store     *store.Store
	drafts    *store.Drafts
	manager   *live.Manager
	catalog   keptCatalog
	// check refuses settings of an agent's session that cannot be; how long it takes for that depends on who asks.
	check     func(ctx context.Context, agent string, v session.Settings) error
	allowance *allowance
	agents    []session.Agent
	agent     chosenAgent // of new sessions
	runtimes  *runtimes.Runtimes
	processes *proc.Group // nil if no agent has any
	log       *slog.Logger

	mu      sync.Mutex
	held    string   // the runtime that is kept from being removed
	release []func() // what lets it go
}

// credential finds the GitHub token, or says where it was looked for.
func (a *app) credential(ctx context.Context) (login.Credential, error) {
	if a.demoToken != "" {
		return login.Credential{Token: login.NewSecret(a.demoToken), Source: "the demo", Host: "github.com"}, nil
	}
	return login.Find(ctx, login.FindOptions{Host: a.cfg.GitHubHost, Getenv: a.getenv, TokenFile: a.tokenFile()})
}

func (a *app) newClient(cred login.Credential) (*copilot.Client, error) {
	var authorities []string
	if a.cfg.API.CAFile != "" {
		authorities = []string{a.cfg.API.CAFile}
	}
	c, err := copilot.New(copilot.Options{
		Credential:    cred,
		Getenv:        a.getenv,
		RootCAs:       authorities,
		GitHubAPIURL:  a.cfg.GitHubAPIURL,
		CopilotAPIURL: a.cfg.CopilotAPIURL,
		IntegrationID: a.cfg.API.IntegrationID,
		EditorVersion: a.cfg.API.EditorVersion,
		APIVersion:    a.cfg.API.APIVersion,
		UserAgent:     userAgent(),
		StallAfter:    a.cfg.API.StallAfter,
		Renew:         a.credential,
		LoginStamp:    func() string { return login.Stamp(string(a.tokenFile())) },
	})
	if err != nil {
		return nil, err
	}
	a.closers = append(a.closers, c.Close)
	return c, nil
}

func userAgent() string { return "parley/" + programVersion() }

// signedIn finds the credential and makes the client for it.
func (a *app) signedIn(ctx context.Context) (*copilot.Client, error) {
	cred, err := a.credential(ctx)
	if err != nil {
		return nil, err
	}
	return a.newClient(cred)
}

// newServices wires everything a conversation needs.
func (a *app) newServices(ctx context.Context, client *copilot.Client, unattended bool) (*services, error) {
	rts := a.runtimes()
	agent, err := a.chooseAgent(rts, unattended)
	if err != nil {
		return nil, err
	}
	left := &allowance{}
	s := &services{
		client:    client,
		endpoints: &endpoints{app: a, client: client, allowance: left},
		store:     a.newStore(),
		drafts:    store.NewDrafts(a.paths.Composer()),
		catalog:   keptCatalog{catalog{client: client, seen: left}, a.choicesFile(client), a},
		allowance: left,
		agent:     agent,
		runtimes:  rts,
		log:       a.log,
	}
	s.agents = a.newAgents(s, unattended)
	var journals session.Journals = s.store
	if unattended {
		journals = unsavedJournals{s.store, func(err error) {
			a.complain("this run is not saved: " + session.ProblemOf(err, time.Now()).What)
		}}
	}
	s.manager = live.NewManager(live.Deps{
		Agents:     s.agents,
		Journals:   journals,
		Endpoints:  s.endpoints,
		Unattended: unattended,
		Branch:     func(dir string) string { return gitdir.Branch(ctx, dir) },
	})
	return s, nil
}

func (a *app) newStore() *store.Store {
	return store.New(store.Options{Dir: a.paths.Sessions(), LockDir: a.paths.Locks(), Loading: saveMemory})
}

// longJournal is how many bytes a journal has, at least, for which memory is saved.
const longJournal = 16 << 20

// saveMemory makes the collector come more often once a long session is about to be in memory: with Go's own setting the
// program would grow to twice what the session needs before anything is collected.
func saveMemory(bytes int64) {
	if bytes >= longJournal {
		debug.SetGCPercent(10)
	}
}

// close ends sessions first, what is left of their processes next, and the proxy after them.
func (s *services) close(ctx context.Context) error {
	err := s.manager.Close(ctx)
	if s.processes != nil {
		err = errors.Join(err, s.processes.Close())
	}
	s.mu.Lock()
	release := s.release
	s.release = nil
	s.mu.Unlock()
	for _, let := range release {
		let()
	}
	return errors.Join(err, s.endpoints.close(ctx), s.drafts.Close())
}

// sweep ends in the background what an earlier parley left running when it was killed.
func (s *services) sweep(ctx context.Context) {
	if s.processes == nil {
		return
	}
	go func() {
		if killed, err := s.processes.Sweep(ctx); err != nil || killed > 0 {
			s.log.Info("processes of an earlier run", "ended", killed, "error", err)
		}
	}()
}

// endpoints gives each session a bearer of the proxy, which it starts for the first. It is safe for concurrent use.
type endpoints struct {
	app       *app
	client    *copilot.Client
	allowance *allowance

	mu     sync.Mutex
	server *proxy.Server
	closed bool
}

// Open makes the session's bearer.
func (e *endpoints) Open(ctx context.Context, id session.ID) (session.Endpoint, error) {
	return e.OpenFor(ctx, id, "")
}

// claudeWindow is the least window of the streams that go to the Claude Code runtime, which takes 2 ms of CPU time and more
// for every few events. It is no longer than a frame of a screen that is drawn 30 times a second.
const claudeWindow = 33 * time.Millisecond

// OpenFor makes the bearer of a session with an agent. A runtime that makes one line of text of an error gets what would
// be lost in that along with it.
func (e *endpoints) OpenFor(_ context.Context, id session.ID, agent string) (session.Endpoint, error) {
	srv, err := e.start()
	if err != nil {
		return session.Endpoint{}, err
	}
	var options []proxy.OpenOption
	if agent == "claude" {
		options = append(options, proxy.WithMarker(), proxy.WithWindow(max(claudeWindow, e.app.cfg.Proxy.Coalesce)))
	}
	bearer, err := srv.Open(string(id), options...)
	if err != nil {
		return session.Endpoint{}, err
	}
	return session.Endpoint{BaseURL: srv.URL(), Bearer: bearer}, nil
}

// spent returns what the session's requests have cost, in nano AI units.
func (e *endpoints) spent(id session.ID) int64 {
	e.mu.Lock()
	srv := e.server
	e.mu.Unlock()
	if srv == nil {
		return 0
	}
	return srv.Spent(string(id)).NanoAIU
}

func (e *endpoints) start() (*proxy.Server, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, errors.New("the proxy is closed")
	}
	if e.server == nil {
		o := e.app.proxyOptions(e.client)
		o.Quota = e.allowance.answer
		srv, err := proxy.Start(o)
		if err != nil {
			return nil, err
		}
		e.server = srv
	}
	return e.server, nil
}

// Close makes the session's bearer useless.
func (e *endpoints) Close(id session.ID) {
	e.mu.Lock()
	srv := e.server
	e.mu.Unlock()
	if srv != nil {
		srv.Revoke(string(id))
	}
}

func (e *endpoints) close(ctx context.Context) error {
	e.mu.Lock()
	srv := e.server
	e.closed, e.server = true, nil
	e.mu.Unlock()
	if srv == nil {
		return nil
	}
	return srv.Close(ctx)
}

// proxyOptions are those of every proxy this program starts.
func (a *app) proxyOptions(client *copilot.Client) proxy.Options {
	o := proxy.Options{
		Upstream:  client,
		Log:       a.log,
		UserAgent: userAgent(),
		MaxBody:   int64(a.cfg.Proxy.MaxBodyMiB) << 20,
		Coalesce:  a.cfg.Proxy.Coalesce,
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

// closeSoon closes the services within a bound, whatever became of ctx. A second signal ends the program at once.
func (s *services) closeSoon(ctx context.Context) {
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	end, stop := signal.NotifyContext(end, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := s.close(end); err != nil {
		s.log.Warn("closing took too long or failed", "error", err)
	}
}

// closeTime is how long sessions get to end before the program goes anyway.
const closeTime = 10 * time.Second
