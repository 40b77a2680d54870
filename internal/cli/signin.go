package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"parley/copilot"
	"parley/copilot/login"
	"parley/session"
)

// loginCommand is `parley auth login`.
func (a *app) loginCommand() *cobra.Command {
	return &cobra.Command{
		Use: "login", Short: "Sign in with a code on GitHub, or see what to install or set", Args: noArgs,
		Long: `Sign in without gh: open a page on GitHub, enter a code, and parley saves the token in its own file.

This needs the id of an OAuth app in github.client_id; without one it lists what to install or set. Whether Copilot
accepts such a token is unverified. gh's own files are never changed.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := untilSignal(cmd.Context())
			defer stop()
			if a.cfg.GitHub.ClientID == "" {
				for _, line := range a.waysToSignIn() {
					a.out.line("%s", line)
				}
				return exitError{ExitSignedOut}
			}
			return a.deviceSignIn(ctx, nil)
		},
	}
}

// waysToSignIn say what to install or to set where there is nothing to sign in with.
func (a *app) waysToSignIn() []string {
	host := ""
	if a.cfg.GitHubHost != "github.com" {
		host = " --hostname " + a.cfg.GitHubHost
	}
	first := "Install the GitHub CLI (https://cli.github.com), then run: gh auth login --web" + host
	if haveProgram("gh") {
		first = "Run: gh auth login --web" + host
	}
	return []string{
		first,
		`Or make a fine-grained token with the account permission "Copilot Requests" at ` +
			"https://github.com/settings/personal-access-tokens, then run: export COPILOT_GITHUB_TOKEN=github_pat_...",
		"Or set github.client_id to an OAuth app of yours and run: parley auth login",
	}
}

// tokenFile is where parley keeps the tokens of its own sign-ins.
func (a *app) tokenFile() login.TokenFile {
	if a.paths.Data == "" {
		return ""
	}
	return login.TokenFile(a.paths.TokenFile())
}

// deviceSignIn signs in with a code and keeps the token. sleep is nil outside tests.
func (a *app) deviceSignIn(ctx context.Context, sleep func(context.Context, time.Duration) error) error {
	reach := copilot.Options{Getenv: a.getenv}
	if a.cfg.API.CAFile != "" {
		reach.RootCAs = []string{a.cfg.API.CAFile}
	}
	web, err := copilot.NewHTTP(reach)
	if err != nil {
		return err
	}
	defer web.CloseIdleConnections()
	cred, err := login.WithDevice(ctx, login.DeviceOptions{
		ClientID: a.cfg.GitHub.ClientID, Host: a.cfg.GitHubHost, GitHubAPIURL: a.cfg.GitHubAPIURL, HTTP: web,
		UserAgent: userAgent(), Sleep: sleep,
		Show: func(c login.DeviceCode) {
			a.out.line("Open %s and enter this code: %s", c.Address, c.UserCode)
			a.out.line("Waiting until it is entered (%d minutes at most; ctrl+c stops).", int(time.Until(c.Expires).Minutes()+0.5))
		},
	})
	if err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return &session.Error{Op: "sign in", Kind: session.KindAuth, Err: err}
	}
	if err := a.tokenFile().Save(cred.Host, cred.Token); err != nil {
		return &session.Error{Op: "sign in", Kind: session.KindDisk, Err: err}
	}
	client, err := a.newClient(cred)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()
	acc, err := catalog{client: client}.Account(ctx)
	if err != nil {
		return fmt.Errorf("GitHub gave a token, which is kept in %s, but Copilot does not take it: %w", a.tokenFile(), err)
	}
	a.out.line("Signed in to %s as %s; the token is in %s.", cred.Host, orUnknown(acc.Login), string(a.tokenFile()))
	if used, err := a.credential(ctx); err == nil && !used.Token.Equal(cred.Token) {
		a.out.line("%s", strings.TrimSpace("Note: parley still uses the token from "+used.Source+", which goes before this one."))
	}
	return nil
}
