package sessions

import (
	"context"

	"github.com/spf13/cobra"

	"parley/internal/cli/command"
	"parley/session"
	"parley/session/live"
)

// forkCommand is `parley sessions fork`.
func (l Library) forkCommand() *cobra.Command {
	var at string
	var asJSON *bool
	cmd := &cobra.Command{
		Use: "fork ID", Short: "Copy a session up to a turn and print the new id", Args: command.OneID,
		Example: `  parley sessions fork 1b2c  copy up to the last answered turn
  parley sessions fork 1b2c --at 3  copy the first three turns
  parley -r $(parley sessions fork 1b2c)  copy, and continue the copy`,
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := l.find(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			m := l.Manager()
			defer m.Close(cmd.Context())
			turn, err := turnAt(cmd.Context(), m, id, at)
			if err != nil {
				return err
			}
			s, err := m.Fork(cmd.Context(), id, turn)
			if err != nil {
				return err
			}
			if *asJSON {
				return l.Out.JSON(named{s.ID()})
			}
			return l.Out.Line("%s", s.ID())
		},
	}
	asJSON = command.JSONFlag(cmd)
	cmd.Flags().StringVar(&at, "at", "", "`TURN` last turn of the copy: its number, from 1, or its id (default: the last answered one)")
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
	turn, err := findTurn(turnsOf(events), at)
	if err != nil {
		return "", command.Usagef("--at %s: %w", at, err)
	}
	return turn, nil
}
