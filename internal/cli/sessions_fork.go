package cli

import (
	"context"

	"github.com/spf13/cobra"

	"parley/session"
	"parley/session/live"
)

// forkCommand is `parley sessions fork`.
func (l library) forkCommand() *cobra.Command {
	var at string
	cmd := &cobra.Command{
		Use: "fork ID", Short: "Copy a session up to a turn and print the new id", Args: oneID,
		Example: "  parley sessions fork 1b2c\n  parley sessions fork 1b2c --at 3\n  parley -r $(parley sessions fork 1b2c)",
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := l.find(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			m := l.manager()
			defer m.Close(cmd.Context())
			turn, err := turnAt(cmd.Context(), m, id, at)
			if err != nil {
				return err
			}
			s, err := m.Fork(cmd.Context(), id, turn)
			if err != nil {
				return err
			}
			return l.app.out.line("%s", s.ID())
		},
	}
	cmd.Flags().StringVar(&at, "at", "", "the last turn of the copy: its number, from 1, or its id (default: the last answered one)")
	return cmd
}

// turnAt returns the turn that --at names.
func turnAt(ctx context.Context, m *live.Manager, id session.ID, at string) (session.TurnID, error) {
	if at == "" {
		return "", nil
	}
	_, events, err := m.Read(ctx, id)
	if err != nil {
		return "", err
	}
	turn, err := session.Fold(events).TurnAt(at)
	if err != nil {
		return "", usagef("--at %s: %w", at, err)
	}
	return turn, nil
}
