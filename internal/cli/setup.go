package cli

import (
	"context"
	"errors"
	"strings"
	"time"

	"parley/copilot/login"
	"parley/internal/cli/auth"
	"parley/internal/cli/command"
	"parley/internal/cli/doctor"
	"parley/internal/cli/output"
	"parley/session"
	"parley/session/catalog"
	"parley/ui/core"
)

// setup knows the user's setup and login for a chat.
type setup struct{ a *app }

// Examine runs the checks of `parley doctor`.
func (s setup) Examine(ctx context.Context, each func(core.Check)) {
	ctx, cancel := context.WithTimeout(ctx, command.LookupTime)
	defer cancel()
	doctor.Examine(ctx, s.a.examined(), func(r doctor.Result) { each(core.Check{Name: r.Check, Found: r.Found, Problem: r.Problem}) })
}

// SessionFile returns the journal of a session.
func (s setup) SessionFile(id session.ID) string { return s.a.store().File(id) }

// Account asks the service who is signed in.
func (s setup) Account(ctx context.Context) (core.Account, error) {
	ctx, cancel := context.WithTimeout(ctx, command.LookupTime)
	defer cancel()
	client, err := s.a.signIn().Client(ctx)
	if err != nil {
		return core.Account{}, err
	}
	acc, err := catalog.New(client, catalog.Options{}).AskAccount(ctx)
	if err != nil {
		return core.Account{}, err
	}
	return core.Account{Who: output.OrUnknown(acc.Login) + " on " + acc.Host, Token: "from " + acc.Source, Plan: auth.PlanName(acc.Plan),
		Left: auth.Left(acc, time.Now())}, nil
}

// CanSignIn reports whether signing in with a code is configured.
func (s setup) CanSignIn() bool { return s.a.demo == nil && s.a.signIn().CanUseCode() }

// Ways returns how to sign in where a code cannot be used.
func (s setup) Ways() []string {
	if s.a.demo != nil {
		return []string{"The demo needs no login. Start parley without --demo to sign in"}
	}
	return s.a.signIn().Ways()
}

// SignIn signs in with a code.
func (s setup) SignIn(ctx context.Context, show func(address, code string)) (string, error) {
	said, err := s.a.signIn().ByCode(ctx, func(c login.DeviceCode) { show(c.Address, c.UserCode) }, nil)
	return strings.Join(said, " "), err
}

// SignOut removes the token that parley wrote.
func (s setup) SignOut(ctx context.Context) (string, error) {
	if s.a.demo != nil {
		return "The demo has no login to end", nil
	}
	ctx, cancel := context.WithTimeout(ctx, command.LookupTime)
	defer cancel()
	said, err := s.a.signIn().LogOut(ctx)
	if e, ok := errors.AsType[command.AdvisedError](err); ok {
		return "The " + strings.TrimPrefix(e.Err.Error(), "the ") + ". " + e.Next, nil
	}
	return strings.Join(said, " "), err
}
