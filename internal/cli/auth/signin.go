package auth

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
	"parley/internal/cli/command"
	"parley/internal/cli/output"
	"parley/session"
	"parley/session/catalog"
)

// Options are the parts of a run that signing in needs.
type Options struct {
	Config *config.Config
	Getenv func(string) string
	// Tokens has the tokens of parley's own sign-ins, "" for none.
	Tokens login.TokenFile
	// Given returns the credential of a run that has its own, such as the demo; nil: it is searched for.
	Given func() login.Credential
	Out   *output.Stream
	// Closing is called with what has to be done at the end of the run.
	Closing func(func())
	// UserAgent is the description of this program that services read.
	UserAgent string
}

// SignIn finds the GitHub credential, makes one, and makes the client for it.
type SignIn struct{ Options }

// credential finds the GitHub token. The error names where it looked.
func (s SignIn) credential(ctx context.Context) (login.Credential, error) {
	if s.Given != nil {
		return s.Given(), nil
	}
	return login.Find(ctx, login.FindOptions{Host: s.Config.GitHubHost, Getenv: s.Getenv, TokenFile: s.Tokens})
}

// Client makes the client of the credential that is found.
func (s SignIn) Client(ctx context.Context) (*copilot.Client, error) {
	cred, err := s.credential(ctx)
	if err != nil {
		return nil, err
	}
	return s.clientOf(cred)
}

// clientOf makes the client of a credential. It is closed at the end of the run.
func (s SignIn) clientOf(cred login.Credential) (*copilot.Client, error) {
	c, err := copilot.New(copilot.Options{
		Credential:    cred,
		Getenv:        s.Getenv,
		RootCAs:       s.authorities(),
		GitHubAPIURL:  s.Config.GitHubAPIURL,
		CopilotAPIURL: s.Config.CopilotAPIURL,
		IntegrationID: s.Config.API.IntegrationID,
		EditorVersion: s.Config.API.EditorVersion,
		APIVersion:    s.Config.API.APIVersion,
		UserAgent:     s.UserAgent,
		StallAfter:    s.Config.API.StallAfter,
		Renew:         s.credential,
		LoginStamp:    func() string { return login.Stamp(string(s.Tokens)) },
	})
	if err != nil {
		return nil, err
	}
	s.Closing(c.Close)
	return c, nil
}

// authorities returns the configured files with certificate authorities.
func (s SignIn) authorities() []string {
	if s.Config.API.CAFile == "" {
		return nil
	}
	return []string{s.Config.API.CAFile}
}

// CanUseCode reports whether signing in with a code is configured.
func (s SignIn) CanUseCode() bool { return s.Config.GitHub.ClientID != "" }

// Advice returns how to sign in, in one sentence, with a command that works here.
func (s SignIn) Advice() string {
	how := "Install gh (https://cli.github.com) and run `gh auth login --web`"
	switch {
	case s.HasGH():
		how = "Sign in with `gh auth login --web`"
	case s.CanUseCode():
		how = "Sign in with `parley auth login`"
	}
	return how + ", set GH_TOKEN, or try `parley --demo`, which needs no login."
}

// Ways returns all ways to sign in, one per line.
func (s SignIn) Ways() []string {
	host := ""
	if s.Config.GitHubHost != "github.com" {
		host = " --hostname " + s.Config.GitHubHost
	}
	first := "Install the GitHub CLI (https://cli.github.com), then run `gh auth login --web" + host + "`"
	if s.HasGH() {
		first = "Run `gh auth login --web" + host + "`"
	}
	return []string{
		first,
		`Or make a fine-grained token with the account permission "Copilot Requests" at ` +
			"https://github.com/settings/personal-access-tokens, and set COPILOT_GITHUB_TOKEN to it",
		"Or set github.client_id to an OAuth app of yours and run `parley auth login`",
	}
}

// WithGH runs gh, which asks on the terminal.
func (s SignIn) WithGH(ctx context.Context, in io.Reader, errs io.Writer) error {
	args := []string{"auth", "login", "--web", "--hostname", s.Config.GitHubHost}
	cmd := exec.CommandContext(ctx, "gh", args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, s.Out.Raw(), errs
	cmd.WaitDelay = time.Second
	s.Out.Line("gh %s", strings.Join(args, " "))
	if err := cmd.Run(); err != nil {
		return &session.Error{Op: "sign in with gh", Kind: session.KindAuth, Err: err}
	}
	if _, err := s.credential(ctx); err != nil {
		return fmt.Errorf("gh signed in, but its token cannot be read: %w", err)
	}
	return nil
}

// WithCode signs in with a code, stores the token, and prints both. sleep is nil outside tests.
func (s SignIn) WithCode(ctx context.Context, sleep func(context.Context, time.Duration) error) error {
	said, err := s.ByCode(ctx, func(c login.DeviceCode) {
		s.Out.Line("Open %s and enter this code: %s", c.Address, c.UserCode)
		s.Out.Line("Waiting until it is entered (%d minutes at most; ctrl+c stops).", int(time.Until(c.Expires).Minutes()+0.5))
	}, sleep)
	for _, line := range said {
		s.Out.Line("%s", line)
	}
	return err
}

// ByCode signs in with a code, which it passes on, and stores the token. It returns what came of it, a line each. sleep is nil outside
// tests.
func (s SignIn) ByCode(ctx context.Context, show func(login.DeviceCode), sleep func(context.Context, time.Duration) error) (said []string, err error) {
	web, err := copilot.NewHTTP(copilot.Options{Getenv: s.Getenv, RootCAs: s.authorities()})
	if err != nil {
		return nil, err
	}
	defer web.CloseIdleConnections()
	cred, err := login.WithDevice(ctx, login.DeviceOptions{ClientID: s.Config.GitHub.ClientID, Host: s.Config.GitHubHost,
		GitHubAPIURL: s.Config.GitHubAPIURL, HTTP: web, UserAgent: s.UserAgent, Sleep: sleep, Show: show})
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, &session.Error{Op: "sign in", Kind: session.KindAuth, Err: err}
	}
	if err := s.Tokens.Save(cred.Host, cred.Token); err != nil {
		return nil, &session.Error{Op: "sign in", Kind: session.KindDisk, Err: err}
	}
	client, err := s.clientOf(cred)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, command.LookupTime)
	defer cancel()
	acc, err := catalog.New(client, catalog.Options{}).AskAccount(ctx)
	if err != nil {
		return nil, fmt.Errorf("GitHub issued a token, stored in %s, but Copilot does not accept it: %w", string(s.Tokens), err)
	}
	said = append(said, fmt.Sprintf("Signed in to %s as %s; the token is in %s.", cred.Host, output.OrUnknown(acc.Login), string(s.Tokens)))
	if used, err := s.credential(ctx); err == nil && !used.Token.Equal(cred.Token) {
		said = append(said, fmt.Sprintf("Note: parley still uses the token from %s, which goes before this one.", used.Source))
	}
	return said, nil
}

// HasGH reports whether gh is on PATH.
func (s SignIn) HasGH() bool {
	_, err := exec.LookPath("gh")
	return err == nil
}
