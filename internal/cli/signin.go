package cli

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"parley/config"
	"parley/copilot"
	"parley/copilot/login"
	"parley/internal/cli/output"
	"parley/session"
	"parley/session/catalog"
)

// lookupTime bounds what a command that only informs waits for the network.
const lookupTime = 30 * time.Second

// signIn finds the GitHub credential, makes one, and makes the client for it.
type signIn struct {
	cfg     *config.Config
	getenv  func(string) string
	tokens  login.TokenFile // where parley stores the tokens of its own sign-ins
	demo    *demo           // nil outside the demo
	out     *output.Stream
	closing *closers
}

func newSignIn(a *app) signIn {
	s := signIn{cfg: a.cfg, getenv: a.getenv, demo: a.demo, out: a.out, closing: &a.closing}
	if a.paths.Data != "" {
		s.tokens = login.TokenFile(a.paths.TokenFile())
	}
	return s
}

// credential finds the GitHub token. The error names where it looked.
func (s signIn) credential(ctx context.Context) (login.Credential, error) {
	if s.demo != nil {
		return s.demo.credential(), nil
	}
	return login.Find(ctx, login.FindOptions{Host: s.cfg.GitHubHost, Getenv: s.getenv, TokenFile: s.tokens})
}

// client makes the client of the credential that is found.
func (s signIn) client(ctx context.Context) (*copilot.Client, error) {
	cred, err := s.credential(ctx)
	if err != nil {
		return nil, err
	}
	return s.clientOf(cred)
}

// clientOf makes the client of a credential. It is closed at the end of the run.
func (s signIn) clientOf(cred login.Credential) (*copilot.Client, error) {
	c, err := copilot.New(copilot.Options{
		Credential:    cred,
		Getenv:        s.getenv,
		RootCAs:       s.authorities(),
		GitHubAPIURL:  s.cfg.GitHubAPIURL,
		CopilotAPIURL: s.cfg.CopilotAPIURL,
		IntegrationID: s.cfg.API.IntegrationID,
		EditorVersion: s.cfg.API.EditorVersion,
		APIVersion:    s.cfg.API.APIVersion,
		UserAgent:     userAgent(),
		StallAfter:    s.cfg.API.StallAfter,
		Renew:         s.credential,
		LoginStamp:    func() string { return login.Stamp(string(s.tokens)) },
	})
	if err != nil {
		return nil, err
	}
	s.closing.add(c.Close)
	return c, nil
}

// authorities returns the configured files with certificate authorities.
func (s signIn) authorities() []string {
	if s.cfg.API.CAFile == "" {
		return nil
	}
	return []string{s.cfg.API.CAFile}
}

// canUseCode reports whether signing in with a code is configured.
func (s signIn) canUseCode() bool { return s.cfg.GitHub.ClientID != "" }

// advice returns how to sign in, in one sentence, with a command that works here.
func (s signIn) advice() string {
	how := "Install gh (https://cli.github.com) and run `gh auth login --web`"
	switch {
	case haveProgram("gh"):
		how = "Sign in with `gh auth login --web`"
	case s.canUseCode():
		how = "Sign in with `parley auth login`"
	}
	return how + ", set GH_TOKEN, or try `parley --demo`, which needs no login."
}

// ways returns all ways to sign in, one per line.
func (s signIn) ways() []string {
	host := ""
	if s.cfg.GitHubHost != "github.com" {
		host = " --hostname " + s.cfg.GitHubHost
	}
	first := "Install the GitHub CLI (https://cli.github.com), then run `gh auth login --web" + host + "`"
	if haveProgram("gh") {
		first = "Run `gh auth login --web" + host + "`"
	}
	return []string{
		first,
		`Or make a fine-grained token with the account permission "Copilot Requests" at ` +
			"https://github.com/settings/personal-access-tokens, and set COPILOT_GITHUB_TOKEN to it",
		"Or set github.client_id to an OAuth app of yours and run `parley auth login`",
	}
}

// withGH runs gh, which asks on the terminal.
func (s signIn) withGH(ctx context.Context, in io.Reader, errs io.Writer) error {
	args := []string{"auth", "login", "--web", "--hostname", s.cfg.GitHubHost}
	cmd := exec.CommandContext(ctx, "gh", args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, s.out.Raw(), errs
	cmd.WaitDelay = time.Second
	s.out.Line("gh %s", strings.Join(args, " "))
	if err := cmd.Run(); err != nil {
		return &session.Error{Op: "sign in with gh", Kind: session.KindAuth, Err: err}
	}
	if _, err := s.credential(ctx); err != nil {
		return fmt.Errorf("gh signed in, but its token cannot be read: %w", err)
	}
	return nil
}

// withCode signs in with a code and stores the token. sleep is nil outside tests.
func (s signIn) withCode(ctx context.Context, sleep func(context.Context, time.Duration) error) error {
	web, err := copilot.NewHTTP(copilot.Options{Getenv: s.getenv, RootCAs: s.authorities()})
	if err != nil {
		return err
	}
	defer web.CloseIdleConnections()
	cred, err := login.WithDevice(ctx, login.DeviceOptions{
		ClientID: s.cfg.GitHub.ClientID, Host: s.cfg.GitHubHost, GitHubAPIURL: s.cfg.GitHubAPIURL, HTTP: web,
		UserAgent: userAgent(), Sleep: sleep,
		Show: func(c login.DeviceCode) {
			s.out.Line("Open %s and enter this code: %s", c.Address, c.UserCode)
			s.out.Line("Waiting until it is entered (%d minutes at most; ctrl+c stops).", int(time.Until(c.Expires).Minutes()+0.5))
		},
	})
	if err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return &session.Error{Op: "sign in", Kind: session.KindAuth, Err: err}
	}
	if err := s.tokens.Save(cred.Host, cred.Token); err != nil {
		return &session.Error{Op: "sign in", Kind: session.KindDisk, Err: err}
	}
	client, err := s.clientOf(cred)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()
	acc, err := catalog.New(client, catalog.Options{}).AskAccount(ctx)
	if err != nil {
		return fmt.Errorf("GitHub issued a token, stored in %s, but Copilot does not accept it: %w", string(s.tokens), err)
	}
	s.out.Line("Signed in to %s as %s; the token is in %s.", cred.Host, output.OrUnknown(acc.Login), string(s.tokens))
	if used, err := s.credential(ctx); err == nil && !used.Token.Equal(cred.Token) {
		s.out.Line("Note: parley still uses the token from %s, which goes before this one.", used.Source)
	}
	return nil
}

// haveProgram reports whether a program is on PATH.
func haveProgram(name string) bool {
	_, err := exec.LookPath(name)
	return err == nil
}
