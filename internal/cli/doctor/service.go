package doctor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"parley/copilot"
	"parley/copilot/login"
	"parley/internal/cli/auth"
	"parley/internal/cli/output"
	"parley/session"
)

// service checks the account and its models.
func (d doctor) service(ctx context.Context, client *copilot.Client) []check {
	c := d.Catalog(client)
	acc, err := c.AskAccount(ctx)
	if err != nil {
		return []check{{name: "account", err: advise(err)}}
	}
	plan := check{name: "account", found: fmt.Sprintf("%s, %s", output.OrUnknown(acc.Login), auth.PlanName(acc.Plan))}
	models, err := c.Models(ctx)
	if err != nil {
		return []check{plan, {name: "models", err: advise(err)}}
	}
	usable := 0
	for _, m := range models {
		if m.Unusable == "" {
			usable++
		}
	}
	if usable == 0 {
		return []check{plan, {name: "models", err: errors.New("none can be used; see parley models for the reasons")}}
	}
	return []check{plan, {name: "models", found: fmt.Sprintf("%d, %d of them usable", len(models), usable)}}
}

// advise returns an error with the advice that the chat gives. That of a token has its own.
func advise(err error) error {
	if t, ok := errors.AsType[*login.TokenError](err); ok {
		return fmt.Errorf("GitHub did not accept the sign-in: %w", t)
	}
	p := session.ProblemOf(err, time.Now())
	if p.Next == "" {
		return errors.New(p.What)
	}
	return fmt.Errorf("%s %s", p.What, p.Next)
}
