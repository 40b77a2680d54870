package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"parley/internal/cli/output"
	"parley/internal/human"
	"parley/session"
	"parley/session/catalog"
	"parley/ui/md/cells"
)

// authCommand is `parley auth`.
func authCommand(a *app) *cobra.Command {
	var asJSON *bool
	status := &cobra.Command{
		Use: "status", Short: "Show the token in use, where it comes from, and your plan", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), lookupTime)
			defer cancel()
			client, err := newSignIn(a).client(ctx)
			if err != nil {
				return err
			}
			acc, err := catalog.New(client, catalog.Options{}).AskAccount(ctx)
			if err != nil {
				return fmt.Errorf("the token from %s: %w", client.Credential().Source, err)
			}
			if *asJSON {
				return a.out.JSON(acc)
			}
			return printAccount(a.out, acc, time.Now())
		},
	}
	asJSON = jsonFlag(status)
	cmd := group("auth", "Sign in, and show how you are signed in")
	cmd.AddCommand(status, loginCommand(a))
	return cmd
}

// loginCommand is `parley auth login`.
func loginCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "login", Short: "Sign in with a code on GitHub, or see what to install or set", Args: noArgs,
		Long: `Sign in without gh: open a page on GitHub, enter a code, and parley saves the token in its own file.

This needs the id of an OAuth app in github.client_id; without one it lists what to install or set. Whether Copilot
accepts such a token is unverified. gh's own files are never changed.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := untilSignal(cmd.Context())
			defer stop()
			s := newSignIn(a)
			if !s.canUseCode() {
				for _, way := range s.ways() {
					a.out.Sentence("%s", way)
				}
				return exitError{ExitSignedOut}
			}
			return s.withCode(ctx, nil)
		},
	}
}

// printAccount prints who is signed in, and below it the plan and what is left of it.
func printAccount(w *output.Stream, acc session.Account, now time.Time) error {
	err := w.Sentence("Signed in to %s as %s, with the token from %s.", acc.Host, output.OrUnknown(acc.Login), acc.Source)
	facts := []output.Pair{{Name: "Plan", Text: output.OrUnknown(acc.Plan)}}
	for _, q := range acc.Quotas {
		facts = append(facts, output.Pair{Name: q.Name, Text: quotaText(q, now)})
	}
	c := w.Canvas()
	for i, f := range facts {
		facts[i] = output.Pair{Name: strings.ReplaceAll(cells.OneLine(f.Name), "_", " "), Text: cells.OneLine(f.Text)}
		if !c.Terminal {
			w.Line("%s: %s", f.Name, f.Text)
		}
	}
	if !c.Terminal {
		return err
	}
	return c.Print(append([]string{""}, output.Pairs(facts, 0, c.Prose(), output.Faint, output.Plain)...))
}

func quotaText(q session.Quota, now time.Time) string {
	if q.Unlimited {
		return "unlimited"
	}
	unit := q.Unit
	if unit != "" {
		unit += " "
	}
	text := fmt.Sprintf("%s of %s %sleft (%.0f %%)", human.Tenths(q.Remaining), human.Tenths(q.Entitlement), unit, q.Percent)
	if q.Overage {
		text += ", more is allowed"
	}
	if !q.ResetsAt.IsZero() && q.ResetsAt.After(now) {
		text += ", resets " + q.ResetsAt.Local().Format("Mon 2 Jan 15:04")
	}
	return text
}
