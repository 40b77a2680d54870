package auth

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"parley/copilot/login"
	"parley/internal/cli/command"
	"parley/internal/cli/output"
	"parley/session"
	"parley/session/catalog"
)

// Command makes `parley auth`. signIn returns what signs in in this run; it is called once a command runs.
func Command(out *output.Stream, signIn func() SignIn) *cobra.Command {
	cmd := command.Group("auth", "Sign in and out, and show how you are signed in")
	cmd.AddCommand(statusCommand(out, signIn), loginCommand(out, signIn), logoutCommand(out, signIn))
	return cmd
}

// statusCommand is `parley auth status`.
func statusCommand(out *output.Stream, signIn func() SignIn) *cobra.Command {
	cmd := &cobra.Command{Use: "status", Short: "Show the token in use, where it comes from, and your plan", Args: command.NoArgs}
	asJSON := command.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		ctx, cancel := context.WithTimeout(cmd.Context(), command.LookupTime)
		defer cancel()
		client, err := signIn().Client(ctx)
		if err != nil {
			return err
		}
		acc, err := catalog.New(client, catalog.Options{}).AskAccount(ctx)
		if err != nil {
			return fmt.Errorf("the token from %s: %w", client.Credential().Source, err)
		}
		if *asJSON {
			return out.JSON(acc)
		}
		return printAccount(out, acc, time.Now())
	}
	return cmd
}

// loginCommand is `parley auth login`.
func loginCommand(out *output.Stream, signIn func() SignIn) *cobra.Command {
	return &cobra.Command{
		Use: "login", Short: "Sign in with a code on GitHub, or see what to install or set", Args: command.NoArgs,
		Long: `Sign in without gh: open a page on GitHub, enter a code, and parley saves the token in its own file.

This needs the id of an OAuth app in github.client_id; without one it lists what to install or set. Whether Copilot
accepts such a token is unverified. gh's own files are never changed.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := command.UntilSignal(cmd.Context())
			defer stop()
			s := signIn()
			if !s.CanUseCode() {
				for _, way := range s.Ways() {
					out.Sentence("%s", way)
				}
				return command.ExitError{Code: command.ExitSignedOut}
			}
			return s.WithCode(ctx, nil)
		},
	}
}

// logoutCommand is `parley auth logout`.
func logoutCommand(out *output.Stream, signIn func() SignIn) *cobra.Command {
	return &cobra.Command{
		Use: "logout", Short: "Remove the token that parley saved, or see how to remove the one in use", Args: command.NoArgs,
		Long: `Remove the token that ` + "`parley auth login`" + ` saved. A token of gh or of a variable is not parley's to remove: then it prints
where the token comes from and how to remove it there.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), command.LookupTime)
			defer cancel()
			return signIn().logOut(ctx, out)
		},
	}
}

// logOut removes parley's own token, and prints what is in use without it.
func (s SignIn) logOut(ctx context.Context, out *output.Stream) error {
	said, err := s.LogOut(ctx)
	for _, line := range said {
		if err := out.Sentence("%s", line); err != nil {
			return err
		}
	}
	return err
}

// LogOut removes parley's own token. It returns what came of it, a sentence each; the error says how to remove a token that is not
// parley's.
func (s SignIn) LogOut(ctx context.Context) (said []string, err error) {
	host, err := login.NormalizeHost(s.Config.GitHubHost)
	if err != nil {
		return nil, err
	}
	removed, err := s.Tokens.Remove(host)
	if err != nil {
		return nil, &session.Error{Op: "sign out", Kind: session.KindDisk, Err: err}
	}
	if removed {
		said = append(said, fmt.Sprintf("Signed out of %s: removed the token from %s.", host, string(s.Tokens)))
	}
	used, err := s.credential(ctx)
	switch {
	case err != nil && removed:
		return said, nil
	case err != nil:
		return []string{fmt.Sprintf("Not signed in to %s.", host)}, nil
	case removed:
		return append(said, fmt.Sprintf("parley now uses the token from %s. To remove that too, %s.", used.Source, login.HowToRemove(used.Source, host))), nil
	}
	return nil, command.AdvisedError{Err: fmt.Errorf("the token comes from %s, so parley cannot remove it", used.Source),
		Next: "To sign out, " + login.HowToRemove(used.Source, host) + "."}
}
