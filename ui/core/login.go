package core

import (
	"context"

	"parley/session"
)

// LoginCheck returns a function that asks whether the login of a catalog can be used, nil without a catalog. It returns an
// error only of a login that is missing, refused or without Copilot: any other fault may be over when the prompt arrives.
func LoginCheck(c session.Catalog) func(context.Context) error {
	if c == nil {
		return nil
	}
	return func(ctx context.Context) error {
		if _, err := c.Models(ctx); BadLogin(err) {
			return err
		}
		if _, err := c.Account(ctx); BadLogin(err) {
			return err
		}
		return nil
	}
}

// BadLogin reports whether an error says that the login cannot be used.
func BadLogin(err error) bool {
	kind := session.KindOf(err)
	return kind == session.KindAuth || kind == session.KindForbidden
}
