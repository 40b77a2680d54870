package catalog

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"parley/copilot"
	"parley/session"
)

// Options describes a catalog. The zero value stores nothing on disk.
type Options struct {
	// Path is the file that stores the models for the next start; empty: none.
	Path string
	// Service tells apart logins with equal credentials at different services.
	Service string
	// EffortForAnyModel accepts an effort that the session's model does not support, if another model does: the user
	// did not choose it for this model.
	EffortForAnyModel bool
	// Aliases returns the model names that an agent knows in addition to those of the service; nil: none.
	Aliases func(agent string) []string
	// Log receives problems with the file; nil: none are logged.
	Log *slog.Logger
}

// Catalog lists what a login can use. It is safe for concurrent use.
type Catalog struct {
	o      Options
	client *copilot.Client
	file   *choicesFile // nil without a path
	left   allowance
}

var (
	_ session.Catalog         = (*Catalog)(nil)
	_ session.QuotaReporter   = (*Catalog)(nil)
	_ session.SettingsChecker = (*Catalog)(nil)
	_ session.TermsAccepter   = (*Catalog)(nil)
)

// New returns the catalog of a client's login. It reads and sends nothing.
func New(client *copilot.Client, o Options) *Catalog {
	if o.Aliases == nil {
		o.Aliases = func(string) []string { return nil }
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	c := &Catalog{o: o, client: client}
	if o.Path != "" {
		cred := client.Credential()
		c.file = &choicesFile{path: o.Path, login: strings.Join([]string{cred.Host, cred.Source, o.Service}, " ")}
	}
	return c
}

// Models returns the chat models of the login, the default first and the others in the service's order. It stores them for
// the next start. Errors are of package session.
func (c *Catalog) Models(ctx context.Context) ([]session.Model, error) {
	list, err := c.client.Models(ctx)
	if err != nil {
		return nil, Error(err)
	}
	c.store(list)
	return sessionModels(list), nil
}

// AcceptTerms agrees to the terms of a model for the account, once for all its clients.
func (c *Catalog) AcceptTerms(ctx context.Context, model string) error {
	return Error(copilot.AcceptModel(ctx, c.client, model))
}

// Account returns the signed-in account and its plan as far as discovery knows them: nothing where the endpoint is configured,
// which needs none. Errors are of package session.
func (c *Catalog) Account(ctx context.Context) (session.Account, error) {
	return c.accountOf(c.client.User(ctx))
}

// AskAccount is [Catalog.Account] for a command that is about the account: it asks GitHub where discovery is not needed, too.
func (c *Catalog) AskAccount(ctx context.Context) (session.Account, error) {
	return c.accountOf(c.client.AskUser(ctx))
}

func (c *Catalog) accountOf(u copilot.User, err error) (session.Account, error) {
	if err != nil {
		return session.Account{}, Error(err)
	}
	cred := c.client.Credential()
	acc := session.Account{Login: u.Login, Plan: u.Plan, Source: cred.Source, Host: cred.Host}
	for _, q := range u.Quotas {
		acc.Quotas = append(acc.Quotas, session.Quota{
			Name: q.ID, Unit: quotaUnit(q.ID, u.TokenBilling), Entitlement: q.Entitlement, Remaining: q.Remaining, Percent: q.Percent,
			Unlimited: q.Unlimited, Overage: q.OverageAllowed, ResetsAt: q.Reset,
		})
	}
	c.left.account(acc)
	return acc, nil
}

// Quotas returns the newest figures for the plan, by name. It returns at once.
func (c *Catalog) Quotas() []session.Quota { return c.left.Quotas() }

// Observe records the quotas in the header of an answer of the service.
func (c *Catalog) Observe(h http.Header) { c.left.answer(h) }

// Check returns what is wrong with the model or the effort of an agent's session, nil if nothing is known to be wrong.
// It checks the stored models; if they refuse or are missing, and ask is set, it asks the service.
func (c *Catalog) Check(ctx context.Context, agent string, s session.Settings, ask bool) *Wrong {
	if s.Model == "" && s.Effort == "" {
		return nil
	}
	known, aliases := c.file.load(time.Now()), c.o.Aliases(agent)
	wrong := known.wrong(aliases, s, c.o.EffortForAnyModel)
	switch {
	case !ask && wrong != nil && wrong.Terms != "": // they may have been accepted since; the service decides
		return nil
	case !ask || wrong == nil && known != nil:
		return wrong
	}
	list, err := c.client.Models(ctx)
	if err != nil {
		return wrong
	}
	return c.store(list).wrong(aliases, s, c.o.EffortForAnyModel)
}

// SettingsProblem returns the result of [Catalog.Check] as text for the screen, "" if there is none or ctx has ended.
func (c *Catalog) SettingsProblem(ctx context.Context, agent string, s session.Settings) string {
	wrong := c.Check(ctx, agent, s, true)
	if wrong == nil || ctx.Err() != nil {
		return ""
	}
	if wrong.Terms != "" {
		return wrong.What + ": /model " + wrong.Terms + " shows them"
	}
	return wrong.What + ": /" + wrong.Key + " chooses another"
}

// store writes the choices of a list to the file and returns them.
func (c *Catalog) store(list []copilot.Model) choices {
	all := choicesOf(list)
	if err := c.file.save(all, time.Now()); err != nil && !errors.Is(err, fs.ErrPermission) {
		c.o.Log.Info("store the model list for the next start", "error", err)
	}
	return all
}
