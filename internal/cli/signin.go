package cli

import (
	"fmt"
	"strings"

	"parley/copilot/login"
	"parley/internal/cli/auth"
)

// signIn returns what signs in to GitHub.
func (a *app) signIn() auth.SignIn {
	o := auth.Options{Config: a.cfg, Getenv: a.getenv, Out: a.out, Closing: a.closing.add, UserAgent: userAgent()}
	if a.demo != nil {
		o.Given = a.demo.credential
	}
	if a.paths.Data != "" {
		o.Tokens = login.TokenFile(a.paths.TokenFile())
	}
	return auth.SignIn{Options: o}
}

// signedOut returns where no sign-in was found.
func signedOut(e *login.NotSignedInError) string {
	return fmt.Sprintf("not signed in to %s (looked at %s)", e.Host, strings.Join(e.Looked, ", "))
}
