package core

import (
	"context"

	"parley/session"
)

// Check is the outcome of one check of the user's setup. Its texts may come from outside.
type Check struct {
	// Name is what was checked, Found what is there; Problem is what is wrong and how to fix it, "" for nothing.
	Name, Found, Problem string
}

// Account is who is signed in. Its texts may come from outside.
type Account struct {
	// Who is the user with the host, Token where the token comes from, Plan what the user subscribed to.
	Who, Token, Plan string
	// Left is what is left of the plan: the names of its allowances with their texts.
	Left [][2]string
}

// Setup knows the user's setup and login. Its methods may block: call them outside of the event loop. Texts may come from outside.
type Setup interface {
	// Examine runs the checks of `parley doctor` one after the other, and passes each on as it ends.
	Examine(ctx context.Context, each func(Check))
	// SessionFile returns the file of a session, whether or not it exists. It touches no disk.
	SessionFile(id session.ID) string
	// Account asks who is signed in.
	Account(ctx context.Context) (Account, error)
	// CanSignIn reports whether signing in with a code is possible. Ways are what to do instead, each a sentence with commands between
	// backquotes. Neither touches a network.
	CanSignIn() bool
	Ways() []string
	// SignIn signs in with a code, which the user enters at an address: it passes both on and returns what came of it.
	SignIn(ctx context.Context, show func(address, code string)) (said string, err error)
	// SignOut removes the token that parley wrote and returns what came of it.
	SignOut(ctx context.Context) (said string, err error)
}
