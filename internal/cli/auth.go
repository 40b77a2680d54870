package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"parley/session"
)

func (a *app) authCommand() *cobra.Command {
	var asJSON bool
	status := &cobra.Command{
		Use: "status", Short: "Show the token in use, where it comes from, and your plan", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), lookupTime)
			defer cancel()
			client, err := a.signedIn(ctx)
			if err != nil {
				return err
			}
			acc, err := catalog{client: client}.Account(ctx)
			if err != nil {
				return fmt.Errorf("the token from %s: %w", client.Credential().Source, err)
			}
			if asJSON {
				return writeJSON(a.out, acc)
			}
			printAccount(a.out, acc, time.Now())
			return nil
		},
	}
	status.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd := group("auth", "Sign in, and show how you are signed in")
	cmd.AddCommand(status, a.loginCommand())
	return cmd
}

func printAccount(w *output, acc session.Account, now time.Time) {
	w.line("Signed in to %s as %s, with the token from %s.", acc.Host, orUnknown(acc.Login), acc.Source)
	w.line("Plan: %s", orUnknown(acc.Plan))
	for _, q := range acc.Quotas {
		w.line("%s: %s", q.Name, quotaText(q, now))
	}
}

func quotaText(q session.Quota, now time.Time) string {
	if q.Unlimited {
		return "unlimited"
	}
	unit := q.Unit
	if unit != "" {
		unit += " "
	}
	text := fmt.Sprintf("%g of %g %sleft (%.0f %%)", q.Remaining, q.Entitlement, unit, q.Percent)
	if q.Overage {
		text += ", more is allowed"
	}
	if !q.ResetsAt.IsZero() && q.ResetsAt.After(now) {
		text += ", resets " + q.ResetsAt.Local().Format("Mon 2 Jan 15:04")
	}
	return text
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

func writeJSON(w *output, v any) error { return w.json(v) }
